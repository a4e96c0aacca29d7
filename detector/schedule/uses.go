package schedule

import "unsafe"

// Uses counts the operations on each object by each task, and by those below it, for a Selective of another run. An
// object is named by its address: what a program allocates before its tasks run has the same address in each run of a
// binary. An odd address stands for a word of memory that a chosen access reads or writes.
type Uses struct {
	ts    *Tasks
	table uintptr // [maxUses]use
	index uintptr // [indexUses]uint32: numbers of uses, by open addressing
	n     uint32
}

// A use is the number of operations of a task, with those below it, on an object. With hash 0 it stands for the object:
// steps is the number of tasks that have used it themselves.
type use struct {
	object uintptr
	hash   uint64 // of the task's path
	steps  uint32
	own    bool   // the task itself has used it
	next   uint32 // the next use of the object, plus 1
}

const (
	maxUses   = 1 << 12
	indexUses = 2 * maxUses
)

func (u *Uses) Init(ts *Tasks) {
	u.ts = ts
	u.table = uintptr(hostAlloc(maxUses * unsafe.Sizeof(use{})))
	u.index = uintptr(hostAlloc(indexUses * unsafe.Sizeof(uint32(0))))
}

func (u *Uses) at(i uint32) *use {
	return (*use)(unsafe.Add(nil, u.table+uintptr(i)*unsafe.Sizeof(use{})))
}

// get returns the entry of an object and a hash, nil if there is no room for it.
func (u *Uses) get(object uintptr, hash uint64) *use {
	for i := extend(hash, uint32(object>>3)); ; i++ {
		k := (*uint32)(unsafe.Add(nil, u.index+uintptr(i%indexUses)*unsafe.Sizeof(uint32(0))))
		if *k == 0 {
			if u.n == maxUses {
				return nil
			}
			u.n++
			*k = u.n
			e := u.at(u.n - 1)
			e.object, e.hash = object, hash
			if hash != 0 {
				if o := u.get(object, 0); o != nil {
					e.next = o.next
					o.next = *k
				}
			}
			return e
		}
		if e := u.at(*k - 1); e.object == object && e.hash == hash {
			return e
		}
	}
}

// Note counts the operation that t, the running task, is about to make.
func (u *Uses) Note(t ID) {
	e := u.ts.at(t)
	object := e.object
	if e.op == OpNone || object == 0 {
		return
	}
	for own := true; ; own = false {
		x := u.get(object, e.hash)
		if x == nil {
			return
		}
		x.steps++
		if own && !x.own {
			x.own = true
			if o := u.get(object, 0); o != nil {
				o.steps++
			}
		}
		if e.parent == 0 {
			return
		}
		e = u.ts.at(e.parent)
	}
}

// Uses records the uses of objects that several tasks have used, as comments.
func (r *Recorder) Uses(u *Uses) {
	r.endLine()
	for i := uint32(0); i < u.n; i++ {
		o := u.at(i)
		if o.hash != 0 || o.steps < 2 {
			continue
		}
		for k := o.next; k != 0; k = u.at(k - 1).next {
			e := u.at(k - 1)
			r.puts("# use ")
			r.putn(uint64(o.object))
			r.putc(' ')
			r.putn(e.hash)
			r.putc(' ')
			r.putn(uint64(e.steps))
			r.putc('\n')
		}
	}
}

// nextUse reads up to the next line that Recorder.Uses has written. A line that is damaged is none.
func (r *record) nextUse(u *use) bool {
	for {
		from, to, ok := r.cut()
		if !ok {
			return false
		}
		end, arg := r.word(from, to)
		if !r.is(from, end, "#") {
			continue
		}
		end, object := r.word(arg, to)
		if !r.is(arg, end, "use") {
			continue
		}
		end, hash := r.word(object, to)
		a, ok1 := r.number64(object, end)
		end, steps := r.word(hash, to)
		h, ok2 := r.number64(hash, end)
		n, ok3 := r.number(steps, to)
		if ok1 && ok2 && ok3 && h != 0 {
			*u = use{object: uintptr(a), hash: h, steps: n}
			return true
		}
	}
}

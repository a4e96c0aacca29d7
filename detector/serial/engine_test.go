package serial

import (
	"flag"
	"math/rand/v2"
	"testing"
	"unsafe"
)

var rounds = flag.Int("rounds", 100, "how many random executions TestRanges compares")

// An unordered algorithm has tasks that nothing orders. Each task is one unit.
type unordered struct {
	Engine
	infos [16]Info
	next  uint32
	kept  map[uint32]bool
}

func (u *unordered) fork() *Task {
	t, n := u.NewTask(0, 0)
	u.next++
	t.ID = u.next
	t.SetUnit(u.next)
	t.ForgetStep(NoEntry)
	u.infos[t.ID] = n
	return t
}

func (u *unordered) Parallel(t *Task, unit uint32) bool   { return unit != 0 && unit != t.Unit }
func (u *unordered) Precedes(t *Task, unit uint32) bool   { return !u.Parallel(t, unit) }
func (u *unordered) Represents(t *Task, unit uint32) bool { return true }
func (u *unordered) Remember(t *Task, r, ro, o uint32) (readers, origin uint32) {
	if r == 0 {
		return t.Unit, o
	}
	for i := r; i != 0; {
		unit, _, rest := u.Newest(i, 0)
		if unit == t.Unit {
			return r, ro
		}
		i = rest
	}
	if !IsList(r) {
		r = u.List(r, ro, 0)
	}
	return u.List(t.Unit, o, r), 0
}
func (u *unordered) Ready(t *Task) bool         { return true }
func (u *unordered) Note(t *Task)               {}
func (u *unordered) Use(t *Task)                {}
func (u *unordered) Passed(t *Task, x uint64)   {}
func (u *unordered) Settled(t *Task)            {}
func (u *unordered) Restart()                   {}
func (u *unordered) Renew(t *Task, old Info)    {}
func (u *unordered) TaskOf(unit uint32) uint32  { return unit }
func (u *unordered) InfoOf(task uint32) *Info   { return &u.infos[task] }
func (u *unordered) Keep(unit uint32)           { u.kept[unit] = true }
func (u *unordered) BehindAll(unit uint32) bool { return unit == 0 }
func (u *unordered) ObjectIn(a, n uintptr) bool { return false }
func (u *unordered) DropObjects(a, n uintptr)   {}

// Among tasks that nothing orders, a byte has a race if two tasks access it and one of them
// writes. Ranges, words and parts of words of a few lines are accessed, freed and swept.
func TestRanges(t *testing.T) {
	const (
		base  = 1 << 20
		size  = 4 * lineBytes
		tasks = 3
	)
	for seed := range uint64(*rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		var u unordered
		u.kept = map[uint32]bool{}
		u.Bind(&u)
		got := map[uintptr]bool{}
		u.OnReport(func(r *Report) {
			for i := range r.Cur.Size {
				got[r.Cur.Addr+i] = true
			}
		})
		u.Init(Options{Repeat: true, Space: 32}, 0)
		var list []*Task
		for range tasks {
			list = append(list, u.fork())
		}
		type history struct{ readers, writers [tasks]bool }
		var bytes [size]history
		want := map[uintptr]bool{}
		for range 60 {
			// Few values of each, so that ranges meet.
			a := uintptr(r.IntN(size/64)) * 64
			n := min(uintptr(1+r.IntN(24))*64, size-a)
			switch r.IntN(6) {
			case 0:
				a += uintptr(r.IntN(8)) * wordBytes
				n = wordBytes
			case 1:
				a += uintptr(r.IntN(64))
				n = uintptr(1 + r.IntN(12))
				n = min(n, size-a)
			}
			switch r.IntN(40) {
			case 0:
				u.Alloc(base+a, n)
				for i := a; i < a+n; i++ {
					bytes[i] = history{}
				}
				continue
			case 1:
				u.BeginSweep()
				for _, t := range list {
					u.SweepTask(t)
				}
				u.EndSweep()
				continue
			}
			who, k := r.IntN(tasks), Kind(r.IntN(2))
			task, site := list[who], uintptr(1+r.IntN(3))
			if n != wordBytes || a%wordBytes != 0 || !u.Again(task, base+a, k, site, 0) {
				if !u.Covered(task, base+a, n, k) && !u.Quick(task, base+a, n, k, site, 0, 0) {
					u.Access(task, base+a, n, k, site, 0, 0)
				}
			}
			for i := a; i < a+n; i++ {
				h := &bytes[i]
				for other := range tasks {
					if other != who && (h.writers[other] || k == Write && h.readers[other]) {
						want[base+i] = true
					}
				}
				if k == Write {
					h.writers[who] = true
				} else {
					h.readers[who] = true
				}
			}
		}
		for i := uintptr(base); i < base+size; i++ {
			if got[i] != want[i] {
				t.Errorf("seed %d: race on byte %#x reported: %v, is one: %v", seed, i-base, got[i], want[i])
				break
			}
		}
		u.Close()
	}
}

// Elements of equal contents are one, and a sweep keeps the marked ones alone.
func TestInterned(t *testing.T) {
	var u unordered
	u.Bind(&u)
	u.Init(Options{Space: 32}, 0)
	defer u.Close()
	a := u.PushFrame(nil, 0, 1)
	b := u.PushFrame(nil, a, 2)
	if c := u.PushFrame(nil, u.PushFrame(nil, 0, 1), 2); c != b {
		t.Errorf("the same context has the ids %d and %d", b, c)
	}
	other := u.PushFrame(nil, 0, 3)
	u.BeginSweep()
	u.MarkInfo(&Info{stack: b})
	u.EndSweep()
	if parent, pc := u.Frame(b); parent != a || pc != 2 {
		t.Errorf("a marked context is %d, %d after a sweep, want %d, 2", parent, pc, a)
	}
	if c := u.PushFrame(nil, 0, 4); c != other {
		t.Errorf("a new context has the id %d, want the free one, %d", c, other)
	}
}

// Locksets with equal locks are one, in whatever order the locks were taken.
func TestLocksets(t *testing.T) {
	var u unordered
	u.Bind(&u)
	u.Init(Options{Space: 32}, 0)
	defer u.Close()
	x, y := u.fork(), u.fork()
	u.Lock(x, 8, false)
	u.Lock(x, 16, true)
	u.Lock(y, 16, true)
	u.Lock(y, 8, false)
	s := u.lockset(x, false)
	if v := u.lockset(y, false); v != s {
		t.Errorf("locksets %d and %d, want one", s, v)
	}
	u.Unlock(y, 8, false)
	shared := u.lockset(y, false)
	if u.exclude(s, shared) || !u.exclude(s, s) {
		t.Errorf("a shared lock excludes, or an exclusive one does not")
	}
	if !u.within(shared, s) || u.within(s, shared) {
		t.Errorf("within is wrong")
	}
	if u.Unlock(y, 8, false) {
		t.Errorf("a lock that is not held was given up")
	}
}

// Instrumented code and the runtime rely on where these are.
func TestHead(t *testing.T) {
	var x Task
	for i, off := range []uintptr{unsafe.Offsetof(x.base), unsafe.Offsetof(x.mask), unsafe.Offsetof(x.okw), unsafe.Offsetof(x.own), unsafe.Offsetof(x.okr)} {
		if off != uintptr(i)*8 {
			t.Errorf("field %d of a task's head is at %d, want %d", i, off, i*8)
		}
	}
}

package differential

import "taskinstr/detector/event"

// A Pair is two racing accesses of a trace, given by their sites, the smaller first.
type Pair struct{ A, B uint32 }

// A Judgement is the result of brute force on a trace.
type Judgement struct {
	Order      map[Pair]bool   // conflicting accesses that are structurally unordered, under any locks
	Structural map[Pair]bool   // the pairs in Order that no lock protects
	Words      map[uint64]bool // the bytes of the Structural pairs
	OrderWords map[uint64]bool // the bytes of the Order pairs
}

// Judge examines all pairs of accesses of a trace. Its time and memory are quadratic.
func Judge(trace []event.Event) Judgement {
	j := Judgement{Order: map[Pair]bool{}, Structural: map[Pair]bool{}, Words: map[uint64]bool{}, OrderWords: map[uint64]bool{}}
	past := predecessors(trace)
	locks := locksets(trace)
	for i := range trace {
		b := &trace[i]
		if b.Op != event.Access {
			continue
		}
		for k := range i {
			a := &trace[k]
			lo, hi := max(a.Addr, b.Addr), min(a.Addr+a.Size, b.Addr+b.Size)
			if a.Op != event.Access || a.Task == b.Task || lo >= hi || !a.Kind.Conflicts(b.Kind) || past[i].has(k) {
				continue
			}
			p := Pair{min(a.Site, b.Site), max(a.Site, b.Site)}
			j.Order[p] = true
			protected := locks[i].protects(locks[k])
			if !protected {
				j.Structural[p] = true
			}
			for x := lo; x < hi; x++ {
				j.OrderWords[x] = true
				if !protected {
					j.Words[x] = true
				}
			}
		}
	}
	return j
}

type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) join(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// predecessors returns, for each event, the events that precede it in the structural
// order.
func predecessors(trace []event.Event) []bits {
	size := (len(trace) + 63) / 64
	fresh := func() bits { return make(bits, size) }
	tasks := map[uint32]bits{0: fresh()}
	objs := map[uint64]bits{} // events published by scopes and promises
	at := func(obj uint64) bits {
		if objs[obj] == nil {
			objs[obj] = fresh()
		}
		return objs[obj]
	}
	past := make([]bits, len(trace))
	for i := range trace {
		e := &trace[i]
		t := tasks[e.Task]
		switch e.Op {
		case event.FinishEnd, event.Get:
			t.join(at(e.Obj))
		}
		past[i] = append(bits(nil), t...)
		t.add(i)
		switch e.Op {
		case event.Fork:
			tasks[e.Other] = append(bits(nil), t...)
		case event.End, event.Set:
			at(e.Obj).join(t)
		}
	}
	return past
}

// A lockset maps each held lock to whether it is held exclusively.
type lockset map[uint64]bool

func (s lockset) protects(t lockset) bool {
	for l, exclusive := range s {
		if other, ok := t[l]; ok && (exclusive || other) {
			return true
		}
	}
	return false
}

func locksets(trace []event.Event) []lockset {
	held := map[uint32]lockset{}
	sets := make([]lockset, len(trace))
	for i := range trace {
		e := &trace[i]
		h := held[e.Task]
		if h == nil {
			h = lockset{}
			held[e.Task] = h
		}
		switch e.Op {
		case event.Lock:
			h[e.Obj] = !e.Shared
		case event.Unlock:
			delete(h, e.Obj)
		case event.Access:
			s := lockset{}
			for l, x := range h {
				s[l] = x
			}
			sets[i] = s
		}
	}
	return sets
}

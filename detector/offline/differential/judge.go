package differential

import (
	"maps"
	"slices"

	"taskinstr/detector/event"
)

// A Pair is two racing accesses of a trace, given by their sites, the smaller first.
type Pair struct{ A, B uint32 }

// PairOf returns the pair of two accesses.
func PairOf(a, b *event.Event) Pair { return Pair{min(a.Site, b.Site), max(a.Site, b.Site)} }

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
	locks := locksets(trace)
	Conflicts(trace, false, func(k, i int, lo, hi uint64) {
		p := PairOf(&trace[k], &trace[i])
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
	})
	return j
}

// Conflicts calls f for each pair of events k < i that conflict and are unordered, for each run
// [lo, hi) of the bytes that both access and that no Alloc has made fresh in between. The order
// is the structural one or, if observed is set, happens-before: locks and raw events count, too.
func Conflicts(trace []event.Event, observed bool, f func(k, i int, lo, hi uint64)) {
	past := predecessors(trace, observed)
	for i := range trace {
		b := &trace[i]
		if b.Op != event.Access {
			continue
		}
		var fresh map[uint64]bool
		for k := i - 1; k >= 0; k-- {
			a := &trace[k]
			if a.Op == event.Alloc {
				if fresh == nil {
					fresh = map[uint64]bool{}
				}
				for x := range a.Size {
					fresh[a.Addr+x] = true
				}
			}
			if a.Op != event.Access || a.Task == b.Task || !a.Kind.Conflicts(b.Kind) || past[i].has(k) {
				continue
			}
			end := min(a.Addr+a.Size, b.Addr+b.Size)
			for lo := max(a.Addr, b.Addr); lo < end; {
				hi := lo
				for hi < end && !fresh[hi] {
					hi++
				}
				if hi > lo {
					f(k, i, lo, hi)
				}
				lo = hi + 1
			}
		}
	}
}

type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) join(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// An object is what events publish at: a scope or promise, or the object of a lock or raw event.
type object struct {
	obj  uint64
	kind uint8
}

const (
	structured = iota // a scope or promise
	ends              // of exclusive holds of a lock; a raw object
	sharedEnds        // of shared holds
)

// predecessors returns, for each event, the events that precede it.
func predecessors(trace []event.Event, observed bool) []bits {
	tasks := map[uint32]bits{0: make(bits, (len(trace)+63)/64)}
	objects := map[object]bits{}
	past := make([]bits, len(trace))
	for i := range trace {
		e := &trace[i]
		at := func(kind uint8) bits {
			k := object{e.Obj, kind}
			if objects[k] == nil {
				objects[k] = make(bits, (len(trace)+63)/64)
			}
			return objects[k]
		}
		if e.Op == event.Alloc {
			maps.DeleteFunc(objects, func(o object, _ bits) bool { return o.kind != structured && o.obj-e.Addr < e.Size })
			continue
		}
		t := tasks[e.Task]
		past[i] = slices.Clone(t)
		t.add(i)
		switch e.Op {
		case event.Fork:
			tasks[e.Other] = slices.Clone(t)
		case event.End, event.Set:
			at(structured).join(t)
		case event.FinishEnd, event.Get:
			t.join(at(structured))
		default:
			if observed {
				observe(e, tasks, at)
			}
		}
	}
	return past
}

// observe adds the order of a lock or raw event; at returns what was published at its object.
func observe(e *event.Event, tasks map[uint32]bits, at func(kind uint8) bits) {
	t := tasks[e.Task]
	switch e.Op {
	case event.Lock:
		t.join(at(ends))
		if !e.Shared {
			t.join(at(sharedEnds))
		}
	case event.Unlock:
		if e.Shared {
			at(sharedEnds).join(t)
		} else {
			at(ends).join(t)
		}
	case event.Acquire:
		t.join(at(ends))
	case event.Release:
		copy(at(ends), t)
	case event.ReleaseMerge:
		at(ends).join(t)
	case event.ReleaseAcquire:
		before := slices.Clone(t)
		t.join(at(ends))
		copy(at(ends), before)
	case event.Meet:
		t.join(tasks[e.Other])
		copy(tasks[e.Other], t)
	}
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
			sets[i] = maps.Clone(h)
		}
	}
	return sets
}

package schedule

import "unsafe"

// Selective is the selective part of H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury, Selectively
// Uniform Concurrency Testing, ASPLOS 2025: only selected operations are weighted. The task that is to make the next
// selected operation is drawn with a probability that is proportional to the number of selected operations
// that it and the tasks that it will make still have. Other tasks wait before their
// selected operations. All other operations are made in random order. So each order of the selected operations
// of tasks that do not wait for each other has the same probability, whatever else the tasks do in between.
//
// The numbers are those of an earlier run, of which Selective reads the record (Uses). Without it Selective is Random.
//
// Departures: selected are the operations on one object, drawn by chance, or all accesses at chosen sites. If the task
// that is to make the next selected operation cannot come to it, another one is drawn among those that wait.
type Selective struct {
	draw
	of       Selection
	object   uintptr // with OfObject, the one whose operations are selected; 0: none
	left     Counts  // of selected operations, by task
	intended ID      // the task that is to make the next selected operation; 0: none
	yielded  bool    // a task waits for another one, which may wait before a selected operation
}

// A Selection says which operations are selected.
type Selection uint32

const (
	OfAll    Selection = iota // all: the strategy is SURW
	OfObject                  // those on one object that several tasks use
	OfSites                   // accesses at chosen sites
)

var selectionText = [...]string{OfObject: "object", OfSites: "sites"}

// isAccess reports whether an object is a word of memory that a chosen access reads or writes, see [Access].
func isAccess(object uintptr) bool { return object&1 != 0 }

// Access returns the object that stands for the word of memory at an address.
func Access(addr uintptr) uintptr { return addr&^7 | 1 }

func (s *Selective) Init(ts *Tasks, seed uint64, of Selection) {
	s.draw.Init(ts, seed)
	s.of = of
}

// Read reads the uses of objects in the record of n bytes at text, after Init.
func (s *Selective) Read(text unsafe.Pointer, n uintptr) {
	var u use
	if s.of == OfObject {
		objects, last := uint32(0), uintptr(0)
		r := record{text: uintptr(text), n: n}
		for r.nextUse(&u) {
			// The lines of an object stand together. Each object replaces the one drawn so far with the
			// probability 1/objects.
			if u.object == last {
				continue
			}
			last = u.object
			if objects++; s.rng.below(objects) == 0 {
				s.object = last
			}
		}
	}
	r := record{text: uintptr(text), n: n}
	for r.nextUse(&u) {
		if s.selects(u.object) {
			s.left.add(u.hash, u.steps, false)
		}
	}
}

// selects reports whether operations on an object are selected.
func (s *Selective) selects(object uintptr) bool {
	if s.of == OfSites {
		return isAccess(object)
	}
	return object == s.object && object != 0
}

// selected reports whether the operation that t is about to make is selected.
func (s *Selective) selected(t ID) bool {
	e := s.ready.ts.at(t)
	return e.op != OpNone && s.selects(e.object)
}

// waits reports whether t waits before a selected operation.
func (s *Selective) waits(t ID) bool { return t != s.intended && s.selected(t) }

func (s *Selective) Fork(child ID) {
	s.inherit(child, &s.left)
	ts := s.ready.ts
	e := ts.at(child)
	// The next selected operation that was to be made by the parent, or what it makes, may be the child's.
	if e.weight > 0 && (s.intended == 0 || s.intended == e.parent && s.rng.below(e.weight+ts.at(e.parent).weight) < e.weight) {
		s.intended = child
	}
}

func (s *Selective) End(t ID) {
	if s.ready.ts.at(t).weight = 0; s.intended == t {
		s.intend()
	}
}

func (s *Selective) Ready(t ID, why Reason) {
	if why != Resumed {
		s.ready.ts.at(t).op = OpNone
	}
	s.yielded = s.yielded || why == Yielded
	s.ready.add(t)
}

// intend draws the task that is to make the next selected operation.
func (s *Selective) intend() {
	ts := s.ready.ts
	total := uint64(0)
	for t := ts.First(); t != 0; t = ts.After(t) {
		total += uint64(ts.at(t).weight)
	}
	s.intended = 0
	if total == 0 {
		return
	}
	x := s.rng.upTo(total)
	for t := ts.First(); ; t = ts.After(t) {
		w := uint64(ts.at(t).weight)
		if x < w {
			s.intended = t
			return
		}
		x -= w
	}
}

// intendWaiting draws it among the ready tasks, and own, that wait before selected operations. It reports whether there is one.
func (s *Selective) intendWaiting(own ID) bool {
	total, n := uint64(0), s.ready.n
	if own != 0 {
		n++
	}
	weight := func(t ID) uint64 { return max(1, uint64(s.ready.ts.at(t).weight)) }
	for i := uint32(0); i < n; i++ {
		if t := s.member(i, own); s.waits(t) {
			total += weight(t)
		}
	}
	if total == 0 {
		return false
	}
	x := s.rng.upTo(total)
	for i := uint32(0); ; i++ {
		t := s.member(i, own)
		if !s.waits(t) {
			continue
		}
		if w := weight(t); x >= w {
			x -= w
			continue
		}
		s.intended = t
		return true
	}
}

// member returns the i-th ready task; own follows them.
func (s *Selective) member(i uint32, own ID) ID {
	if i == s.ready.n {
		return own
	}
	return *s.ready.at(i)
}

// freely returns one of the ready tasks and own, if it is not 0.
func (s *Selective) freely(own ID) ID {
	if s.yielded {
		s.yielded = false
		if s.intendWaiting(own) {
			return s.intended
		}
	}
	n := s.ready.n
	if own != 0 {
		n++
	}
	free := uint32(0)
	for i := uint32(0); i < n; i++ {
		if !s.waits(s.member(i, own)) {
			free++
		}
	}
	if free == 0 {
		s.intendWaiting(own)
		return s.intended
	}
	k := s.rng.below(free)
	for i := uint32(0); ; i++ {
		t := s.member(i, own)
		if s.waits(t) {
			continue
		}
		if k == 0 {
			return t
		}
		k--
	}
}

// made counts the operation that t makes now.
func (s *Selective) made(t ID) {
	e := s.ready.ts.at(t)
	if s.selected(t) {
		if e.weight > 0 {
			e.weight--
		}
		s.intend()
	}
	e.op = OpNone
}

func (s *Selective) Stay(t ID) bool {
	if s.ready.n > 0 {
		if s.drawn = s.freely(t); s.drawn != t {
			return false
		}
		s.drawn = 0
	}
	s.made(t)
	return true
}

func (s *Selective) Next() ID {
	t := s.take()
	if t == 0 && s.ready.n > 0 {
		t = s.freely(0)
	}
	if t != 0 {
		s.ready.remove(t)
		s.made(t)
	}
	return t
}

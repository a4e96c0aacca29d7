package diagnosis

import "taskinstr/detector/event"

// An access through a pointer is to other memory if the read that found the pointer finds
// another pointer. So an event that is to come next pins this read and, in turn, the read that
// found the pointer to the read's own memory. A pinned read must find the same as in the trace.
//
// A pinned read of a word must find the same value. The trace does not have the whole value of
// a slice or of another value of more than a word; a pinned read of such a value must see the
// same write.

// pin pins the reads through which event i reaches its memory.
func (b *builder) pin(i int) {
	for r := b.t.foundBy(i); r >= 0; r = b.t.foundBy(r) {
		e := &b.t.events[r]
		switch {
		case e.Size <= wordSize && e.Valued:
			b.pins = append(b.pins, variable{event: r})
			b.vary(variable{event: r})
		case e.Size > wordSize:
			if b.heads == nil {
				b.heads = map[int]int{}
			}
			seen := -1
			for _, w := range b.t.overlapping(r) {
				if w < r && b.t.events[w].Kind.Writes() {
					seen = w
				}
			}
			b.pins, b.heads[r] = append(b.pins, variable{r, true}), seen
			b.vary(variable{r, true})
		}
	}
}

// pinned returns the condition that a pinned read must meet.
func (b *builder) pinned(r variable) term {
	want := b.t.events[r.event].Value
	if r.write {
		want = identity(b.heads[r.event])
	}
	return term{
		expr:  event.Expr{{Op: event.ReadAt}, {Op: event.Const, Arg: want}, {Op: event.Eq}},
		reads: map[uint32]int{0: b.vars[r]},
	}
}

// identity returns the value that represents a write in a variable of the seen write; -1 is
// the state before all writes.
func identity(write int) uint64 { return uint64(write + 1) }

// identify makes the identity of a source's write its value.
func (s *source) identify(write int) {
	s.known, s.size, s.shift = true, wordSize, 0
	s.term = term{expr: event.Expr{{Op: event.Const, Arg: identity(write)}}}
}

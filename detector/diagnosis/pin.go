package diagnosis

import "taskinstr/detector/event"

// An access through a pointer is to other memory where the read that found the pointer finds
// another one. So an event that is to come next pins this read, and, in turn, the reads
// through which that one got at its memory: they must find what they have found.
//
// A word must have its value. Slices and other values of more than a word have none in a
// trace; they are told apart by the writes that leave them.

// pin makes variables of the reads that event i is reached through.
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

// pinned returns the condition that a pinned read meets.
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

// identity stands for what a write leaves, -1 for what was there before all writes.
func identity(write int) uint64 { return uint64(write + 1) }

// identify makes the value of a source the write that it is.
func (s *source) identify(write int) {
	s.known, s.size, s.shift = true, wordSize, 0
	s.term = term{expr: event.Expr{{Op: event.Const, Arg: identity(write)}}}
}

package dominate

import (
	"golang.org/x/tools/go/ssa"
)

// Available covers: each path to the access has a cover, but none of the covers dominates
// it. So a removed check may have several covers (Fate.More). Calls whose callee leaves
// the check made count as covers, too.
//
// The search goes backwards from the access. On each path it ends at a cover, or at the
// access itself: the access of an earlier round has the covers of the paths to it. It
// fails at an instruction that separates steps, at the entry of the function, and where a
// value is computed on which the address depends, since behind that point an equal
// expression may be another address.

// available looks for covers on all paths to instruction here of g.
func (s *search) available(g *function, here ssa.Instruction, addr view) bool {
	w := backwards{paths: s.d.paths, here: here, covers: s.candidates(g, here, addr), stop: map[ssa.Instruction]bool{}}
	if len(w.covers) < 2 {
		return false
	}
	if !addr.leaves(func(v ssa.Value) {
		if in, ok := v.(ssa.Instruction); ok {
			w.stop[in] = true
		}
	}) {
		return false
	}
	on, failed := w.scan(here.Block(), s.d.paths.places.Of(here))
	if failed || !on {
		return false // a cover in the same block dominates the access
	}
	if !w.blocks(here.Block().Preds) || len(w.found) == 0 {
		return false
	}
	for _, c := range w.found {
		if !s.note(c) {
			return false
		}
	}
	return true
}

// backwards is a walk from an access on all paths to it.
type backwards struct {
	paths  *paths
	here   ssa.Instruction
	covers map[ssa.Instruction]*access // where a path ends
	stop   map[ssa.Instruction]bool    // where a value of the address is computed, and the search fails
	found  []*access
}

// blocks scans blocks, and those in front of them. It returns false if the search fails.
func (w *backwards) blocks(list []*ssa.BasicBlock) bool {
	work := append([]*ssa.BasicBlock(nil), list...)
	seen := map[*ssa.BasicBlock]bool{}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		on, failed := w.scan(b, len(b.Instrs))
		if failed {
			return false
		}
		if on {
			work = append(work, b.Preds...)
		}
	}
	return true
}

// scan goes backwards through the first n instructions of a block. It returns whether the
// path goes on in front of the block, and whether the search has failed.
func (w *backwards) scan(b *ssa.BasicBlock, n int) (on, failed bool) {
	sync := w.paths.block(b)
	for i := n - 1; i >= 0; i-- {
		in := b.Instrs[i]
		if c := w.covers[in]; c != nil {
			w.found = append(w.found, c)
			return false, false
		}
		if w.stop[in] || !sameStep(in, sync[i]) {
			return false, true
		}
		if in == w.here {
			return false, false
		}
	}
	return true, len(b.Preds) == 0
}

// candidates returns the accesses, and the calls that make accesses for certain, that cover
// the address wherever they stand on a path to instruction here of g.
func (s *search) candidates(g *function, here ssa.Instruction, addr view) map[ssa.Instruction]*access {
	d := s.d
	covers := map[ssa.Instruction]*access{}
	for p, ok := addr, true; ok; p, ok = p.outer() {
		n := g.num.view(p)
		for _, c := range g.byAddr[n] {
			if covers[c.Instr] != nil || !s.may(c) || !identical(g, p, view{c.Addr, nil}, new(int)) {
				continue
			}
			t := d.a.Sites.List[c.site]
			if nosplit(g.fn) || !c.write && d.stmts.togetherAt(t.Pos, here.Pos()) && d.stmts.delayed(t, g.fn, anyCall) {
				continue
			}
			covers[c.Instr] = c
		}
		for _, c := range d.called(g.fn) {
			if c == here || covers[c] != nil {
				continue
			}
			for _, e := range d.left(g, c)[n] {
				if s.may(e.access) && identical(g, p, view{e.Addr, e.in}.within(c), new(int)) {
					covers[c] = e.access
					break
				}
			}
		}
	}
	return covers
}

// identical reports whether x and y are computed alike from the same values, without
// another load from memory.
func identical(g *function, x, y view, parts *int) bool {
	if *parts++; *parts > maxParts {
		return false
	}
	x, y = x.resolve(), y.resolve()
	if len(x.in)+len(y.in) == 0 && x.v == y.v {
		return true
	}
	if _, ok := isLoad(x.v); ok || g.num.view(x) != g.num.view(y) {
		return false
	}
	xs, ys := operands(x.v), operands(y.v)
	if len(xs) != len(ys) || len(xs) == 0 {
		_, constant := x.v.(*ssa.Const)
		return constant && len(ys) == 0
	}
	for i := range xs {
		if !identical(g, view{xs[i], x.in}, view{ys[i], y.in}, parts) {
			return false
		}
	}
	return true
}

// leaves calls f for the values of the function around that the address is computed from:
// those that are not computed again from others, and loads. It returns false if callees
// compute such a value, or if there are more than maxParts.
func (x view) leaves(f func(ssa.Value)) bool {
	n, ok := 0, true
	x.parts(func(y view) bool {
		n++
		_, load := isLoad(y.v)
		_, constant := y.v.(*ssa.Const)
		if len(y.in) > 0 && !constant && (load || !keyed(y.v)) || n > maxParts {
			ok = false
		} else if load || !keyed(y.v) {
			f(y.v)
		}
		return ok
	})
	return ok
}

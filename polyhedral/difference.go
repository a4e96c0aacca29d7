package polyhedral

import (
	"fmt"
	"slices"
)

// maxCut bounds the pieces that replace a piece from which another piece is removed.
const maxCut = 3

// without returns s without the elements of t. It keeps a whole piece if the difference
// is not exact or would cut the piece into many.
func (s *Set) without(t *Set) (out *Set, err error) {
	defer catch(&err)
	a, b, err := align(s, t)
	if err != nil {
		return nil, err
	}
	out = a.merged(b)
	rest := a.pieces
	for _, q := range b.pieces {
		var next []piece
		for _, p := range rest {
			cut, exact := out.minus(p, q)
			if !exact || len(cut) > maxCut {
				cut = []piece{p}
			}
			next = append(next, cut...)
		}
		rest = next
	}
	out.pieces = rest
	out.reduce()
	return out, nil
}

// empty returns a set without pieces in the space of s.
func (s *Set) empty() *Set {
	out := *s
	out.pieces = nil
	return &out
}

// align brings two sets of one array into a common space.
func align(a, b *Set) (*Set, *Set, error) {
	if !a.array.equal(b.array) {
		return nil, nil, fmt.Errorf("polyhedral: sets of different arrays %s and %s", a.array.Name, b.array.Name)
	}
	common := a.shape
	if !a.shape.equal(b.shape) { // flat subscripts with different multipliers
		common = flatShape(a.array, slices.Concat(a.mults, b.mults))
	}
	params := slices.Clone(a.params)
	for _, m := range b.params {
		params = symbolMonomials(params, Expr{terms: []summand{{m, 1}}})
	}
	assume := slices.Clone(a.assume)
	for _, c := range b.assume {
		assume = addCond(assume, c)
	}
	x, y := a.lift(common, params), b.lift(common, params)
	x.assume, y.assume = assume, assume
	return x, y, nil
}

// lift moves a set into a space with more coordinates, which are 0 on the set, and with
// more parameters.
func (s *Set) lift(to shape, params []monomial) *Set {
	out := *s
	out.shape, out.params, out.pieces = to, params, nil
	target := make([]int, s.firstExist())
	for i, m := range s.params {
		at, _ := slices.BinarySearchFunc(params, m, compareMonomials)
		target[1+i] = 1 + at
	}
	isNew := make([]bool, to.dims())
	for i := range isNew {
		isNew[i] = i >= to.array.Rows
	}
	for i := range s.array.Rows {
		target[s.firstDim()+i] = out.firstDim() + i
	}
	for i, m := range s.mults {
		at := slices.IndexFunc(to.mults, func(o monomial) bool { return o.key == m.key })
		if len(to.array.Sizes) > 0 {
			at = i
		}
		target[s.firstDim()+s.array.Rows+i] = out.firstDim() + to.array.Rows + at
		isNew[to.array.Rows+at] = false
	}
	for _, p := range s.pieces {
		width := out.firstExist() + p.exist
		sys := p.columns(func(r row) row {
			n := make(row, width)
			for i, c := range r {
				if i < len(target) {
					n[target[i]] = c
				} else {
					n[out.firstExist()+i-len(target)] = c
				}
			}
			return n
		})
		for i, isNew := range isNew {
			if isNew {
				r := make(row, width)
				r[out.firstDim()+i] = 1
				sys.eq = append(sys.eq, r)
			}
		}
		out.pieces = append(out.pieces, piece{sys, p.exist})
	}
	return &out
}

// merged returns an empty set in the space of s with the guards of both s and t.
func (s *Set) merged(t *Set) *Set {
	out := s.empty()
	out.OneToOne = s.OneToOne && t.OneToOne
	out.Guard = slices.Clone(s.Guard)
	for _, g := range t.Guard {
		out.Guard = addCond(out.Guard, g)
	}
	return out
}

// minus returns p without q as disjoint pieces: for each constraint of q, the points of
// p that satisfy the constraints before it and break this one. Result ok is false if
// the difference is not exact.
func (s *Set) minus(p, q piece) (out []piece, ok bool) {
	if q.exist > 0 {
		return nil, false
	}
	width := s.firstExist() + p.exist
	into := s.empty()
	rest := p.system.clone()
	cut := func(r row) { // adds the points of rest that break r >= 0 to the result, and removes them from rest
		broken := rest.clone()
		broken.ge = append(broken.ge, complement(r))
		into.add(piece{broken, p.exist})
		rest.ge = append(rest.ge, r)
	}
	for _, r := range q.eq {
		r = widened(r, width)
		cut(r)
		cut(negated(r))
	}
	for _, c := range q.cg {
		if rest.impliesCongruence(congruence{widened(c.row, width), c.mod}) {
			continue
		}
		if c.mod > maxResidues {
			return nil, false
		}
		for k := int64(1); k < c.mod; k++ {
			r := widened(c.row, width)
			r[0] = mustAdd(r[0], k)
			broken := rest.clone()
			broken.cg = append(broken.cg, congruence{r, c.mod})
			into.add(piece{broken, p.exist})
		}
		rest.cg = append(rest.cg, congruence{widened(c.row, width), c.mod})
	}
	for _, r := range q.ge {
		cut(widened(r, width))
	}
	return into.pieces, true
}

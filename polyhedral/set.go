package polyhedral

import (
	"errors"
	"fmt"
	"slices"
)

// maxPieces bounds the cuts that make the pieces of a set disjoint, and a quarter of
// the number of its pieces.
const maxPieces = 32

// maxColumns bounds the parameters and coordinates of a set. The time for a set grows at least with
// their third power: an element of a slice of 250 dimensions took minutes.
const maxColumns = 40

// Set is a set of elements of one array, for all values of the symbols. It is a union
// of pieces. Each piece is a conjunction of affine constraints and congruences over the
// coordinates of the array, possibly with existential iterators.
type Set struct {
	shape
	assume []Cond
	params []monomial
	pieces []piece
	// Guard has conditions on symbols. If they hold, different coordinates are
	// different elements. It has no condition where that is proved. A scan is exact in
	// any case, but may visit an element twice if a guard does not hold. OneToOne is
	// false if there is neither a proof nor a condition, or if pieces overlap.
	Guard    []Cond
	OneToOne bool
}

// piece is a system over the constant, the parameters, the coordinates, and existential
// iterators, whose number is exist.
type piece struct {
	*system
	exist int
}

func (s *Set) firstDim() int   { return 1 + len(s.params) }
func (s *Set) firstExist() int { return s.firstDim() + s.dims() }

// Image returns the union of the images of the accesses, all of which are to one array.
// It refuses subscripts that are not sums of products of affine forms and symbols.
func Image(accesses ...Access) (s *Set, err error) {
	defer catch(&err)
	if len(accesses) == 0 {
		return nil, errors.New("polyhedral: no access")
	}
	s = &Set{OneToOne: true}
	for _, a := range accesses {
		a.check()
		if !a.Array.equal(accesses[0].Array) {
			return nil, fmt.Errorf("polyhedral: accesses to %s and %s in one set", accesses[0].Array.Name, a.Array.Name)
		}
		for _, c := range a.Domain.assume {
			if c.rel == ge || c.rel == eq {
				s.addAssumption(c)
			}
		}
	}
	s.shape = shapeOf(accesses)
	var images []image
	for _, a := range accesses {
		images = append(images, s.images(a)...)
	}
	for k := 1; k < len(s.mults); k++ {
		if ratio, ok := s.ratio(k); ok {
			s.params = symbolMonomials(s.params, ratio)
		}
	}
	for k := range s.mults {
		s.params = symbolMonomials(s.params, s.multiplier(k))
	}
	for _, c := range s.assume {
		s.params = symbolMonomials(s.params, c.e)
	}
	for _, im := range images {
		s.params = symbolMonomials(s.params, im.coords...)
		s.params = symbolMonomials(s.params, im.ge...)
		s.params = symbolMonomials(s.params, im.eq...)
	}
	if len(s.params)+s.dims() > maxColumns {
		refuse(errLarge)
	}
	for i := range images {
		s.addImage(&images[i])
	}
	s.reduce()
	return s, nil
}

func (s *Set) addAssumption(c Cond) {
	if c.e.bad {
		refuse(ErrOverflow)
	}
	if !c.e.isSymbolic() {
		refuse(fmt.Errorf("polyhedral: assumption %s is not on symbols", c))
	}
	s.assume = addCond(s.assume, c)
}

// context returns the assumptions as rows of the given width.
func (s *Set) context(width int) (out []row) {
	if len(s.assume) == 0 {
		return nil
	}
	cols := newColumns(s.params, 0, nil)
	for _, c := range s.assume {
		r := widened(cols.row(c.e), width)
		out = append(out, r)
		if c.rel == eq {
			out = append(out, negated(r))
		}
	}
	return out
}

// addImage appends the projection of one image.
func (s *Set) addImage(im *image) {
	named := newColumns(s.params, 0, im.counters)
	guard, found := s.injective(im, named, s.context(named.width))
	s.OneToOne = s.OneToOne && found
	for _, g := range guard {
		s.Guard = addCond(s.Guard, g)
	}
	cols := newColumns(s.params, s.dims(), im.counters)
	sys := cols.domain(im.part, nil)
	for k, e := range im.coords {
		r := negated(cols.row(e))
		r[s.firstDim()+k] = 1
		sys.eq = append(sys.eq, r)
	}
	s.addProjection(sys, cols.width)
}

// addProjection appends a system after it has eliminated as many existentials as it
// can.
func (s *Set) addProjection(sys *system, width int) {
	sys, width, possible := sys.eliminate(s.firstExist(), width)
	if possible {
		s.add(piece{sys, width - s.firstExist()})
	}
}

// add appends a piece in reduced form unless the piece is provably empty.
func (s *Set) add(p piece) {
	sys := p.system.clone()
	if !sys.normalize() {
		return
	}
	context := s.context(s.firstExist() + p.exist)
	if (&system{slices.Concat(sys.ge, context), sys.eq, sys.cg}).infeasible() {
		return
	}
	sys.dropRedundant(context)
	s.pieces = append(s.pieces, piece{sys, p.exist})
	if len(s.pieces) > maxPieces*4 {
		refuse(errLarge)
	}
}

// IsEmpty reports whether the set is provably empty for all values of its symbols.
func (s *Set) IsEmpty() bool { return len(s.pieces) == 0 }

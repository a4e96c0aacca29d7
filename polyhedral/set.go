package polyhedral

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrInexact is why a difference or an intersection was refused: an iterator
// could not be eliminated exactly.
var ErrInexact = errors.New("polyhedral: an existential iterator stands in the way")

// maxPieces bounds the pieces a set may be cut into.
const maxPieces = 32

// Set is a set of elements of one array, for all values of the symbols: a union
// of pieces, each a conjunction of affine constraints and congruences over the
// array's coordinates, possibly with existential iterators.
type Set struct {
	shape
	assume []Cond
	params []monomial
	pieces []piece
	// Guard holds conditions on symbols under which different coordinates are
	// different elements, where that is not known otherwise. A scan is exact
	// without them, but may visit an element twice. OneToOne is false where not
	// even conditions were found.
	Guard    []Cond
	OneToOne bool
}

// piece is a system over constant, parameters, coordinates and exist iterators.
type piece struct {
	*system
	exist int
}

func (s *Set) firstDim() int   { return 1 + len(s.params) }
func (s *Set) firstExist() int { return s.firstDim() + s.dims() }

// Image returns what the accesses, all to one array, reach: the union of the
// images of their domains. Subscripts that are no sum of affine forms times
// products of symbols are refused.
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
	if !slices.ContainsFunc(s.assume, func(o Cond) bool { return o.rel == c.rel && o.e.Equal(c.e) }) {
		s.assume = append(s.assume, c)
	}
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
	guard, known := s.injective(im, named, s.context(named.width))
	s.OneToOne = s.OneToOne && known
	for _, g := range guard {
		if !slices.ContainsFunc(s.Guard, func(o Cond) bool { return o.rel == g.rel && o.e.Equal(g.e) }) {
			s.Guard = append(s.Guard, g)
		}
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

// addProjection appends a system after eliminating what existentials it can.
func (s *Set) addProjection(sys *system, width int) {
	sys, width, possible := sys.eliminate(s.firstExist(), width)
	if possible {
		s.add(piece{sys, width - s.firstExist()})
	}
}

// add appends a piece in reduced form unless it is known to be empty.
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

// IsEmpty says that the set is proved to be empty for all values of its symbols.
func (s *Set) IsEmpty() bool { return len(s.pieces) == 0 }

// Array returns the array the set's elements are of.
func (s *Set) Array() Array { return s.array }

// empty returns a set without pieces in the same space.
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
		common.mults = slices.Clone(a.mults)
		for _, m := range b.mults {
			if !slices.ContainsFunc(common.mults, func(o monomial) bool { return o.key == m.key }) {
				common.mults = append(common.mults, m)
			}
		}
		slices.SortFunc(common.mults, func(x, y monomial) int { return compareMonomials(y, x) })
		common.scale = make([]int64, len(common.mults))
		for i := range common.scale {
			common.scale[i] = 1
		}
	}
	params := slices.Clone(a.params)
	for _, m := range b.params {
		params = symbolMonomials(params, Expr{terms: []termOf{{m, 1}}})
	}
	assume := slices.Clone(a.assume)
	for _, c := range b.assume {
		if !slices.ContainsFunc(assume, func(o Cond) bool { return o.rel == c.rel && o.e.Equal(c.e) }) {
			assume = append(assume, c)
		}
	}
	x, y := a.lift(common, params), b.lift(common, params)
	x.assume, y.assume = assume, assume
	return x, y, nil
}

// lift moves a set into a space with more coordinates (0 where new) and
// parameters.
func (s *Set) lift(to shape, params []monomial) *Set {
	out := *s
	out.shape, out.params, out.pieces = to, params, nil
	where := make([]int, s.firstExist())
	for i, m := range s.params {
		at, _ := slices.BinarySearchFunc(params, m, compareMonomials)
		where[1+i] = 1 + at
	}
	isNew := make([]bool, to.dims())
	for i := range isNew {
		isNew[i] = i >= to.array.Rows
	}
	for i := range s.array.Rows {
		where[s.firstDim()+i] = out.firstDim() + i
	}
	for i, m := range s.mults {
		at := slices.IndexFunc(to.mults, func(o monomial) bool { return o.key == m.key })
		if len(to.array.Sizes) > 0 {
			at = i
		}
		where[s.firstDim()+s.array.Rows+i] = out.firstDim() + to.array.Rows + at
		isNew[to.array.Rows+at] = false
	}
	for _, p := range s.pieces {
		width := out.firstExist() + p.exist
		sys := p.columns(func(r row) row {
			n := make(row, width)
			for i, c := range r {
				if i < len(where) {
					n[where[i]] = c
				} else {
					n[out.firstExist()+i-len(where)] = c
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

// Union returns the elements of s or t.
func (s *Set) Union(t *Set) (out *Set, err error) {
	defer catch(&err)
	a, b, err := align(s, t)
	if err != nil {
		return nil, err
	}
	out = a.merged(b)
	out.pieces = slices.Concat(a.pieces, b.pieces)
	out.reduce()
	return out, nil
}

// merged returns an empty set with what s and t both say of their space.
func (s *Set) merged(t *Set) *Set {
	out := s.empty()
	out.OneToOne = s.OneToOne && t.OneToOne
	out.Guard = slices.Clone(s.Guard)
	for _, g := range t.Guard {
		if !slices.ContainsFunc(out.Guard, func(o Cond) bool { return o.rel == g.rel && o.e.Equal(g.e) }) {
			out.Guard = append(out.Guard, g)
		}
	}
	return out
}

// errAlias refuses operations that need different coordinates to be different
// elements.
var errAlias = errors.New("polyhedral: an element may have several coordinates")

// Intersect returns the elements of s and t. Where an element may have several
// coordinates, so that s and t could meet unseen, it is refused; where Guard of
// the result is not empty it is right under these conditions.
func (s *Set) Intersect(t *Set) (out *Set, err error) {
	defer catch(&err)
	a, b, err := align(s, t)
	if err != nil {
		return nil, err
	}
	out = a.merged(b)
	if !out.OneToOne || !s.shape.equal(t.shape) {
		return nil, errAlias
	}
	for _, p := range a.pieces {
		for _, q := range b.pieces {
			first := a.firstExist()
			width := first + p.exist + q.exist
			x := p.columns(func(r row) row { return widened(r, width) })
			y := q.columns(func(r row) row {
				n := make(row, width)
				copy(n, r[:first])
				copy(n[first+p.exist:], r[first:])
				return n
			})
			x.ge, x.eq, x.cg = append(x.ge, y.ge...), append(x.eq, y.eq...), append(x.cg, y.cg...)
			out.addProjection(x, width)
		}
	}
	out.reduce()
	return out, nil
}

// Subtract returns the elements of s without those of t, by coordinates: where
// an element may have several, one that is in t may stay. It is refused where t
// has existentials.
func (s *Set) Subtract(t *Set) (*Set, error) {
	return s.cut(t, maxPieces, func(_ piece, cut []piece, exact bool) ([]piece, error) {
		if !exact {
			return nil, ErrInexact
		}
		return cut, nil
	})
}

// cut takes the pieces of t out of those of s, one by one. left decides what stays
// of piece p, of which exactly the pieces cut would if that can be told. More than
// most pieces are refused.
func (s *Set) cut(t *Set, most int, left func(p piece, cut []piece, exact bool) ([]piece, error)) (out *Set, err error) {
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
			list, err := left(p, cut, exact)
			if err != nil {
				return nil, err
			}
			next = append(next, list...)
		}
		if rest = next; len(rest) > most {
			return nil, errLarge
		}
	}
	out.pieces = rest
	out.reduce()
	return out, nil
}

// minus returns p without q as disjoint pieces: for each constraint of q the part
// of p that keeps those before it and breaks this one.
func (s *Set) minus(p, q piece) (out []piece, ok bool) {
	if q.exist > 0 {
		return nil, false
	}
	width := s.firstExist() + p.exist
	into := s.empty()
	rest := p.system.clone()
	cut := func(r row) { // rest where r >= 0 does not hold; and goes on where it does
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

// Rows returns the rows that have elements in the set, as elements of the array
// that the first depth subscripts make: Rows(1) of a [][]T are the slice headers
// a[c0]. depth is from 1 to Array.Rows.
func (s *Set) Rows(depth int) (out *Set, err error) {
	defer catch(&err)
	if depth < 1 || depth > s.array.Rows {
		return nil, fmt.Errorf("polyhedral: %s has %d row subscripts, not %d", s.array.Name, s.array.Rows, depth)
	}
	return s.project(depth), nil
}

// project keeps the first depth coordinates.
func (s *Set) project(depth int) *Set {
	out := &Set{assume: s.assume, params: s.params, OneToOne: true}
	out.shape = shape{Array{Name: s.array.Name, Rows: depth - 1}, []monomial{{}}, []int64{1}}
	for _, p := range s.pieces {
		out.addProjection(p.system, s.firstExist()+p.exist)
	}
	out.reduce()
	return out
}

// Contains says whether coordinates x (rows first) are in the set for these
// values of the symbols. It is refused where existentials are left.
func (s *Set) Contains(value func(Var) (int64, bool), x []int64) (in bool, err error) {
	defer catch(&err)
	if len(x) != s.dims() {
		return false, fmt.Errorf("polyhedral: %d coordinates, not %d", s.dims(), len(x))
	}
	point := row{1}
	for _, m := range s.params {
		point = append(point, Expr{terms: []termOf{{m, 1}}}.eval(value))
	}
	point = append(point, x...)
	for _, p := range s.pieces {
		if p.exist > 0 {
			return false, ErrInexact
		}
		if p.holds(point) {
			return true, nil
		}
	}
	return false, nil
}

// holds evaluates a system at a point; point[0] is 1.
func (s *system) holds(point row) bool {
	dot := func(r row) (sum int64) {
		for i, c := range r {
			sum = mustAdd(sum, mustMul(c, point[i]))
		}
		return sum
	}
	for _, r := range s.ge {
		if dot(r) < 0 {
			return false
		}
	}
	for _, r := range s.eq {
		if dot(r) != 0 {
			return false
		}
	}
	for _, c := range s.cg {
		if mod(dot(c.row), c.mod) != 0 {
			return false
		}
	}
	return true
}

// dimName names coordinate k in text.
func (s *Set) dimName(k int) string { return fmt.Sprintf("c%d", k) }

// String prints the set as { a[c0, c1] : constraints }, one line for each piece.
func (s *Set) String() string {
	if len(s.pieces) == 0 {
		return "{ }"
	}
	var lines []string
	for _, p := range s.pieces {
		lines = append(lines, s.pieceText(p))
	}
	return strings.Join(lines, "\n")
}

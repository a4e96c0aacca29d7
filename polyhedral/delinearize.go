package polyhedral

import (
	"fmt"
	"slices"
)

// Delinearization splits a flat subscript such as i*n + j into coordinates: one for
// each product of symbols that multiplies an iterator (here n), by falling degree, and
// one for 1. The element is the sum of the products of coordinates and multipliers for
// all values of the coordinates, so sets over coordinates are exact without any
// condition. Different coordinates are different elements only if each lower coordinate
// stays in [0, r), where r is the multiplier above it divided by its own multiplier
// (here 0 <= j < n). Otherwise a scan may visit an element twice.

// image is one part of the domain of an access with the coordinates of the access
// there, rows first.
type image struct {
	part
	coords []Expr
}

// symbolsOf splits a monomial into its iterator, if any, and its symbols.
func symbolsOf(t monomial) (iter *Var, symbols monomial) {
	var rest []Var
	for i, v := range t.vars {
		if v.Kind == Iterator {
			if iter != nil {
				refuse(fmt.Errorf("%w: %s", ErrNotAffine, Expr{terms: []summand{{t, 1}}}))
			}
			iter = &t.vars[i]
		} else {
			rest = append(rest, v)
		}
	}
	return iter, newMonomial(rest)
}

// shapeOf finds the coordinates that all accesses of an array share.
func shapeOf(accesses []Access) shape {
	array := accesses[0].Array
	s := shape{array: array}
	if len(array.Sizes) > 0 {
		product := Const(1)
		for i := len(array.Sizes); i >= 0; i-- {
			if len(product.terms) != 1 {
				refuse(ErrOverflow)
			}
			s.mults = append([]monomial{product.terms[0].monomial}, s.mults...)
			s.scale = append([]int64{product.terms[0].coef}, s.scale...)
			if i > 0 {
				product = product.Mul(array.Sizes[i-1])
			}
		}
		return s
	}
	mults := []monomial{{}}
	for _, a := range accesses {
		for _, p := range a.Domain.split() {
			for _, t := range p.resolve(a.Subs[len(a.Subs)-1]).terms {
				iter, symbols := symbolsOf(t.monomial)
				if iter != nil {
					mults = append(mults, symbols)
				}
			}
		}
	}
	return flatShape(array, mults)
}

// flatShape returns the shape of flat subscripts with multipliers, some of which may be equal.
func flatShape(array Array, mults []monomial) shape {
	slices.SortFunc(mults, func(a, b monomial) int { return compareMonomials(b, a) })
	mults = slices.CompactFunc(mults, func(a, b monomial) bool { return a.key == b.key })
	return shape{array, mults, slices.Repeat([]int64{1}, len(mults))}
}

// images returns the parts of an access with their coordinates in s.
func (s shape) images(a Access) (out []image) {
	for _, p := range a.Domain.split() {
		im := image{part: p}
		for _, e := range a.Subs[:len(a.Subs)-1] {
			im.coords = append(im.coords, p.resolve(e))
		}
		last := p.resolve(a.Subs[len(a.Subs)-1])
		if len(s.array.Sizes) > 0 {
			im.coords = append(im.coords, last)
		} else {
			im.coords = append(im.coords, s.coordinates(last)...)
		}
		for _, e := range im.coords {
			if !e.isAffine() {
				refuse(fmt.Errorf("%w: subscript %s of %s", ErrNotAffine, e, s.array.Name))
			}
		}
		out = append(out, im)
	}
	return out
}

// coordinates splits the flat subscript e.
func (s shape) coordinates(e Expr) []Expr {
	out := make([]Expr, len(s.mults))
	for _, t := range e.terms {
		iter, symbols := symbolsOf(t.monomial)
		for k, m := range s.mults {
			rest, divides := symbols.over(m)
			if !divides || iter != nil && symbols.key != m.key {
				continue
			}
			if iter != nil {
				rest = newMonomial([]Var{*iter})
			}
			out[k] = out[k].Add(Expr{terms: []summand{{rest, t.coef}}})
			break
		}
	}
	return out
}

// ratio returns the multiplier of coordinate k-1 divided by the multiplier of
// coordinate k.
func (s shape) ratio(k int) (Expr, bool) {
	m, ok := s.mults[k-1].over(s.mults[k])
	if !ok || s.scale[k-1]%s.scale[k] != 0 {
		return Expr{}, false
	}
	return Expr{terms: []summand{{m, s.scale[k-1] / s.scale[k]}}}, true
}

// carries are the amounts to carry into the next coordinate that injective tries.
var carries = [...]int64{0, 1, -1, 2, -2}

// injective carries between the coordinates of im until each lower coordinate is in its
// range. Where it cannot prove the range, it returns conditions on symbols that imply
// it. Result found is false if some range has neither a proof nor a condition.
func (s shape) injective(im *image, cols *columns, assume []row) (guard []Cond, found bool) {
	found = true
	if len(s.array.Sizes) > 0 {
		return nil, true // subscripts are below the sizes
	}
	for k := len(s.mults) - 1; k > 0; k-- {
		ratio, ok := s.ratio(k)
		if !ok {
			found = false
			continue
		}
		at := s.array.Rows + k
		domain := cols.domain(im.part, assume)
		proved := false
		for _, c := range carries {
			low := im.coords[at].Add(ratio.Scale(c))
			if domain.implies(cols.row(low)) && domain.implies(cols.row(ratio.Sub(low).Plus(-1))) {
				im.coords[at] = low
				im.coords[at-1] = im.coords[at-1].Plus(-c)
				proved = true
				break
			}
		}
		if proved {
			continue
		}
		low := im.coords[at]
		if !domain.implies(cols.row(low)) {
			if c, ok := cols.boundedBy(domain, low, Expr{}, false); ok {
				guard = append(guard, c)
			} else {
				found = false
			}
		}
		if !domain.implies(cols.row(ratio.Sub(low).Plus(-1))) {
			if c, ok := cols.boundedBy(domain, low, ratio, true); ok {
				guard = append(guard, c)
			} else {
				found = false
			}
		}
	}
	return guard, found
}

package polyhedral

import (
	"fmt"
	"slices"
)

// Array describes how subscripts find an element.
//
// The first Rows subscripts choose a row. Each of them indexes a slice of slices, whose
// rows may lie anywhere in memory. The other subscripts are flattened: Sizes has the
// sizes s1, s2, ... of all but the first of them, so that a[r][i][j] is element i*s1 +
// j of row r. A slice has Rows 0 and no sizes, a [][]T has Rows 1, and a [N][M]T has
// Rows 0 and the size M.
//
// Subscripts are below the sizes, since a program in which they are not panics.
type Array struct {
	Name  string
	Rows  int
	Sizes []Expr // symbolic
}

// rank is the number of subscripts.
func (a Array) rank() int { return a.Rows + len(a.Sizes) + 1 }

func (a Array) equal(b Array) bool {
	return a.Name == b.Name && a.Rows == b.Rows && slices.EqualFunc(a.Sizes, b.Sizes, Expr.Equal)
}

// Access is one reference of a statement to an array.
type Access struct {
	Array  Array
	Subs   []Expr
	Write  bool
	Domain Domain
}

// shape is the space in which the accesses of an array are compared. It has Rows
// coordinates that choose a row, then one coordinate for each multiplier. Coordinates x
// name the element sum x[k]*mults[k] of the row. Multipliers are monomials of symbols
// (or sizes of the array) by falling degree; the last is 1.
type shape struct {
	array Array
	mults []monomial
	scale []int64 // product of the constant sizes; 1 without sizes
}

// dims returns the number of coordinates, including those that choose a row.
func (s shape) dims() int { return s.array.Rows + len(s.mults) }

// multiplier returns the multiplier of coordinate Rows+k.
func (s shape) multiplier(k int) Expr {
	return Expr{terms: []summand{{s.mults[k], s.scale[k]}}}
}

func (s shape) equal(o shape) bool {
	return s.array.equal(o.array) && slices.Equal(s.scale, o.scale) &&
		slices.EqualFunc(s.mults, o.mults, func(a, b monomial) bool { return a.key == b.key })
}

// check refuses an access that does not fit its array.
func (a Access) check() {
	if len(a.Subs) != a.Array.rank() || a.Array.Rows < 0 {
		refuse(fmt.Errorf("polyhedral: %s has %d subscripts, not %d", a.Array.Name, a.Array.rank(), len(a.Subs)))
	}
	for _, e := range a.Array.Sizes {
		if !e.isSymbolic() || len(e.terms) != 1 || e.terms[0].coef < 0 {
			refuse(fmt.Errorf("polyhedral: size %s of %s is not a positive product of symbols", e, a.Array.Name))
		}
	}
}

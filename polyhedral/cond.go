package polyhedral

import "slices"

// relation compares an expression with zero.
type relation uint8

const (
	ge       relation = iota // e >= 0
	eq                       // e == 0
	ne                       // e != 0
	multiple                 // e is a multiple of mod
)

// Cond is a condition on symbols and iterators.
type Cond struct {
	rel  relation
	e    Expr
	mod  int64 // modulus of multiple, > 0
	a, b Expr  // the operands of the constructor, for printing
	op   string
}

// LT returns a < b.
func LT(a, b Expr) Cond { return Cond{rel: ge, e: b.Sub(a).Plus(-1), a: a, b: b, op: "<"} }

// LE returns a <= b.
func LE(a, b Expr) Cond { return Cond{rel: ge, e: b.Sub(a), a: a, b: b, op: "<="} }

// GT returns a > b.
func GT(a, b Expr) Cond { return Cond{rel: ge, e: a.Sub(b).Plus(-1), a: a, b: b, op: ">"} }

// GE returns a >= b.
func GE(a, b Expr) Cond { return Cond{rel: ge, e: a.Sub(b), a: a, b: b, op: ">="} }

// EQ returns a == b.
func EQ(a, b Expr) Cond { return Cond{rel: eq, e: a.Sub(b), a: a, b: b, op: "=="} }

// NE returns a != b.
func NE(a, b Expr) Cond { return Cond{rel: ne, e: a.Sub(b), a: a, b: b, op: "!="} }

// Multiple returns the condition that e is a multiple of m. The sign of m does not
// matter, and the only multiple of 0 is 0.
func Multiple(e Expr, m int64) Cond {
	if m == 0 {
		return EQ(e, Expr{})
	}
	if m < 0 {
		if m = -m; m < 0 { // the lowest int64 has no opposite
			e.bad = true
		}
	}
	return Cond{rel: multiple, e: e, mod: m, a: e, b: Const(m), op: "mod"}
}

// sameAs reports whether two conditions compare the same expression with 0 in the same way. Neither is multiple.
func (c Cond) sameAs(o Cond) bool { return c.rel == o.rel && c.e.Equal(o.e) }

// addCond appends a condition unless there is one like it.
func addCond(list []Cond, c Cond) []Cond {
	if slices.ContainsFunc(list, c.sameAs) {
		return list
	}
	return append(list, c)
}

// Expr returns the expression that the condition compares with 0.
func (c Cond) Expr() Expr { return c.e }

// String prints the condition in the form in which it was constructed.
func (c Cond) String() string {
	if c.rel == multiple {
		return c.b.String() + " | " + c.a.String()
	}
	return c.a.String() + " " + c.op + " " + c.b.String()
}

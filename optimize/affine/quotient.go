package affine

import (
	"fmt"
	"go/ast"
	"go/token"
	"math/bits"

	"taskinstr/polyhedral"
)

// Divisions by constants, shifts and masks, such as dst[i>>3], hex[i/2] and ring[i&15], are
// affine in a quotient: an iterator with one value, x divided by a number and rounded down.
// Go rounds divisions to zero. So the code in front of the nest tests that the operand of /
// and % is not negative; >> rounds down, and & is the remainder of that.

// A quotient is x divided by a number and rounded down.
type quotient struct {
	name string // of the iterator
	x    polyhedral.Expr
	by   int64
}

// quotient returns the quotient of x and c, for c > 0.
func (n *nest) quotient(x polyhedral.Expr, c int64) polyhedral.Expr {
	if c == 1 {
		return x
	}
	for _, q := range n.quotients {
		if q.by == c && q.x.Equal(x) {
			return polyhedral.Iter(q.name)
		}
	}
	q := quotient{fmt.Sprintf("d%d", len(n.quotients)), x, c}
	n.quotients = append(n.quotients, q)
	return polyhedral.Iter(q.name)
}

// divided returns x / c, x % c, x >> k or x & c as a polynomial.
func (n *nest) divided(e *ast.BinaryExpr) (x polyhedral.Expr, ok bool) {
	c, ok := n.constantOf(e.Y)
	if !ok {
		return x, false
	}
	const most = 1 << 31
	switch e.Op {
	case token.SHL, token.SHR:
		if c < 0 || c > 30 {
			return x, false
		}
		c = 1 << c
	case token.AND:
		if c < 0 || bits.OnesCount64(uint64(c)+1) != 1 {
			return x, false
		}
		c++
	}
	if c <= 0 || c > most {
		return x, false
	}
	if x, ok = n.affine(e.X); !ok {
		return x, false
	}
	switch e.Op {
	case token.SHL:
		return x.Scale(c), true
	case token.SHR:
		return n.quotient(x, c), true
	case token.AND:
		return x.Sub(n.quotient(x, c).Scale(c)), true
	}
	n.atLeast0(x)
	q := n.quotient(x, c)
	if e.Op == token.REM {
		return x.Sub(q.Scale(c)), true
	}
	return q, true
}

// withQuotients returns the domains with the quotients that the expressions use. ok is false if a
// domain cannot have them.
func (n *nest) withQuotients(doms []polyhedral.Domain, list []polyhedral.Expr) (out []polyhedral.Domain, ok bool) {
	used := map[int]bool{}
	var visit func(x polyhedral.Expr)
	visit = func(x polyhedral.Expr) {
		for _, v := range x.Vars() {
			for i, q := range n.quotients {
				if v.Kind == polyhedral.Iterator && v.Name == q.name && !used[i] {
					used[i] = true
					visit(q.x)
				}
			}
		}
	}
	for _, x := range list {
		visit(x)
	}
	if len(used) == 0 {
		return doms, true
	}
	for _, d := range doms {
		for i, q := range n.quotients { // the operand of a quotient may use earlier ones
			if !used[i] || d.Has(q.name) {
				continue
			}
			var err error
			if d, err = d.Quotient(q.name, q.x, q.by); err != nil {
				return nil, false
			}
		}
		out = append(out, d)
	}
	return out, true
}

// reference returns a reference to l in state st; its domains have the quotients that the
// subscripts use.
func (n *nest) reference(l location, st state) reference {
	doms, ok := n.withQuotients(st.doms, l.subs)
	if !ok {
		n.fail("a division that is not affine")
	}
	st.doms = doms
	return reference{location: l, st: st}
}

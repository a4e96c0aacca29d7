package affine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// affine returns e as a polynomial over iterators and symbols. Only arithmetic in signed
// types of 64 bits is expanded: the test of the symbols' magnitudes rules out that it
// wraps. A narrower or unsigned expression is a symbol as a whole.
func (n *nest) affine(e ast.Expr) (x polyhedral.Expr, ok bool) {
	e = ast.Unparen(e)
	if c := n.Info.Type(e).Value; c != nil {
		k, exact := constant.Int64Val(constant.ToInt(c))
		return polyhedral.Const(k), exact && c.Kind() == constant.Int
	}
	switch e := e.(type) {
	case *ast.Ident:
		if v, ok := n.Info.Use(e).(*types.Var); ok {
			if it, ok := n.iters[v]; ok {
				return polyhedral.Iter(it), true
			}
			if x, ok := n.now.ints[v]; ok {
				return n.named(x), true
			}
			if d := n.Definition(v); d != nil && n.Inside(v) && isExact(v.Type()) && !n.moving(d) {
				return n.affine(d)
			}
		}
	case *ast.BinaryExpr:
		if !isWide(n.Info.TypeOf(e)) {
			break
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL:
			a, b, ok := n.operandsOf(e)
			if !ok {
				break
			}
			switch e.Op {
			case token.ADD:
				return a.Add(b), true
			case token.SUB:
				return a.Sub(b), true
			}
			return a.Mul(b), true
		case token.QUO, token.REM, token.SHL, token.SHR, token.AND:
			if x, ok := n.symbol(e); ok {
				return x, true
			}
			return n.divided(e)
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB && isWide(n.Info.TypeOf(e)) {
			if a, ok := n.affine(e.X); ok {
				return a.Neg(), true
			}
		}
	case *ast.CallExpr:
		if r := n.Result(e); r != nil {
			return n.affine(r)
		}
		if n.Info.Type(e.Fun).IsBuiltin() && loop.BuiltinName(e) == "len" {
			if w, ok := n.windowOf(e.Args[0]); ok && w.known {
				return n.named(w.len), true
			}
		}
		// int(x) of an iterator of another type
		if tv := n.Info.Type(e.Fun); tv.IsType() && isWide(tv.Type) && isExact(n.Info.TypeOf(e.Args[0])) {
			if a, ok := n.affine(e.Args[0]); ok {
				return a, true
			}
		}
	}
	return n.symbol(e)
}

// operandsOf returns the operands of a binary expression as polynomials.
func (n *nest) operandsOf(e *ast.BinaryExpr) (x, y polyhedral.Expr, ok bool) {
	if x, ok = n.affine(e.X); ok {
		y, ok = n.affine(e.Y)
	}
	return x, y, ok
}

// symbol returns e as a symbol, if e is the same all through the nest.
func (n *nest) symbol(e ast.Expr) (x polyhedral.Expr, ok bool) {
	if !isExact(n.Info.TypeOf(e)) {
		return x, false
	}
	v, ok := n.Value(e)
	if !ok {
		return x, false
	}
	n.require(v.Conds)
	if !n.isSymbol[v.Text] {
		n.isSymbol[v.Text] = true
		n.symbols = append(n.symbols, v.Text)
	}
	return polyhedral.Sym(v.Text), true
}

// isWide reports whether t is a signed integer type of 64 bits.
func isWide(t types.Type) bool {
	k := kindOf(t)
	return k == types.Int || k == types.Int64 || k == types.UntypedInt
}

// kindOf returns the kind of a basic type, types.Invalid for all other types.
func kindOf(t types.Type) types.BasicKind {
	if t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok {
			return b.Kind()
		}
	}
	return types.Invalid
}

// isExact reports whether int(x) has the value of x for all x of type t.
func isExact(t types.Type) bool {
	switch kindOf(t) {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16, types.Uint32:
		return true
	}
	return isWide(t)
}

// split returns st restricted to where cond holds, and to where it does not. If cond is
// not affine, or the parts become too many, both are inexact.
func (n *nest) split(cond ast.Expr, st state) (yes, no state) {
	if t, ok := n.conditions(cond, true); ok {
		if f, ok := n.conditions(cond, false); ok {
			return n.where(st, t), n.where(st, f)
		}
	}
	st.exact = false
	return st, st
}

// maxParts bounds the number of disjoint parts of a statement's domain.
const maxParts = 4

// where returns st restricted to a disjunction of conjunctions, or inexact.
func (n *nest) where(st state, parts [][]polyhedral.Cond) state {
	var doms []polyhedral.Domain
	for _, conds := range parts {
		var list []polyhedral.Expr
		for _, c := range conds {
			list = append(list, c.Expr())
		}
		from, ok := n.withQuotients(st.doms, list)
		if !ok {
			st.exact = false
			return st
		}
		for _, d := range from {
			w, err := d.Where(conds...)
			if err != nil {
				st.exact = false
				return st
			}
			doms = append(doms, w)
		}
	}
	if len(doms) > maxParts {
		st.exact = false
		return st
	}
	st.doms = doms
	return st
}

var (
	opposite = map[token.Token]token.Token{token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ,
		token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL}
	comparisons = map[token.Token]func(x, y polyhedral.Expr) polyhedral.Cond{token.LSS: polyhedral.LT, token.LEQ: polyhedral.LE,
		token.GTR: polyhedral.GT, token.GEQ: polyhedral.GE, token.EQL: polyhedral.EQ, token.NEQ: polyhedral.NE}
)

// conditions returns cond == want as a disjunction of disjoint conjunctions.
func (n *nest) conditions(cond ast.Expr, want bool) (parts [][]polyhedral.Cond, ok bool) {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return n.conditions(e.X, !want)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			x, ok := n.conditions(e.X, want)
			if !ok {
				return nil, false
			}
			y, ok := n.conditions(e.Y, want)
			if !ok {
				return nil, false
			}
			if (e.Op == token.LAND) == want {
				return product(x, y), true
			}
			other, ok := n.conditions(e.X, !want)
			if !ok {
				return nil, false
			}
			return append(x, product(other, y)...), true
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			if c, ok := n.parity(e, want); ok {
				return [][]polyhedral.Cond{{c}}, true
			}
			if !loop.IsInteger(n.Info.TypeOf(e.X)) || !loop.IsInteger(n.Info.TypeOf(e.Y)) {
				return nil, false
			}
			x, y, ok := n.operandsOf(e)
			if !ok {
				return nil, false
			}
			op := e.Op
			if !want {
				op = opposite[op]
			}
			return [][]polyhedral.Cond{{comparisons[op](x, y)}}, true
		}
	}
	return nil, false
}

// parity recognizes x%m == 0 and, for an m of 2, its opposite.
func (n *nest) parity(e *ast.BinaryExpr, want bool) (c polyhedral.Cond, ok bool) {
	rem, isRem := ast.Unparen(e.X).(*ast.BinaryExpr)
	zero := n.Info.Type(e.Y).Value
	if !isRem || rem.Op != token.REM || zero == nil || constant.Sign(zero) != 0 || e.Op != token.EQL && e.Op != token.NEQ {
		return c, false
	}
	d := n.Info.Type(rem.Y).Value
	if d == nil || !isWide(n.Info.TypeOf(rem)) {
		return c, false
	}
	m, _ := constant.Int64Val(d)
	x, ok := n.affine(rem.X)
	if !ok || m <= 0 {
		return c, false
	}
	if (e.Op == token.EQL) == want {
		return polyhedral.Multiple(x, m), true
	}
	if m == 2 {
		return polyhedral.Multiple(x.Plus(1), 2), true
	}
	return c, false
}

// product returns the conjunction of two disjunctions.
func product(x, y [][]polyhedral.Cond) (out [][]polyhedral.Cond) {
	for _, a := range x {
		for _, b := range y {
			out = append(out, append(append([]polyhedral.Cond(nil), a...), b...))
		}
	}
	return out
}

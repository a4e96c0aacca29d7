package affine

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// affine returns e as a polynomial over iterators and symbols. Arithmetic counts
// in types of 64 bits only, where the test of the symbols' magnitudes rules out
// that it wraps; what is narrower or unsigned is a symbol as a whole.
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
			if x, ok := n.induct[v]; ok {
				return x, true
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
			a, ok := n.affine(e.X)
			if !ok {
				break
			}
			b, ok := n.affine(e.Y)
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
		// int(x) of an iterator of another type
		if tv := n.Info.Type(e.Fun); tv.IsType() && isWide(tv.Type) && isExact(n.Info.TypeOf(e.Args[0])) {
			if a, ok := n.affine(e.Args[0]); ok {
				return a, true
			}
		}
	}
	return n.symbol(e)
}

// symbol returns e as a symbol, if it is the same all through the nest.
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
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Int || b.Kind() == types.Int64 || b.Kind() == types.UntypedInt)
}

// isExact reports whether int(x) has the value of x for all x of type t.
func isExact(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return false
	}
	switch b.Kind() {
	case types.Int8, types.Int16, types.Int32, types.Uint8, types.Uint16, types.Uint32:
		return true
	}
	return isWide(t)
}

// split returns st where cond holds and where it does not. Where cond is not
// affine, or too many parts come of it, both are inexact.
func (n *nest) split(cond ast.Expr, st state) (yes, no state) {
	if t, ok := n.conditions(cond, true); ok {
		if f, ok := n.conditions(cond, false); ok {
			return n.where(st, t), n.where(st, f)
		}
	}
	st.exact = false
	return st, st
}

// maxParts bounds the disjoint parts of a statement's domain.
const maxParts = 4

func (n *nest) where(st state, parts [][]polyhedral.Cond) state {
	var doms []polyhedral.Domain
	for _, d := range st.doms {
		for _, conds := range parts {
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
			x, ok := n.affine(e.X)
			if !ok {
				return nil, false
			}
			y, ok := n.affine(e.Y)
			if !ok {
				return nil, false
			}
			op := e.Op
			if !want {
				op = map[token.Token]token.Token{token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ,
					token.LEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL}[op]
			}
			var c polyhedral.Cond
			switch op {
			case token.LSS:
				c = polyhedral.LT(x, y)
			case token.LEQ:
				c = polyhedral.LE(x, y)
			case token.GTR:
				c = polyhedral.GT(x, y)
			case token.GEQ:
				c = polyhedral.GE(x, y)
			case token.EQL:
				c = polyhedral.EQ(x, y)
			case token.NEQ:
				c = polyhedral.NE(x, y)
			}
			return [][]polyhedral.Cond{{c}}, true
		}
	}
	return nil, false
}

// parity is x%m == 0, and for m of 2 its opposite.
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

func product(x, y [][]polyhedral.Cond) (out [][]polyhedral.Cond) {
	for _, a := range x {
		for _, b := range y {
			out = append(out, append(append([]polyhedral.Cond(nil), a...), b...))
		}
	}
	return out
}

// A header is what a loop's iterator does.
type header struct {
	v    *types.Var // nil: none is named
	loop polyhedral.Loop
}

// forHeader recognizes for v := from; v < to; v += step. Nothing in the body
// assigns to v, and no step of it wraps: types of 64 bits are covered by the
// test of magnitudes, others go by one up to a strict bound.
func (n *nest) forHeader(s *ast.ForStmt) (h header, ok bool) {
	init, isAssign := s.Init.(*ast.AssignStmt)
	if !isAssign || len(init.Lhs) != 1 || len(init.Rhs) != 1 || init.Tok != token.DEFINE && init.Tok != token.ASSIGN || s.Cond == nil || s.Post == nil {
		return h, false
	}
	id, isIdent := init.Lhs[0].(*ast.Ident)
	if !isIdent {
		return h, false
	}
	v, isVar := n.Info.Object(id).(*types.Var)
	if !isVar || n.InMemory(v) || !isExact(v.Type()) || n.assignments(s.Body, v) > 0 {
		return h, false
	}
	isV := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.Ident)
		return ok && n.Info.Object(x) == v
	}
	switch p := s.Post.(type) {
	case *ast.IncDecStmt:
		if !isV(p.X) {
			return h, false
		}
		h.loop.Step = 1
		if p.Tok == token.DEC {
			h.loop.Step = -1
		}
	case *ast.AssignStmt:
		if len(p.Lhs) != 1 || !isV(p.Lhs[0]) || p.Tok != token.ADD_ASSIGN && p.Tok != token.SUB_ASSIGN {
			return h, false
		}
		c := n.Info.Type(p.Rhs[0]).Value
		if c == nil {
			return h, false
		}
		k, exact := constant.Int64Val(constant.ToInt(c))
		if !exact || k == 0 || k == -1<<63 {
			return h, false
		}
		if h.loop.Step = k; p.Tok == token.SUB_ASSIGN {
			h.loop.Step = -k
		}
	default:
		return h, false
	}
	up := h.loop.Step > 0
	if h.loop.From, ok = n.bounds(init.Rhs[0], "max", up); !ok {
		return h, false
	}
	strict := true
	h.loop.Op = polyhedral.LessEqual
	if !up {
		h.loop.Op = polyhedral.GreaterEqual
	}
	var conjuncts func(e ast.Expr) bool
	conjuncts = func(e ast.Expr) bool {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok {
			return false
		}
		if b.Op == token.LAND {
			return conjuncts(b.X) && conjuncts(b.Y)
		}
		op, bound := b.Op, b.Y
		if !isV(b.X) {
			if !isV(b.Y) {
				return false
			}
			bound = b.X
			op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}[op]
		}
		if up && op != token.LSS && op != token.LEQ || !up && op != token.GTR && op != token.GEQ {
			return false
		}
		list, ok := n.bounds(bound, "min", up)
		if !ok {
			return false
		}
		for _, x := range list {
			switch op {
			case token.LSS:
				x = x.Plus(-1)
			case token.GTR:
				x = x.Plus(1)
			default:
				strict = false
			}
			h.loop.To = append(h.loop.To, x)
		}
		return true
	}
	if !conjuncts(s.Cond) {
		return h, false
	}
	if !isWide(v.Type()) && (!strict || h.loop.Step != 1 && h.loop.Step != -1) {
		return h, false
	}
	h.v = v
	return h, true
}

// bounds returns the forms of a bound, of which the one counts that allows
// least: those of max(a, b) for the start of a loop upward or the end of one
// downward, those of min for the others.
func (n *nest) bounds(e ast.Expr, name string, up bool) (list []polyhedral.Expr, ok bool) {
	if !up {
		name = map[string]string{"min": "max", "max": "min"}[name]
	}
	if c, isCall := ast.Unparen(e).(*ast.CallExpr); isCall && n.Info.Type(c.Fun).IsBuiltin() && loop.BuiltinName(c) == name && isWide(n.Info.TypeOf(c)) {
		for _, a := range c.Args {
			part, ok := n.bounds(a, name, true)
			if !ok {
				return nil, false
			}
			list = append(list, part...)
		}
		return list, true
	}
	x, ok := n.affine(e)
	return []polyhedral.Expr{x}, ok
}

// rangeHeader recognizes a range over an integer, slice or array.
func (n *nest) rangeHeader(s *ast.RangeStmt) (h header, ok bool) {
	t := n.Info.TypeOf(s.X)
	if t == nil {
		return h, false
	}
	var to polyhedral.Expr
	switch t := t.Underlying().(type) {
	case *types.Basic:
		if to, ok = n.affine(s.X); !ok || !isExact(t) {
			return h, false
		}
	case *types.Array:
		to = polyhedral.Const(t.Len())
	case *types.Pointer:
		a, isArray := t.Elem().Underlying().(*types.Array)
		if !isArray {
			return h, false
		}
		to = polyhedral.Const(a.Len())
	case *types.Slice:
		v, ok := n.Value(s.X)
		if !ok {
			return h, false
		}
		n.require(v.Conds)
		text := "len(" + v.Text + ")"
		if !n.isSymbol[text] {
			n.isSymbol[text] = true
			n.symbols = append(n.symbols, text)
		}
		to = polyhedral.Sym(text)
	default:
		return h, false
	}
	h.loop = polyhedral.Loop{From: []polyhedral.Expr{polyhedral.Const(0)}, Op: polyhedral.Less, To: []polyhedral.Expr{to}, Step: 1}
	if id, isIdent := s.Key.(*ast.Ident); isIdent && s.Tok == token.DEFINE && id.Name != "_" {
		if v, isVar := n.Info.Def(id).(*types.Var); isVar && !n.InMemory(v) && n.assignments(s.Body, v) == 0 && isExact(v.Type()) {
			h.v = v
		}
	}
	return h, true
}

// assignments counts those of a part of the nest to v or a part of it.
func (n *nest) assignments(part ast.Node, v *types.Var) (count int) {
	is := func(e ast.Expr) {
		if e != nil && loop.RootVar(n.Info, e) == v {
			count++
		}
	}
	ast.Inspect(part, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				is(l)
			}
		case *ast.IncDecStmt:
			is(x.X)
		case *ast.RangeStmt:
			is(x.Key)
			is(x.Value)
		}
		return true
	})
	return count
}

// iterator gives the loop's counter a name of its own.
func (n *nest) iterator(h *header, s ast.Stmt) {
	n.count++
	h.loop.Var = fmt.Sprintf("i%d", n.count)
	if h.v != nil {
		h.loop.Var = fmt.Sprintf("%s_%d", h.v.Name(), n.count)
		n.iters[h.v] = h.loop.Var
		n.around[h.v] = s
	}
}

// leave takes an iterator back.
func (n *nest) leave(v *types.Var) {
	delete(n.iters, v)
	delete(n.around, v)
}

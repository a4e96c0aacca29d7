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

// A header is the iteration of a loop.
type header struct {
	v    *types.Var // the iterator; nil: it has no name
	loop polyhedral.Loop
}

// forHeader recognizes for v := from; v < to; v += step. Nothing in the body assigns to
// v, and no step of v wraps: the test of magnitudes ensures that for types of 64 bits,
// and other iterators step by one up to a strict bound.
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
	if h.loop.Step, ok = n.step(s.Post, v); !ok {
		return h, false
	}
	up := h.loop.Step > 0
	if h.loop.From, ok = n.bounds(init.Rhs[0], "max", up); !ok {
		return h, false
	}
	// The condition is evaluated again in each iteration.
	n.forgetLoop(s.Body, s.Post)
	h.loop.Op = polyhedral.LessEqual
	if !up {
		h.loop.Op = polyhedral.GreaterEqual
	}
	to, strict, ok := n.ends(s.Cond, v, up)
	if !ok {
		return h, false
	}
	if !isWide(v.Type()) && (!strict || h.loop.Step != 1 && h.loop.Step != -1) {
		return h, false
	}
	h.loop.To = to
	h.v = v
	return h, true
}

// step returns the constant that the post statement of a loop adds to iterator v.
func (n *nest) step(post ast.Stmt, v *types.Var) (step int64, ok bool) {
	switch p := post.(type) {
	case *ast.IncDecStmt:
		if n.local(p.X) != v {
			return 0, false
		}
		if p.Tok == token.DEC {
			return -1, true
		}
		return 1, true
	case *ast.AssignStmt:
		if len(p.Lhs) != 1 || n.local(p.Lhs[0]) != v || p.Tok != token.ADD_ASSIGN && p.Tok != token.SUB_ASSIGN {
			return 0, false
		}
		c := n.Info.Type(p.Rhs[0]).Value
		if c == nil {
			return 0, false
		}
		k, exact := constant.Int64Val(constant.ToInt(c))
		if !exact || k == 0 || k == -1<<63 {
			return 0, false
		}
		if p.Tok == token.SUB_ASSIGN {
			return -k, true
		}
		return k, true
	}
	return 0, false
}

// ends returns the last values that condition cond allows iterator v. All bounds of a conjunction count.
// strict is true if each comparison excludes its bound.
func (n *nest) ends(cond ast.Expr, v *types.Var, up bool) (to []polyhedral.Expr, strict, ok bool) {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return nil, false, false
	}
	if b.Op == token.LAND {
		x, strictX, ok := n.ends(b.X, v, up)
		if !ok {
			return nil, false, false
		}
		y, strictY, ok := n.ends(b.Y, v, up)
		return append(x, y...), strictX && strictY, ok
	}
	op, bound := b.Op, b.Y
	if n.local(b.X) != v {
		if n.local(b.Y) != v {
			return nil, false, false
		}
		bound = b.X
		op = map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.LEQ: token.GEQ, token.GEQ: token.LEQ}[op]
	}
	if up && op != token.LSS && op != token.LEQ || !up && op != token.GTR && op != token.GEQ {
		return nil, false, false
	}
	list, ok := n.bounds(bound, "min", up)
	if !ok {
		return nil, false, false
	}
	for _, x := range list {
		switch op {
		case token.LSS:
			x = x.Plus(-1)
		case token.GTR:
			x = x.Plus(1)
		}
		to = append(to, x)
	}
	return to, op == token.LSS || op == token.GTR, true
}

// bounds returns the terms of a bound, of which the strictest counts. These are the
// arguments of max for the start of an upward loop and the end of a downward loop, and
// the arguments of min for the other bounds.
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
		length, ok := n.lengthOf(s.X)
		if !ok {
			return h, false
		}
		to = n.named(length)
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

// assignments counts the assignments to v, or to a part of v, in a part of the nest.
func (n *nest) assignments(part ast.Node, v *types.Var) (count int) {
	n.eachAssigned(part, func(x *types.Var) {
		if x == v {
			count++
		}
	})
	return count
}

// eachAssigned calls f with the variable of each assignment, to it or to a part of it, in a part of
// the nest.
func (n *nest) eachAssigned(part ast.Node, f func(*types.Var)) {
	assigned := func(list ...ast.Expr) {
		for _, e := range list {
			if e == nil {
				continue
			}
			if v := loop.RootVar(n.Info, e); v != nil {
				f(v)
			}
		}
	}
	ast.Inspect(part, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.AssignStmt:
			assigned(x.Lhs...)
		case *ast.IncDecStmt:
			assigned(x.X)
		case *ast.RangeStmt:
			assigned(x.Key, x.Value)
		}
		return true
	})
}

// iterator gives the loop's iterator a name of its own.
func (n *nest) iterator(h *header, s ast.Stmt) {
	n.count++
	h.loop.Var = fmt.Sprintf("i%d", n.count)
	if h.v != nil {
		h.loop.Var = fmt.Sprintf("%s_%d", h.v.Name(), n.count)
		n.iters[h.v] = h.loop.Var
		n.around[h.v] = s
	}
}

// leave ends the scope of an iterator.
func (n *nest) leave(v *types.Var) {
	delete(n.iters, v)
	delete(n.around, v)
}

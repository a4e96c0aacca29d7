package affine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/polyhedral"
)

// A variable to which the nest's outermost loop adds a constant once in each iteration (k
// += 6 at the end of the body) is affine in the loop's iterator. Its value is the value
// in front of the nest, plus the constant times the number of finished iterations.

// inductions finds such variables of loop h with this body, and enters their values at
// the start of the body.
func (n *nest) inductions(h header, body *ast.BlockStmt) {
	if len(h.loop.From) != 1 || jumpsIn(body) {
		return
	}
	for _, s := range body.List {
		v, c, ok := n.addition(s)
		if !ok || v == h.v || n.Inside(v) || n.InMemory(v) || !isWide(v.Type()) || c%h.loop.Step != 0 || n.assignments(n.Stmt, v) != 1 {
			continue
		}
		text := v.Name()
		if !n.isSymbol[text] {
			n.isSymbol[text] = true
			n.symbols = append(n.symbols, text)
		}
		done := polyhedral.Iter(h.loop.Var).Sub(h.loop.From[0])
		n.induct[v] = polyhedral.Sym(text).Add(done.Scale(c / h.loop.Step))
	}
}

// step takes the addition to an induction variable into account.
func (n *nest) step(s ast.Stmt) {
	if v, c, ok := n.addition(s); ok {
		if x, ok := n.induct[v]; ok {
			n.induct[v] = x.Plus(c)
		}
	}
}

// addition recognizes v += c.
func (n *nest) addition(s ast.Stmt) (v *types.Var, c int64, ok bool) {
	var l ast.Expr
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if l, c = s.X, 1; s.Tok == token.DEC {
			c = -1
		}
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || s.Tok != token.ADD_ASSIGN && s.Tok != token.SUB_ASSIGN {
			return nil, 0, false
		}
		k := n.Info.Type(s.Rhs[0]).Value
		if k == nil || k.Kind() != constant.Int {
			return nil, 0, false
		}
		const most = 1 << 31
		if c, ok = constant.Int64Val(k); !ok || c > most || c < -most {
			return nil, 0, false
		}
		if l = s.Lhs[0]; s.Tok == token.SUB_ASSIGN {
			c = -c
		}
	default:
		return nil, 0, false
	}
	id, ok := ast.Unparen(l).(*ast.Ident)
	if !ok {
		return nil, 0, false
	}
	v, ok = n.Info.Use(id).(*types.Var)
	return v, c, ok
}

// jumpsIn reports whether the body has a branch statement.
func jumpsIn(body ast.Node) (found bool) {
	ast.Inspect(body, func(x ast.Node) bool {
		_, is := x.(*ast.BranchStmt)
		found = found || is
		return !found
	})
	return found
}

// moving reports whether e, which was evaluated earlier, may have another value here.
// That is so if e names an induction variable, since the addition may be between the two
// points, or the iterator of a loop that e stands outside of.
func (n *nest) moving(e ast.Expr) (found bool) {
	ast.Inspect(e, func(x ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := n.Info.Use(id).(*types.Var); ok {
				if _, ok := n.induct[v]; ok {
					found = true
				}
				// The iterator has another value in its loop than in front of it.
				if l := n.around[v]; l != nil && !(l.Pos() <= id.Pos() && id.Pos() < l.End()) {
					found = true
				}
				// So may the variable's initial value.
				if d := n.Definition(v); d != nil && n.Inside(v) && !found {
					found = n.moving(d)
				}
			}
		}
		return !found
	})
	return found
}

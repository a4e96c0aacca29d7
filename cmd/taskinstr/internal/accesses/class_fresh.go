package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// Classes of writes to fresh memory.

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok
}

// isSingle reports whether e is a literal of a slice with one element.
func (c *comparison) isSingle(e ast.Expr) bool {
	l, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(l.Elts) != 1 {
		return false
	}
	_, ok = core(c.pkg.typeOf(l)).(*types.Slice)
	return ok
}

// literal: n is a composite literal or an element of one, or takes a slice of one
// element, which has no position of its own.
func (c *comparison) literal(a *access, n ast.Node) bool {
	if a.kind != Write {
		return false
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		if n.Op == token.AND && isLiteral(n.X) {
			return true
		}
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Rhs, c.isSingle)
	case *ast.ReturnStmt:
		return slices.ContainsFunc(n.Results, c.isSingle)
	case *ast.CallExpr:
		if slices.ContainsFunc(n.Args, c.isSingle) {
			return true
		}
	}
	switch p := c.converted(n).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.KeyValueExpr:
		l, _ := c.parent[p].(*ast.CompositeLit)
		_, fields := core(c.pkg.typeOf(l)).(*types.Struct)
		return !fields || p.Key == n
	}
	return false
}

// constantBytes: n is a constant string that is converted to bytes.
func (c *comparison) constantBytes(a *access, n ast.Node) bool {
	call, ok := c.outer(n).(*ast.CallExpr)
	return ok && c.converts(call) && c.isConstant(call.Args[0])
}

// variadic: n is an argument that goes into a slice, or the call that makes the slice.
func (c *comparison) variadic(a *access, n ast.Node) bool {
	if a.kind != Write {
		return false
	}
	if call, ok := n.(*ast.CallExpr); ok && len(c.extra(call)) > 0 {
		return true
	}
	call, ok := c.converted(n).(*ast.CallExpr)
	return ok && slices.ContainsFunc(c.extra(call), func(x ast.Expr) bool { return c.inside(n, x) })
}

// extra returns the arguments of call that go into a slice.
func (c *comparison) extra(call *ast.CallExpr) []ast.Expr {
	s, ok := core(c.pkg.typeOf(call.Fun)).(*types.Signature)
	if !ok || !s.Variadic() || call.Ellipsis.IsValid() || c.pkg.info.Types[call.Fun].IsBuiltin() {
		return nil
	}
	return call.Args[min(s.Params().Len()-1, len(call.Args)):]
}

// concatenation: n is a chain of additions of strings, or an operand of one.
func (c *comparison) concatenation(a *access, n ast.Node) bool {
	adds := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			return n.Op == token.ADD && c.isString(n)
		case *ast.AssignStmt:
			return n.Tok == token.ADD_ASSIGN && c.isString(n.Lhs[0])
		}
		return false
	}
	return a.kind == Write && (adds(n) || adds(c.outer(n)))
}

// appends reports whether n appends, or assigns what append returns, in a way that is
// asked for.
func (c *comparison) appends(n ast.Node, way func(*ast.CallExpr) bool) bool {
	is := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && c.builtin(call) == "append" && way(call)
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Rhs, is)
	case *ast.CallExpr:
		return is(n)
	}
	return false
}

func (c *comparison) ofMake(call *ast.CallExpr) bool {
	return call.Ellipsis.IsValid() && c.builtin(ast.Unparen(call.Args[1])) == "make"
}

func (c *comparison) appendedMake(a *access, n ast.Node) bool {
	return a.kind == Write && c.appends(n, c.ofMake)
}

func (c *comparison) madeSlice(a *access, n ast.Node) bool {
	return a.kind == Read && c.appends(n, c.ofMake)
}

// declared: n declares a variable, or is a function whose parameters are variables.
func (c *comparison) declared(a *access, n ast.Node) bool {
	if a.kind != Write {
		return false
	}
	switch n := n.(type) {
	case *ast.Ident:
		v, ok := c.pkg.info.Defs[n].(*types.Var)
		return ok && !v.IsField() && !isGlobal(v)
	case *ast.AssignStmt:
		return n.Tok == token.DEFINE
	case *ast.RangeStmt:
		return n.Tok == token.DEFINE
	case *ast.FuncDecl:
		return true
	case *ast.CallExpr:
		return c.builtin(n) == "new"
	case *ast.CaseClause:
		_, ok := c.parent[c.parent[n]].(*ast.TypeSwitchStmt)
		return ok
	case *ast.CommClause:
		s, ok := n.Comm.(*ast.AssignStmt)
		return ok && s.Tok == token.DEFINE
	}
	return false
}

// stackMap: n makes a map.
func (c *comparison) stackMap(a *access, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || a.kind != Write || c.builtin(n) != "make" {
		return false
	}
	_, ok = core(c.pkg.typeOf(call)).(*types.Map)
	return ok
}

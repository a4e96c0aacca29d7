package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"taskinstr/internal/site"
)

// held returns the variables that are read at the position of n: the read of a variable, or
// of a part of it, has no position of its own.
func (c *comparison) held(n ast.Node) (list []*ast.Ident) {
	ast.Inspect(n, func(m ast.Node) bool {
		if _, ok := m.(*ast.FuncLit); ok && m != n {
			return false
		}
		id, ok := m.(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := c.pkg.Info.Uses[id].(*types.Var); ok && !v.IsField() && c.readAt(id, n) {
			list = append(list, id)
		}
		return true
	})
	return list
}

// readAt reports whether the variable that id names is read at the position of n.
func (c *comparison) readAt(id *ast.Ident, n ast.Node) bool {
	var e ast.Node = id
	for e != n {
		p := c.outer(e)
		switch p := p.(type) {
		case *ast.SelectorExpr:
			s := c.pkg.Info.Selections[p]
			switch {
			case p.X != e:
				if s != nil {
					return false
				}
			case s.Kind() == types.MethodVal:
				if site.IsPointer(s.Obj().(*types.Func).Signature().Recv().Type()) && !s.Indirect() {
					return false // the call takes the address of the variable
				}
			case s.Indirect():
				return p == n || c.holder(e) == n
			}
		case *ast.IndexExpr:
			if p.X != e || !isArray(c.pkg.typeOf(p.X)) {
				return c.holder(e) == n
			}
		case *ast.SliceExpr:
			if p.X == e && isArray(c.pkg.typeOf(p.X)) {
				return false
			}
			return p == n
		case *ast.UnaryExpr:
			switch p.Op {
			case token.AND:
				return false
			case token.NOT:
			default:
				return p == n
			}
		case *ast.BinaryExpr:
			if p.Op != token.LAND && p.Op != token.LOR {
				return p == n
			}
		case *ast.CallExpr:
			// The statement evaluates the operands of a deferred call. The assignment
			// evaluates the operands of an append in place.
			switch q := c.parent[p].(type) {
			case *ast.IfStmt: // the called function
				return (p == n || q == n) && (p == n || ast.Unparen(p.Fun) == e)
			case *ast.DeferStmt, *ast.GoStmt:
			case *ast.AssignStmt:
				return p == n || q == n && c.builtin(p) == "append"
			default:
				return p == n
			}
		case *ast.AssignStmt:
			return p == n && !slices.ContainsFunc(p.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == e })
		case *ast.RangeStmt:
			return p == n && ast.Unparen(p.X) == e
		case *ast.KeyValueExpr:
			if p.Key == n {
				return true
			}
		case nil:
			return false
		default:
			return p == n
		}
		e = p
	}
	return true
}

// loads reports whether n is a place behind a pointer or in a slice, and the program uses
// its value.
func (c *comparison) loads(n ast.Node) bool {
	if s, ok := n.(*ast.RangeStmt); ok && s.Value != nil { // the loop reads the elements
		switch site.Core(c.pkg.typeOf(s.X)).(type) {
		case *types.Slice, *types.Pointer:
			return true
		}
		return false
	}
	e, ok := n.(ast.Expr)
	if !ok || !isPlace(e) || !c.pkg.Info.Types[e].IsValue() || c.facts.root(e) != nil || c.facts.private(e) {
		return false
	}
	switch x := e.(type) {
	case *ast.SelectorExpr:
		s := c.pkg.Info.Selections[x]
		if s != nil && s.Kind() == types.MethodVal && len(s.Index()) > 1 {
			// The program reads the embedded fields on the way. They are behind a pointer,
			// unless they lie in a variable.
			return c.facts.root(x.X) == nil || site.IsPointer(c.pkg.typeOf(x.X))
		}
		if s == nil || s.Kind() != types.FieldVal {
			return false
		}
	case *ast.IndexExpr:
		switch site.Core(c.pkg.typeOf(x.X)).(type) {
		case *types.Slice, *types.Array, *types.Pointer:
		default:
			return false
		}
	}
	switch p := c.outer(e).(type) {
	case *ast.AssignStmt:
		return !slices.ContainsFunc(p.Lhs, func(l ast.Expr) bool { return ast.Unparen(l) == e })
	case *ast.RangeStmt:
		return ast.Unparen(p.X) == e && !isArray(c.pkg.typeOf(e))
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.SliceExpr:
		return p.X != e || !isArray(c.pkg.typeOf(e))
	case *ast.IndexExpr:
		return p.X != e || !isArray(c.pkg.typeOf(e))
	case *ast.SelectorExpr:
		s := c.pkg.Info.Selections[p]
		if site.IsPointer(c.pkg.typeOf(e)) || isInterface(c.pkg.typeOf(e)) {
			return true
		}
		if s.Kind() == types.FieldVal {
			return false
		}
		return !site.IsPointer(s.Obj().(*types.Func).Signature().Recv().Type())
	}
	return true
}

// stores reports whether n assigns without a check to memory that another goroutine may
// know.
func (c *comparison) stores(n ast.Node) bool {
	var places []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		places = n.Lhs
	case *ast.IncDecStmt:
		places = []ast.Expr{n.X}
	}
	return slices.ContainsFunc(places, func(l ast.Expr) bool {
		l = ast.Unparen(l)
		if id, ok := l.(*ast.Ident); ok && (id.Name == "_" || c.pkg.Info.Defs[id] != nil) {
			return false
		}
		return !c.facts.private(l) && !c.isElement(l) && !c.checked(l, Write)
	})
}

// converts reports whether call is a conversion.
func (c *comparison) converts(call *ast.CallExpr) bool { return c.pkg.Info.Types[call.Fun].IsType() }

// isInterface reports whether values of type t are interfaces. Values of a type parameter
// are not.
func isInterface(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return !ok && types.IsInterface(t)
}

func isArray(t types.Type) bool {
	_, ok := site.Core(t).(*types.Array)
	return ok
}

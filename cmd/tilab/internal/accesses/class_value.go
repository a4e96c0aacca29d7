package accesses

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"taskinstr/internal/site"
)

// Classes of values, by the places where they are read and from which they are copied.

// mapElement reports whether n is an element of a map, or assigns or reads one.
func (c *comparison) mapElement(a *access, n ast.Node) bool {
	if !isCall(a.callee) {
		return false
	}
	switch n := n.(type) {
	case ast.Expr:
		if a.kind == Write && c.inMapLiteral(n) {
			return true
		}
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			return c.isElement(b.X) || c.isElement(b.Y)
		}
		// A key that is passed by address is copied.
		return c.isElement(n) || a.kind == Write && c.isMapKey(n, c.outer(n))
	case *ast.AssignStmt:
		if a.kind == Write && slices.ContainsFunc(n.Rhs, c.isMapLiteral) {
			return true
		}
		if a.kind == Write || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			return slices.ContainsFunc(n.Lhs, c.isElement)
		}
		return slices.ContainsFunc(n.Rhs, c.isElement)
	case *ast.IncDecStmt:
		return c.isElement(n.X)
	case *ast.RangeStmt:
		_, ok := site.Core(c.pkg.typeOf(n.X)).(*types.Map)
		return ok
	}
	return false
}

// inMapLiteral reports whether e is a literal of a map, or a key or value in one, or part
// of these.
func (c *comparison) inMapLiteral(e ast.Expr) bool {
	for n := ast.Node(e); ; n = c.converted(n) {
		switch l := n.(type) {
		case *ast.CompositeLit:
			switch site.Core(c.pkg.typeOf(l)).(type) {
			case *types.Map:
				return true
			case *types.Struct, *types.Array:
			default:
				return false
			}
		case *ast.KeyValueExpr:
		default:
			if n != e {
				return false
			}
		}
	}
}

// isMapLiteral reports whether e is a literal of a map.
func (c *comparison) isMapLiteral(e ast.Expr) bool {
	_, ok := site.Core(c.pkg.typeOf(e)).(*types.Map)
	return ok && isLiteral(e)
}

// isElement reports whether e is an element of a map, or a part of one.
func (c *comparison) isElement(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		switch site.Core(c.pkg.typeOf(x.X)).(type) {
		case *types.Map:
			return true
		case *types.Array:
			return c.isElement(x.X)
		}
	case *ast.SelectorExpr:
		s := c.pkg.Info.Selections[x]
		return s != nil && !s.Indirect() && c.isElement(x.X)
	}
	return false
}

// isMapKey reports whether e, inside outer, is the key of a map operation.
func (c *comparison) isMapKey(e ast.Expr, outer ast.Node) bool {
	switch x := outer.(type) {
	case *ast.IndexExpr:
		_, ok := site.Core(c.pkg.typeOf(x.X)).(*types.Map)
		return ok && ast.Unparen(x.Index) == e
	case *ast.CallExpr:
		return c.builtin(x) == "delete" && ast.Unparen(x.Args[1]) == e
	}
	return false
}

// compound reports whether n is a statement op=, ++ or --, or the place that it changes.
func (c *comparison) compound(a *access, n ast.Node) bool {
	if a.kind != Read {
		return false
	}
	s := n
	if _, ok := n.(ast.Expr); ok {
		s = c.outer(n)
	}
	var place ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			return false
		}
		place = ast.Unparen(s.Lhs[0])
	case *ast.IncDecStmt:
		place = ast.Unparen(s.X)
	default:
		return false
	}
	if n != s && n != place || !c.checked(place, Write) {
		return false
	}
	// An unchecked variable on the way to the place is another difference.
	return !slices.ContainsFunc(c.held(n), func(id *ast.Ident) bool {
		v := c.pkg.Info.Uses[id]
		_, explained := c.classOfVariable(id)
		return v != c.facts.root(place) && !explained && !c.checked(id, Read)
	})
}

// checked reports whether an access of this kind to place has a check.
func (c *comparison) checked(place ast.Expr, kind Kind) bool {
	return slices.ContainsFunc(c.checks, func(k *check) bool { return k.kind == kind && slices.Contains(k.alike, place) })
}

// partChecked reports whether the read of the variable id has a check, or the read of the
// part of the variable that the expression names.
func (c *comparison) partChecked(id *ast.Ident) bool {
	for e := ast.Expr(id); c.facts.root(e) != nil; {
		if c.checked(e, Read) {
			return true
		}
		x, ok := c.outer(e).(ast.Expr)
		if !ok {
			return false
		}
		e = x
	}
	return false
}

// boxed reports whether n takes a value out of an interface.
func (c *comparison) boxed(a *access, n ast.Node) bool {
	if a.kind != Read {
		return false
	}
	switch n := n.(type) {
	case *ast.TypeAssertExpr, *ast.TypeSwitchStmt:
		return true
	case *ast.CaseClause:
		_, ok := c.parent[c.parent[n]].(*ast.TypeSwitchStmt)
		return ok
	case *ast.AssignStmt:
		_, ok := ast.Unparen(n.Rhs[0]).(*ast.TypeAssertExpr)
		return ok && len(n.Lhs) == 2
	}
	return false
}

// methodTable reports whether n is an interface that is converted to another.
func (c *comparison) methodTable(a *access, n ast.Node) bool {
	e, ok := n.(ast.Expr)
	if !ok || a.callee != callRead {
		return false
	}
	if i, ok := c.pkg.typeOf(e).Underlying().(*types.Interface); !ok || i.Empty() {
		return false
	}
	// The read of a place of this type has the same position.
	return !isPlace(e) || c.facts.private(e)
}

// isPlace reports whether e may denote memory outside of a variable.
func isPlace(e ast.Expr) bool {
	switch e.(type) {
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return true
	}
	return false
}

// localCopy reports whether n copies a whole value out of memory that only this goroutine
// knows.
func (c *comparison) localCopy(a *access, n ast.Node) bool {
	if s, ok := n.(*ast.AssignStmt); ok && a.kind == Write { // *(*T)(unsafe.Pointer(&x)) is x
		p, ok := ast.Unparen(s.Lhs[0]).(*ast.StarExpr)
		return ok && c.facts.private(p)
	}
	if a.kind != Read {
		return false
	}
	private := func(list []ast.Expr) bool {
		return !slices.ContainsFunc(list, func(e ast.Expr) bool {
			return !c.facts.private(e) || c.builtin(ast.Unparen(e)) == "append" // append reads its arguments
		})
	}
	unrecorded := func(e ast.Expr) bool { return c.facts.private(e) || c.checked(ast.Unparen(e), Read) }
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return unrecorded(n.X) && unrecorded(n.Y)
		}
	case *ast.RangeStmt: // the elements of a literal, or of the copy of an array
		if _, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
			return true
		}
		return isArray(c.pkg.typeOf(n.X)) && c.facts.private(n.X)
	case *ast.CompositeLit: // the literal is copied from data
		return true
	case *ast.AssignStmt:
		return private(n.Rhs)
	case *ast.ReturnStmt:
		return private(n.Results)
	case *ast.SendStmt:
		return c.facts.private(n.Value)
	case *ast.StarExpr:
		return c.facts.private(n)
	}
	e, ok := n.(ast.Expr)
	if !ok || !c.pkg.Info.Types[e].IsValue() || isInterface(c.pkg.typeOf(e)) || !c.facts.private(e) {
		return false
	}
	switch a.callee {
	case "runtime.convT", "runtime.convTnoptr":
		return true
	case callRead: // a value becomes an interface through an integer of its size
		switch t := c.pkg.typeOf(e).Underlying().(type) {
		case *types.Basic:
			return t.Info()&types.IsFloat != 0
		case *types.Struct, *types.Array:
			return true
		}
	}
	return false
}

// stringBytes reports whether n reads the bytes of a string.
func (c *comparison) stringBytes(a *access, n ast.Node) bool {
	if a.kind != Read {
		return false
	}
	switch n := n.(type) {
	case *ast.SwitchStmt:
		return n.Tag != nil && c.isString(n.Tag)
	case *ast.BinaryExpr:
		return c.isConstant(n.X) || c.isConstant(n.Y)
	case *ast.IndexExpr:
		return c.isString(n.X)
	case *ast.CallExpr:
		return c.appendsConstant(n)
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Rhs, c.appendsConstant)
	case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr: // []byte("...")
		call, ok := c.outer(n).(*ast.CallExpr)
		return ok && c.convertedConstant(call) != nil
	}
	return false
}

func (c *comparison) isString(e ast.Expr) bool {
	b, ok := site.Core(c.pkg.typeOf(e)).(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isConstant reports whether e is a constant string.
func (c *comparison) isConstant(e ast.Expr) bool {
	v := c.pkg.Info.Types[e].Value
	return v != nil && v.Kind() == constant.String
}

// appendsConstant reports whether e appends the bytes of a constant.
func (c *comparison) appendsConstant(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.builtin(call) == "append" && call.Ellipsis.IsValid() && c.isConstant(call.Args[len(call.Args)-1])
}

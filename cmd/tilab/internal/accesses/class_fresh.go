package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"taskinstr/internal/site"
)

// Classes of writes to fresh memory.

func isLiteral(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.CompositeLit)
	return ok
}

// extra returns the arguments that call collects in a slice.
func (c *comparison) extra(call *ast.CallExpr) []ast.Expr {
	s, ok := site.Core(c.pkg.typeOf(call.Fun)).(*types.Signature)
	if !ok || !s.Variadic() || call.Ellipsis.IsValid() || c.pkg.Info.Types[call.Fun].IsBuiltin() {
		return nil
	}
	return call.Args[min(s.Params().Len()-1, len(call.Args)):]
}

// concatenation reports whether n is a chain of additions of strings, or an operand of one.
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

// madeSlice reports whether n is a call append(s, make([]T, n)...), or assigns its result.
func (c *comparison) madeSlice(a *access, n ast.Node) bool {
	is := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		return ok && c.builtin(call) == "append" && call.Ellipsis.IsValid() && c.builtin(ast.Unparen(call.Args[1])) == "make"
	}
	if a.kind != Read {
		return false
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Rhs, is)
	case *ast.CallExpr:
		return is(n)
	}
	return false
}

// keptAlive reports whether n is a call that collects arguments in a slice, among them a
// pointer that becomes an integer, or one of these arguments.
func (c *comparison) keptAlive(a *access, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok || c.converts(call) {
		call, ok = c.converted(n).(*ast.CallExpr)
	}
	return ok && a.kind == Write && slices.ContainsFunc(c.extra(call), func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || !c.converts(x) {
			return false
		}
		b, ok := c.pkg.typeOf(x.Args[0]).Underlying().(*types.Basic)
		return ok && b.Kind() == types.UnsafePointer
	})
}

// unnamed reports whether n is a call that collects arguments in a slice whose type the
// file cannot name, or one of these arguments.
func (c *comparison) unnamed(a *access, n ast.Node) bool {
	if a.kind != Write {
		return false
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || len(c.extra(call)) == 0 {
		call, ok = c.converted(n).(*ast.CallExpr)
	}
	if !ok || len(c.extra(call)) == 0 {
		return false
	}
	s := site.Core(c.pkg.typeOf(call.Fun)).(*types.Signature)
	t, ok := s.Params().At(s.Params().Len() - 1).Type().(*types.Slice)
	return ok && !c.named(t.Elem())
}

// named reports whether the file imports all packages that the name of t mentions.
func (c *comparison) named(t types.Type) bool {
	ok := true
	types.TypeString(t, func(p *types.Package) string {
		imported := slices.ContainsFunc(c.file.Imports, func(s *ast.ImportSpec) bool {
			path, _ := strconv.Unquote(s.Path.Value)
			return path == p.Path()
		})
		ok = ok && (p == c.pkg.Pkg || imported)
		return ""
	})
	return ok
}

// stackMap reports whether n makes a map, or declares a variable with one.
func (c *comparison) stackMap(a *access, n ast.Node) bool {
	if s, ok := c.parent[n].(*ast.ValueSpec); ok && a.kind == Write && slices.ContainsFunc(s.Values, c.isMapLiteral) {
		return true
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || a.kind != Write || c.builtin(n) != "make" {
		return false
	}
	_, ok = site.Core(c.pkg.typeOf(call)).(*types.Map)
	return ok
}

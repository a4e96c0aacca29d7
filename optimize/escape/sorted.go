package escape

import (
	"go/ast"
	"go/types"
	"strings"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/ssapass"
)

// filled returns the writes that fill slices which their function sorts, where another pass checks the
// elements together. The range that they become covers all that the sort does to the elements in the same
// step, several accesses of each: without the range, a sort of 3,000 numbers takes 1.5 times as long.
func filled(b *builder.Builder) map[*ssapass.Site]bool {
	sites := map[*ssapass.Site]bool{}
	for f := range loop.Files(b) {
		for _, d := range f.Syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				for v := range sorted(f, fn.Body) {
					addWrites(f, fn.Body, v, sites)
				}
			}
		}
	}
	return sites
}

// sorted returns the variables that a function passes to package sort or slices to be sorted.
func sorted(f *loop.File, body *ast.BlockStmt) map[types.Object]bool {
	vars := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return true
		}
		fn, ok := f.Info.Use(sel.Sel).(*types.Func)
		arg, isVar := ast.Unparen(call.Args[0]).(*ast.Ident)
		if !ok || !isVar || fn.Pkg() == nil {
			return true
		}
		switch path, name := fn.Pkg().Path(), fn.Name(); {
		case path == "slices" && strings.HasPrefix(name, "Sort"),
			path == "sort" && (strings.HasPrefix(name, "Slice") && name != "SliceIsSorted" || name == "Ints" || name == "Float64s" || name == "Strings"):
			vars[f.Info.Use(arg)] = true
		}
		return true
	})
	return vars
}

// addWrites adds the writes to elements of v that another pass claims.
func addWrites(f *loop.File, body *ast.BlockStmt, v types.Object, sites map[*ssapass.Site]bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		e, ok := n.(*ast.IndexExpr)
		if !ok {
			return true
		}
		x, ok := ast.Unparen(e.X).(*ast.Ident)
		if ok && f.Info.Use(x) == v && f.Builder.Claim(e) != builder.Unclaimed {
			if s := f.Site(e, true, false); s != nil {
				sites[s] = true
			}
		}
		return true
	})
}

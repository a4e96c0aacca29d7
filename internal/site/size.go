package site

import "go/ast"

// The compiler inlines nothing but the smallest functions into a function of more than 5,000
// nodes of its representation (cmd/compile/internal/inline, inlineBigFunctionNodes). It
// regards a helper that it does not inline as a function that may keep its arguments, if
// the helper calls a parameter. Then variables whose addresses the helper gets are
// allocated by each call of the function.
//
// Of package js_parser of esbuild, the compiler inlines checks into functions of up to 10,600
// nodes by this count, and into none of more than 15,100.
const (
	bigNodes   = 10000 // nodes of syntax, and of checks
	checkNodes = 12    // that a check adds
)

// Big reports whether the compiler will hardly inline checks into the function with the
// given body.
func Big(body *ast.BlockStmt) bool {
	n := 0
	ast.Inspect(body, func(m ast.Node) bool {
		switch m.(type) {
		case nil:
			return true
		case *ast.FuncLit:
			n++
			return false // a function of its own
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			n += checkNodes
		}
		n++
		return n <= bigNodes
	})
	return n > bigNodes
}

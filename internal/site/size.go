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

// The compiler codes the calls of deferred functions at the returns of a function if returns
// times defer statements is at most openDefers (cmd/compile/internal/ssagen). Otherwise each
// activation enters a record of a deferred call, which takes longer than a check.
const openDefers = 15

// Defers reports whether a function with the given body is fit for one more deferred call:
// its statements that defer calls are of its own list, the calls are coded at its returns,
// and the function is not big.
func Defers(body *ast.BlockStmt) bool {
	returns, defers := 1, 1 // with the end of the body, and the one more call
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			returns++
		case *ast.DeferStmt:
			defers++
		}
		return true
	})
	_, direct := Deferred(body)
	return direct && returns*defers <= openDefers && !Big(body)
}

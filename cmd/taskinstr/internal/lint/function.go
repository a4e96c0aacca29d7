package lint

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/frequency"
)

// scanFuncs adds the functions of a package.
func (c *collector) scanFuncs(pkg *packages.Package) {
	for _, f := range frequency.Functions(c.prog.Fset, pkg.TypesInfo, pkg.Syntax) {
		c.funcs[f.Start.Filename] = append(c.funcs[f.Start.Filename], f)
	}
}

// funcName returns the name of the function as a stack trace shows it, without the package:
// main, (*Account).Deposit, Point.String.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	star, pointer := t.(*ast.StarExpr)
	if pointer {
		t = ast.Unparen(star.X)
	}
	switch g := t.(type) { // without type parameters
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	name := types.ExprString(t)
	if pointer {
		name = "(*" + name + ")"
	}
	return name + "." + d.Name.Name
}

// function returns the declaration around the position, or nil if there is none.
func (c *collector) function(k row) *frequency.Func {
	for _, f := range c.funcs[k.file] {
		if f.Holds(k.line, k.col) {
			return f
		}
	}
	return nil
}

package lint

import (
	"go/ast"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/frequency"
	"taskinstr/internal/site"
)

func (c *collector) scanFuncs(pkg *packages.Package) {
	for _, f := range frequency.Functions(c.prog.Fset, pkg.TypesInfo, pkg.Syntax) {
		c.funcs[f.Start.Filename] = append(c.funcs[f.Start.Filename], f)
	}
}

// funcName returns the name of the function as a stack trace shows it, without the package:
// main, (*Account).Deposit, Point.String.
func funcName(d *ast.FuncDecl) string {
	switch name, pointer := site.Receiver(d); {
	case name == "":
		return d.Name.Name
	case pointer:
		return "(*" + name + ")." + d.Name.Name
	default:
		return name + "." + d.Name.Name
	}
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

package lint

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// A function is a declaration and its positions, after line directives.
type function struct {
	name       string
	start, end Place // File is not set
}

// scanFuncs adds the functions of a package.
func (c *collector) scanFuncs(pkg *packages.Package) {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			a, b := c.prog.Fset.Position(fd.Pos()), c.prog.Fset.Position(fd.End())
			c.funcs[a.Filename] = append(c.funcs[a.Filename], function{
				funcName(fd), Place{Line: a.Line, Column: a.Column}, Place{Line: b.Line, Column: b.Column},
			})
		}
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

// function returns the name of the declaration around the position, or "" if there is none.
func (c *collector) function(k row) string {
	at := Place{Line: k.line, Column: k.col}
	for _, f := range c.funcs[k.file] {
		if !at.before(f.start) && at.before(f.end) {
			return f.name
		}
	}
	return ""
}

func (p Place) before(q Place) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Column < q.Column
}

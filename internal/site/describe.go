package site

import (
	"go/ast"
	"go/types"
)

// What describes the thing of the source that the place e denotes.
func (p *Package) What(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return "variable " + e.Name
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		if sel == nil {
			return "variable " + e.Sel.Name
		}
		t := sel.Recv()
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			if st, ok := Elem(t).Underlying().(*types.Struct); ok {
				t = st.Field(i).Type()
			}
		}
		return "field " + e.Sel.Name + " of " + p.TypeName(Elem(t))
	case *ast.IndexExpr:
		return "element of " + p.TypeName(Elem(p.TypeOf(e.X)))
	}
	return "value of type " + p.TypeName(p.TypeOf(e))
}

// TypeName returns the name of t for users of this package.
func (p *Package) TypeName(t types.Type) string {
	return shorten(types.TypeString(t, func(q *types.Package) string {
		if q == p.Pkg {
			return ""
		}
		return q.Name()
	}))
}

// Described returns a description in the site table's form.
func Described(what string) string { return oneLine(AsWritten(what)) }

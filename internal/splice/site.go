package splice

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
	"unicode/utf8"
)

// exprLimit is the length in bytes to which an expression is shortened.
const exprLimit = 80

// A site is one line of the blob: where a check stands and what it is about.
type site struct {
	pos  string // file:line:col as the user sees it, without :col where that is not known
	expr string
	what string
	also string // what else the check stands for, separated by tabs
}

// site registers the access e and returns the expression that names it in the
// generated code.
func (f *file) site(e ast.Node, what string) string {
	return f.siteOf(e, string(f.src[f.offset(e.Pos()):f.offset(e.End())]), what)
}

// siteOf is site for an access that the source spells as expr, or not at all.
func (f *file) siteOf(e ast.Node, expr, what string) string {
	f.pkg.sites = append(f.pkg.sites, f.describe(e, expr, what))
	f.pkg.stats.Checks++
	return fmt.Sprintf("&_ti_sites.idx[%d]", len(f.pkg.sites)-1)
}

// siteWith is site for an access of fate t.
func (f *file) siteWith(e ast.Node, t fated, what string) string {
	s := f.site(e, what)
	f.stand(t)
	return s
}

// stand notes what the check of the newest site stands for.
func (f *file) stand(t fated) {
	if list := f.pkg.stands(t); len(list) > 0 {
		f.pkg.sites[len(f.pkg.sites)-1].also = also(t.key, list)
	}
}

func (f *file) describe(e ast.Node, expr, what string) site {
	return site{
		pos:  f.position(e.Pos()),
		expr: SiteText(expr),
		what: oneLine(asWritten(what)),
	}
}

// oneLine joins runs of white space into one blank.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

func shorten(s string) string {
	const mark = "…"
	if len(s) <= exprLimit {
		return s
	}
	n := exprLimit - len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

// what describes the declared thing that the place e is.
func (f *file) what(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return "variable " + e.Name
	case *ast.SelectorExpr:
		sel := f.pkg.cfg.Info.Selections[e]
		if sel == nil {
			return "variable " + e.Sel.Name
		}
		t := sel.Recv()
		for _, i := range sel.Index()[:len(sel.Index())-1] {
			if st, ok := elem(t).Underlying().(*types.Struct); ok {
				t = st.Field(i).Type()
			}
		}
		return "field " + e.Sel.Name + " of " + f.typeName(elem(t))
	case *ast.IndexExpr:
		return "element of " + f.typeName(elem(f.pkg.typeOf(e.X)))
	}
	return "value of type " + f.typeName(f.pkg.typeOf(e))
}

func (f *file) typeName(t types.Type) string {
	return shorten(types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg.cfg.Pkg {
			return ""
		}
		return p.Name()
	}))
}

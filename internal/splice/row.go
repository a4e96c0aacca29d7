package splice

import (
	"fmt"
	"go/ast"

	"taskinstr/internal/site"
)

// A Row is one line of the table of sites: the place of a check, and its subject.
type Row struct {
	Position string // file:line:col as the user sees it, without :col where the column is not known
	Expr     string // the expression as the source spells it
	What     string // the declared thing
	Also     string // other accesses that the check covers, separated by tabs
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

// stand notes the accesses that the check of the newest site covers.
func (f *file) stand(t fated) {
	if list := f.pkg.stands(t); len(list) > 0 {
		f.pkg.sites[len(f.pkg.sites)-1].Also = also(t.key, list)
	}
}

func (f *file) describe(e ast.Node, expr, what string) Row {
	return Row{
		Position: f.position(e.Pos()),
		Expr:     site.Text(expr),
		What:     site.Described(what),
	}
}

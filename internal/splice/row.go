package splice

import (
	"fmt"
	"go/ast"
	"go/token"

	"taskinstr/internal/site"
)

// A Row is one line of the table of sites.
type Row struct {
	Position string // file:line:col as the user sees it, without :col if the column is unknown
	Expr     string // the expression as the source spells it
	What     string // the declared thing
	Also     string // other accesses that the check covers, separated by tabs
	New      bool   // a first write to memory that the expression allocates

	// The table in the program lacks the remaining fields, except that Why is on a line of its own.
	Why     string    // why the access has a check, see Plan.Why
	Pos     token.Pos // of the expression; not valid for the check of an Insert
	Kind    site.Kind // of the access
	Wrapper bool      // the runtime makes the check, of the reads of a method wrapper (dynamic.go)
}

// site registers a check of the access e and returns the expression that names its site
// in the generated code.
func (f *file) site(e ast.Node, what string, kind site.Kind) string {
	return f.siteOf(e, f.TextOf(e), what, kind)
}

// siteOf is site for an access that the table spells as expr.
func (f *file) siteOf(e ast.Node, expr, what string, kind site.Kind) string {
	row := f.describe(e, expr, what)
	row.Kind = kind
	if f.plan && f.pkg.cfg.Plan.Why != nil {
		for _, elems := range []bool{false, true} {
			if row.Why == "" {
				row.Why = f.pkg.why(f.KeyOf(e, expr, kind == site.Write, elems))
			}
		}
	}
	return f.pkg.addSite(row)
}

// newSite is site for the first write to memory that e allocates.
func (f *file) newSite(e ast.Node, what string) string {
	s := f.site(e, what, site.Write)
	f.pkg.sites[len(f.pkg.sites)-1].New = true
	return s
}

// why returns the reason why an access has a check, "" if none is known.
func (p *pkg) why(k site.Key) string {
	if p.cfg.Plan == nil {
		return ""
	}
	return p.cfg.Plan.Why[k]
}

// addSite adds a row for a check to the table and returns the expression that names its
// site.
func (p *pkg) addSite(row Row) string {
	p.sites = append(p.sites, row)
	p.stats.Checks++
	n := len(p.sites) - 1
	if p.rows != nil {
		n = p.rows.number(&p.sites[n], n)
	}
	return fmt.Sprintf("&_ti_sites.idx[%d]", n)
}

// siteWith is site for an access of fate t.
func (f *file) siteWith(e ast.Node, t fated, what string, kind site.Kind) string {
	s := f.site(e, what, kind)
	f.stand(t)
	return s
}

// stand lists the accesses that the check of the newest site covers in its row.
func (f *file) stand(t fated) {
	if list := f.pkg.stands(t); len(list) > 0 {
		f.pkg.sites[len(f.pkg.sites)-1].Also = also(t.key, list)
	}
}

// describe returns the row of an access of e, which the table spells as expr.
func (f *file) describe(e ast.Node, expr, what string) Row {
	return Row{
		Position: f.Position(e.Pos(), f.pkg.cfg.Filename),
		Expr:     site.Text(expr),
		What:     site.Described(what),
		Pos:      e.Pos(),
	}
}

// kindOf returns the kind of the access that k names.
func kindOf(k site.Key) site.Kind {
	if k.Write {
		return site.Write
	}
	return site.Read
}

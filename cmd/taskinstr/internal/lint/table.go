package lint

import (
	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// A row identifies a check in the table of sites of a package. It does not say whether the
// access is a read or a write.
type row struct {
	file      string
	line, col int
	expr      string
}

// A baseline lists the checks of a package without a plan.
type baseline struct {
	// plannable has the checks that a plan can decide about. The row may name another
	// expression than the key: the plan knows a write behind the end of a slice by the call of
	// append, the table by the slice.
	plannable map[site.Key]row
	fixed     map[row]string // the other checks, with the declared thing
}

// baselineOf returns the baseline of a package. A plan can decide about a check if two
// conditions hold: the check can be left out, and the analysis knows the access, which is
// then one of sites.
func baselineOf(p *ssapass.Program, pkg *packages.Package, sites []*ssapass.Site) (*baseline, error) {
	list, err := site.Find(p.Source(pkg))
	if err != nil {
		return nil, err
	}
	analysed := map[site.Key]bool{}
	for _, s := range sites {
		analysed[s.Key.Site()] = true
	}
	b := &baseline{plannable: map[site.Key]row{}, fixed: map[row]string{}}
	for i := range list {
		s := &list[i]
		at := p.Fset.PositionFor(s.Pos, true)
		r := row{at.Filename, at.Line, at.Column, s.Expr}
		if s.Fixed || !analysed[s.Key] {
			b.fixed[r] = s.What
		} else {
			b.plannable[s.Key] = r
		}
	}
	return b, nil
}

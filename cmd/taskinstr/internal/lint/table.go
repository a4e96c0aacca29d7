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

// A class is the part of a site's key that a row lacks.
type class struct{ write, elems bool }

// A baseline lists the checks of a package without a plan.
type baseline struct {
	plannable map[class]map[row]bool // the checks that a plan can decide about
	fixed     map[row]string         // the other checks, with the declared thing
}

// baselineOf returns the baseline of a package. A plan can decide about a check if two
// conditions hold: it can leave out this check alone, and the analysis knows the access,
// which is then one of sites.
func baselineOf(p *ssapass.Program, pkg *packages.Package, sites []*ssapass.Site) (*baseline, error) {
	list, err := site.Find(p.Source(pkg))
	if err != nil {
		return nil, err
	}
	analysed := map[site.Key]bool{}
	for _, s := range sites {
		analysed[s.Key.Site()] = true
	}
	b := &baseline{plannable: map[class]map[row]bool{}, fixed: map[row]string{}}
	for i := range list {
		s := &list[i]
		at := p.Fset.PositionFor(s.Pos, true)
		r := row{at.Filename, at.Line, at.Column, s.Expr}
		if s.Fixed || s.Paired || !analysed[s.Key] {
			b.fixed[r] = s.What
			continue
		}
		c := class{s.Key.Write, s.Key.Elems}
		if b.plannable[c] == nil {
			b.plannable[c] = map[row]bool{}
		}
		b.plannable[c][r] = true
	}
	return b, nil
}

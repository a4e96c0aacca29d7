package lint

import (
	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// A row names the subject of one check, as a package's table of sites does: whether the
// access is a read or a write is no part of it.
type row struct {
	file      string
	line, col int
	expr      string
}

// A class of accesses: the part of a site's key that a row lacks.
type class struct{ write, elems bool }

// A baseline lists the checks of a package where no plan leaves one out.
type baseline struct {
	plannable map[class]map[row]bool // checks that a plan can speak of
	fixed     map[row]string         // the other checks, with the declared thing
}

// baselineOf sorts the checks of a package. A plan decides about a check if it can leave
// out this check alone, and if the analysis knows the access: it is one of sites.
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

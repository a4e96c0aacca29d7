package programs

import (
	"fmt"
	"slices"
)

// noExpr is the expression of an access that has none in the source.
const noExpr = "-"

// Check compares the reports of one run of a case with its expectations and returns the
// faults.
func (c *Case) Check(m Mode, reports []Report) []string {
	var faults []string
	stock := m == StockRace
	seen := make([]bool, len(c.Groups))
	for _, r := range reports {
		known := false
		for i, g := range c.Groups {
			if g.Tier != r.Tier {
				continue
			}
			a, b, ok := r.of(g)
			if !ok {
				continue
			}
			seen[i], known = true, true
			if !stock {
				for _, l := range []Line{a, b} {
					if e := g.Exprs[l]; e != noExpr && !r.names(e, l) {
						faults = append(faults, fmt.Sprintf("the report does not name %q, accessed at %s:\n%s", e, l, r.Text))
					}
				}
			}
		}
		if !known && !(stock && c.near(r)) {
			faults = append(faults, fmt.Sprintf("unexpected %s report of %s and %s:\n%s", r.Tier, r.A, r.B, r.Text))
		}
	}
	for i, g := range c.Groups {
		if !seen[i] && !m.beyond(g.Tier) && !(stock && g.NoStock) {
			faults = append(faults, "missing: "+g.String())
		}
	}
	return faults
}

// of returns two accesses that g expects to race and that the report names, one on each
// side.
func (r Report) of(g *Group) (a, b Line, ok bool) {
	for _, a := range append([]Line{r.A}, r.Also[0]...) {
		for _, b := range append([]Line{r.B}, r.Also[1]...) {
			if g.allows(a, b) {
				return a, b, true
			}
		}
	}
	return a, b, false
}

// near reports whether the report is about a nostock race, with one of its two places lost
// by go build -race.
func (c *Case) near(r Report) bool {
	return slices.ContainsFunc(c.Groups, func(g *Group) bool {
		return g.NoStock && (slices.Contains(g.Lines, r.A) || slices.Contains(g.Lines, r.B))
	})
}

// loose reports whether go build -race may miss a race of the case.
func (c *Case) loose() bool {
	return slices.ContainsFunc(c.Groups, func(g *Group) bool { return g.NoStock })
}

// wantExit is the exit code of a run of the case.
func (c *Case) wantExit(m Mode, test bool) int {
	if !c.Expects(Race, m == StockRace) {
		return 0
	}
	if test {
		return 1 // the testing package fails the test itself
	}
	return ExitRace
}

package lint

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// A Count is the number of sites with each fate.
type Count struct {
	Package string         `json:"package,omitempty"`
	Sites   int            `json:"sites"`
	Kept    int            `json:"kept"`
	Removed int            `json:"removed"`
	Guarded int            `json:"guarded"`
	ByPass  map[string]int `json:"by_pass"` // number of removed or guarded sites
}

func (c *Count) add(s *Site) {
	c.Sites++
	switch s.Fate {
	case Kept:
		c.Kept++
		return
	case Removed:
		c.Removed++
	case Guarded:
		c.Guarded++
	}
	c.ByPass[s.Pass]++
}

// A Summary has the counts of each package of a report, and the total.
type Summary struct {
	Packages []*Count `json:"packages"`
	Total    *Count   `json:"total"`
}

func (r *Report) summary() *Summary {
	count := func(pkg string) *Count {
		c := &Count{Package: pkg, ByPass: map[string]int{}}
		for _, p := range r.Passes {
			c.ByPass[p] = 0 // a pass without effect is listed as well
		}
		return c
	}
	sum := &Summary{Packages: []*Count{}, Total: count("")}
	for _, s := range r.Sites { // the sites are sorted by package
		n := len(sum.Packages)
		if n == 0 || sum.Packages[n-1].Package != s.Package {
			sum.Packages = append(sum.Packages, count(s.Package))
			n++
		}
		sum.Packages[n-1].add(s)
		sum.Total.add(s)
	}
	return sum
}

// writeSummary prints the table of packages and passes. The columns of the passes add up to
// the columns removed and guarded.
func (r *Report) writeSummary(w io.Writer) error {
	sum := r.summary()
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "sites\tkept\tremoved\tguarded\t")
	for _, p := range r.Passes {
		fmt.Fprintf(tw, "%s\t", p)
	}
	fmt.Fprintln(tw, "  package")
	row := func(c *Count, name string) {
		fmt.Fprintf(tw, "%d\t%d\t%d\t%d\t", c.Sites, c.Kept, c.Removed, c.Guarded)
		for _, p := range r.Passes {
			fmt.Fprintf(tw, "%d\t", c.ByPass[p])
		}
		fmt.Fprintf(tw, "  %s\n", name)
	}
	for _, c := range sum.Packages {
		row(c, c.Package)
	}
	if len(sum.Packages) != 1 {
		row(sum.Total, "all")
	}
	return tw.Flush()
}

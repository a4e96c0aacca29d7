package optimize

import (
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var (
	measureDir = flag.String("optimize.dir", "", "measure the programs of these packages (a pattern below the repository)")
	verbose    = flag.Bool("optimize.v", false, "list every site with its fate")
)

// TestMeasure prints what each pass removes from a program, and what Make costs.
func TestMeasure(t *testing.T) {
	if *measureDir == "" {
		t.Skip("no -optimize.dir")
	}
	start := time.Now()
	a := analyze(t, "..", *measureDir)
	analysis := time.Since(start)
	start = time.Now()
	p, err := Make(a, All(), Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	total := time.Since(start)
	s := p.Stats
	t.Logf("%s: %d sites, removed %v, guarded %v, dead %d, kept %d; analysis %v, passes %v %v", *measureDir, s.Sites, s.Removed, s.Guarded, s.Dead, s.Kept()-s.Dead, analysis.Round(time.Millisecond), total.Round(time.Millisecond), s.Time)
	why := map[string]int{}
	for i, f := range p.Fates {
		site := a.Sites.List[i]
		if f.Kind == Kept && f.Reason != "its package is checked whole" && f.Reason != noCheck && f.Reason != "one check with the write" {
			why[f.Reason]++
		}
		if *verbose && f.Reason != "its package is checked whole" {
			t.Logf("%s:%d:%d: %s write=%v: %s %s: %s", filepath.Base(site.Key.File), site.Key.Line, site.Key.Col, site.Key.Expr, site.Key.Write, f.Kind, f.Pass, f.Reason)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(why)) {
		t.Logf("kept %4d: %s", why[r], r)
	}
}

package splice

import (
	"maps"
	"path/filepath"
	"testing"

	"taskinstr/internal/site"
)

// listsSites compares the table of a rewritten package with the sites that package site
// finds: with all sites if there is no plan, and with the fixed sites if a plan leaves out
// all others. It follows each site to its check.
func listsSites(t *testing.T, c Config, r *Result) {
	t.Helper()
	found, err := site.Find(c.Source)
	if err != nil {
		t.Error(err)
		return
	}
	omitting := &Plan{Files: map[string]string{}, Fates: map[site.Key]Fate{}}
	all, fixed := map[Row]int{}, map[Row]int{}
	for i, f := range c.Files {
		omitting.Files[filepath.Base(c.Fset.File(f.FileStart).Name())] = site.Digest(c.Src[i])
	}
	for _, s := range found {
		at := c.Fset.PositionFor(s.Pos, true)
		row := Row{Position: site.FormatPosition(at.Filename, at.Line, at.Column), Expr: s.Expr, What: s.What, Kind: s.Kind, Pos: s.Pos}
		all[row]++
		if s.Fixed {
			fixed[row]++
		} else {
			omitting.Fates[s.Key] = Fate{Omit: true}
		}
	}
	sameRows(t, c.Path, r.Sites, all)
	makesChecks(t, c.Path, r)
	c.Plan = omitting
	least, err := Package(c)
	if err != nil {
		t.Error(err)
		return
	}
	// A fixed site and another one may share a row, and a fixed one keeps its check.
	sameRows(t, c.Path+" without checks", least.Sites, fixed)
	makesChecks(t, c.Path+" without checks", least)
	if least.Stats.Unplanned > 0 {
		t.Errorf("%s: %d sites that are not fixed have no check to leave out", c.Path, least.Stats.Unplanned)
	}
}

// sameRows compares the rows of a table with the expected numbers of each.
func sameRows(t *testing.T, name string, rows []Row, want map[Row]int) {
	t.Helper()
	got := map[Row]int{}
	for _, r := range rows {
		r.Wrapper, r.New = false, false // package site does not say it
		got[r]++
	}
	if maps.Equal(got, want) {
		return
	}
	for r, n := range want {
		if got[r] != n {
			t.Errorf("%s: %s: %d checks of %s, found %d sites", name, r.Position, got[r], r.Expr, n)
			return
		}
	}
	for r, n := range got {
		if want[r] != n {
			t.Errorf("%s: %s: %d checks of %s, found %d sites", name, r.Position, n, r.Expr, want[r])
			return
		}
	}
}

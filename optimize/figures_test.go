package optimize_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskinstr/optimize"
	"taskinstr/optimize/passtest"
)

// Figures 8 to 13 of Raman et al. (package detector/serial/espbags) show one program, with the
// checks that remain as the paper's optimizations run one after the other. The test
// compares them with the checks that remain here, in the task and in main.
//
// Two checks differ from the paper. The read of q.y goes in step 10, because nothing
// writes that field. The read of p.x in the loop depends on a flag from step 12 on;
// figure 12 has a check in front of the loop instead, with a test of the loop's length.
// The pass that figure 13 adds removes the check altogether if it has no flag yet.
func TestFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "figure8.go"))
	if err != nil {
		t.Fatal(err)
	}
	a := passtest.Program(t, "figure8.go", string(text))
	for _, figure := range []struct {
		name   string
		passes string
		want   string // the checks that remain; a star marks those behind a flag
	}{
		{"8", "none", "a[ind] b[ind] b[j]= p.x p.x= p.x= q.x= q.y"},
		{"9", "maintask", "a[ind] b[ind] b[j]= p.x p.x= q.x= q.y"},
		{"10", "maintask,readonly", "b[ind] b[j]= p.x p.x= q.x="},
		{"11", "maintask,readonly,escape", "b[ind] b[j]= p.x p.x="},
		{"12", "maintask,readonly,escape,hoist", "b[ind] b[j]= p.x* p.x="},
		{"13", "maintask,readonly,escape,hoist,dominate", "b[ind] b[j]= p.x* p.x="},
		{"13 without 12", "maintask,readonly,escape,dominate", "b[ind] b[j]= p.x="},
	} {
		p := passtest.Plan(t, a, figure.passes)
		var left []string
		for i, site := range a.Sites.List {
			if filepath.Base(site.Key.File) != "figure8.go" || !strings.ContainsAny(site.Key.Expr, ".[") {
				continue
			}
			text := site.Key.Expr
			if site.Key.Write {
				text += "="
			}
			switch p.Fates[i].Kind {
			case optimize.Kept:
			case optimize.Guarded:
				text += "*"
			default:
				continue
			}
			left = append(left, text)
		}
		slices.Sort(left)
		if got := strings.Join(left, " "); got != figure.want {
			t.Errorf("figure %s: left are\n\t%s\nwant\n\t%s", figure.name, got, figure.want)
		}
	}
}

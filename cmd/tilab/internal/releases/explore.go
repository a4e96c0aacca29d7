package releases

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"taskinstr/benchmarks/explored"
)

// An Exploration is the outcome of a case whose defect depends on the schedule.
type Exploration struct {
	Stock     *Figures // of the test without schedules, nil if it did not run
	Schedules int      // that ran
	First     int      // the number of the first schedule that shows the defect, 0 for none
	Shown     int      // the number of schedules that show it
	Verdict
}

// Explore runs the test of c under up to n schedules. The command taskinstr, with its flags, is tool. If stock is
// not nil, the test also runs without schedules, as p says; runs that fail count.
func (h *Host) Explore(ctx context.Context, c Case, tool []string, n int, stock *Tool, p Plan) (Exploration, error) {
	s, err := h.prepare(ctx, c)
	if err != nil {
		return Exploration{}, err
	}
	if !h.Keep {
		defer os.RemoveAll(s.dir)
	}
	var x Exploration
	if stock != nil {
		f, err := h.measure(ctx, c, s, *stock, p)
		if err != nil {
			return x, err
		}
		x.Stock = &f
	}
	args := append([]string{tool[0], "test"}, tool[1:]...)
	args = append(args, "-mod=mod", "-json", "-confirm=false", "-explore="+strconv.Itoa(n), "-explore-dir="+filepath.Join(s.dir, "explored"), "-run="+s.run, s.pkg)
	out, failed := h.Exec(ctx, s.dir, args...) // it fails if there are findings
	var found []explored.Event
	err = explored.Read(bytes.NewReader(explored.Only(out)), func(e explored.Event) error {
		switch {
		case e.Event == "finding" && e.Kind != "predicted race":
			found = append(found, e)
		case e.Event == "end":
			x.Schedules = e.Runs
		}
		return nil
	})
	if err != nil {
		return x, fmt.Errorf("taskinstr test -explore: %v: %w\n%s", failed, err, out)
	}
	x.judge(c, s, found)
	return x, nil
}

// judge fills in the verdict on the findings. The version before passes if one of them is about the defect. The version
// after passes if there are none.
func (x *Exploration) judge(c Case, s *source, found []explored.Event) {
	for _, e := range found {
		x.Evidence += e.Kind + " " + e.Title + "\n" + e.Text + "\n"
		if e.Kind == c.Kind && c.names(s, e.Title+"\n"+e.Text) && e.First > 0 && (x.First == 0 || e.First < x.First) {
			x.First, x.Shown = e.First, e.Runs
		}
	}
	switch {
	case c.Fixed && len(found) == 0:
		x.OK, x.Text = true, "nothing found"
	case c.Fixed:
		x.Text = "found in the fixed version: " + found[0].Kind + " " + found[0].Title
	case x.First > 0:
		x.OK, x.Text = true, "found"
	default:
		x.Text = "not found"
	}
}

// names reports whether the text of a finding names one of the places of the defect.
func (c Case) names(s *source, text string) bool {
	return slices.ContainsFunc(c.Places, func(file string) bool {
		own := slices.ContainsFunc(c.Files, func(f txtar.File) bool { return f.Name == file })
		return strings.Contains(text, s.root+filepath.FromSlash(file)+":") || own && strings.Contains(text, file+":")
	})
}

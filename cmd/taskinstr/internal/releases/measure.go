package releases

import (
	"context"
	"slices"
	"strings"
)

// A Count is how often the runs of one version, built with one tool, at one GOMAXPROCS
// ended with a report.
type Count struct {
	Procs     int // GOMAXPROCS
	Runs      int
	Race      int // with a race that counts
	Predicted int // with a predicted one that counts, and no race
	Failed    int // without a report, and yet not with status 0
}

// Figures are what one tool reported on one version.
type Figures struct {
	Counts  []Count  // one for each GOMAXPROCS
	Reports []Report // those with different places, relative to the module
	Silent  string   // what a run without reports printed
}

// Plan says how often programs run.
type Plan struct {
	Runs  int
	Procs []int // GOMAXPROCS
}

// measure builds the program with t, and runs it as p says.
func (h *Host) measure(ctx context.Context, c Case, s *source, t Tool, p Plan) (Figures, error) {
	exe, err := h.build(ctx, s, t)
	if err != nil {
		return Figures{}, err
	}
	var f Figures
	for _, procs := range p.Procs {
		n := Count{Procs: procs}
		for range p.Runs {
			one, err := h.execute(ctx, s, exe, procs)
			if err != nil {
				return f, err
			}
			if ctx.Err() != nil {
				return f, ctx.Err()
			}
			n.add(c, s, one)
			f.keep(s, one)
		}
		f.Counts = append(f.Counts, n)
	}
	return f, nil
}

// add counts one run.
func (n *Count) add(c Case, s *source, one run) {
	n.Runs++
	counts := func(predicted bool) bool {
		return slices.ContainsFunc(one.reports, func(r Report) bool {
			return r.Predicted == predicted && c.counts(s, r)
		})
	}
	switch {
	case counts(false):
		n.Race++
	case counts(true):
		n.Predicted++
	}
	if len(one.reports) == 0 && !one.ok {
		n.Failed++
	}
}

// counts reports whether a report is about the race that the release describes. In the
// version after, each report counts.
func (c Case) counts(s *source, r Report) bool {
	if c.Fixed {
		return true
	}
	// Where goroutines were created says nothing about what they access.
	stacks, _, _ := strings.Cut(r.Text, "created at:")
	return slices.ContainsFunc(c.Race, func(file string) bool {
		return strings.Contains(stacks, s.root+file+":")
	})
}

// keep remembers the reports that differ.
func (f *Figures) keep(s *source, one run) {
	for _, rep := range one.reports {
		for i := range rep.Places {
			rep.Places[i] = strings.TrimPrefix(rep.Places[i], s.root)
		}
		if rep.Places[1] < rep.Places[0] {
			rep.Places[0], rep.Places[1] = rep.Places[1], rep.Places[0]
		}
		same := func(o Report) bool { return o.Predicted == rep.Predicted && o.Places == rep.Places }
		if !slices.ContainsFunc(f.Reports, same) {
			f.Reports = append(f.Reports, rep)
		}
	}
	if len(one.reports) == 0 && (f.Silent == "" || !one.ok) {
		f.Silent = one.status + "\n" + one.text
	}
}

package releases

import (
	"context"
	"slices"
	"strings"

	"taskinstr/cmd/tilab/internal/racelog"
	"time"
)

// A Count is the number of runs that ended with a report, for one version, tool and
// GOMAXPROCS.
type Count struct {
	Procs     int // GOMAXPROCS
	Runs      int
	Race      int // runs with a race that counts
	Predicted int // runs with a predicted race that counts, and no race
	Failed    int // runs without a report that ended with a status other than 0
	Shown     int // runs that show a defect of the release's kind, if it is one of Findings
}

// Figures are the reports of one tool on one version.
type Figures struct {
	Counts  []Count          // one for each GOMAXPROCS
	Reports []racelog.Report // one for each pair of places, which are relative to the module
	Silent  string           // output of a run without reports
}

// Plan holds the number of runs, the values of GOMAXPROCS and the time after which a test fails.
type Plan struct {
	Runs  int
	Procs []int         // GOMAXPROCS
	Limit time.Duration // 0: none
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
			one, err := h.execute(ctx, s, exe, procs, p.Limit)
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
		return slices.ContainsFunc(one.reports, func(r racelog.Report) bool {
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
	if one.shows(c.Kind) {
		n.Shown++
	}
}

// shows reports whether a run of a test ended in a way that is of a kind of Findings.
func (one run) shows(kind string) bool {
	blocked := strings.Contains(one.text, "panic: test timed out") || strings.Contains(one.text, "all goroutines are asleep")
	switch kind {
	case "race":
		return len(one.reports) > 0
	case "deadlock", "time-out":
		return blocked
	case "panic":
		return !blocked && strings.Contains(one.text, "panic: ")
	case "test failure":
		return !blocked && len(one.reports) == 0 && strings.Contains(one.text, "--- FAIL: ")
	}
	return false
}

// counts reports whether a report is about the race that the release describes. In the
// version after, each report counts.
func (c Case) counts(s *source, r racelog.Report) bool {
	if c.Fixed {
		return true
	}
	// The creation stacks of goroutines are no evidence of their accesses.
	stacks, _, _ := strings.Cut(r.Text, "created at:")
	return slices.ContainsFunc(c.Places, func(file string) bool {
		return strings.Contains(stacks, s.root+file+":")
	})
}

// keep adds the reports of a run that have new places.
func (f *Figures) keep(s *source, one run) {
	for _, rep := range one.reports {
		for i := range rep.Places {
			rep.Places[i] = strings.TrimPrefix(rep.Places[i], s.root)
		}
		same := func(o racelog.Report) bool { return o.Predicted == rep.Predicted && o.Pair() == rep.Pair() }
		if !slices.ContainsFunc(f.Reports, same) {
			f.Reports = append(f.Reports, rep)
		}
	}
	if len(one.reports) == 0 && (f.Silent == "" || !one.ok) {
		f.Silent = one.status + "\n" + one.text
	}
}

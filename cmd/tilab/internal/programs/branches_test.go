package programs

import (
	"context"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/internal/replay"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

// The outcomes of the detector ptracer for cases where it disagrees with the label.
const (
	nothing  = "nothing found"
	possible = "possible, not decided"
	wrong    = "a race that is none"
)

// A shortcoming is a known disagreement of the detector with a label: the outcome and its
// reason.
type shortcoming struct{ outcome, why string }

var shortcomings = map[string]shortcoming{
	// The task that writes x is forked below the scope of child, and ends in the scope of
	// grandchild, which is around that one: it leaves the scope of child before that ends. So it
	// is parallel to the read of x, and ordered before the end of main. The events have this order,
	// and graph, drdp and engine report the race. The program structure tree has no place for such
	// a task: below the scope of child it precedes the read, and below the scope around it nothing
	// of child's task would precede it. With an access of main between the fork and the Wait
	// of child the order is an N, which no series-parallel tree has; and the two accesses
	// that a history keeps represent their class in such trees alone.
	"racy/Orphan": {nothing, "a task leaves its finish scope for the scope around it, an order that is not series-parallel; the verdict says so"},
}

// unconfirmed are cases with an order that a replay does not confirm.
var unconfirmed = map[string]bool{}

// TestPTracerBranches records each test of PTRacer's evaluation in the serial schedule,
// with values, and compares the findings of the detector ptracer with the label. They
// include races of branches not taken, and races that no schedule has.
func TestPTracerBranches(t *testing.T) {
	if Mode(*mode) != TaskInstr {
		t.Skip("-race records nothing")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the runtime reads and writes no files here")
	}
	tc := toolchain(t)
	tc.Branches = true
	p, err := Build(t.Context(), tc, ptracer, TaskInstr, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	left := maps.Clone(shortcomings)
	counts := map[string]int{}
	orders, confirmed := 0, 0
	for _, c := range p.Cases {
		f, err := p.diagnose(t.Context(), c, filepath.Join(t.TempDir(), "trace"))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		orders, confirmed = orders+f.orders, confirmed+f.confirmed
		if f.confirmed < f.orders && !unconfirmed[c.Name] {
			t.Errorf("%s: only %d of %d orders were confirmed:\n%v", c.Name, f.confirmed, f.orders, f)
		}
		outcome := f.outcome(c)
		due := left[c.Name]
		delete(left, c.Name)
		switch {
		case outcome == due.outcome:
		case outcome == "":
			t.Errorf("%s is judged right, remove it from the shortcomings (%s)", c.Name, due.why)
		default:
			t.Errorf("%s: %s, want %q:\n%v", c.Name, outcome, due.outcome, f)
		}
		label, _, _ := strings.Cut(c.Name, "/")
		if outcome == "" {
			outcome = "right"
			if label == "clean" && len(f.races) > 0 {
				outcome = "reported, but with what is outside of the model"
			}
		}
		counts[label+": "+outcome]++
	}
	for name := range left {
		t.Errorf("%s is among the shortcomings and no case", name)
	}
	t.Logf("%d of %d orders were confirmed by a replay", confirmed, orders)
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d", k, counts[k])
	}
}

// A finding is the detector's result for the run of a case.
type finding struct {
	races   []found
	outside bool // the verdict names operations outside of the model

	orders, confirmed int // numbers of races with an order, and of races that happened when it was run
}

// A found is a race between two lines.
type found struct {
	tier event.Tier
	a, b Line
	note string
}

// diagnose records a case into file and runs the detector on the trace.
func (p *Program) diagnose(ctx context.Context, c *Case, file string) (*finding, error) {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.exe, "-order=free", c.Name)
	cmd.Env = append(Environ("TASKINSTR", "GOMAXPROCS"), "TASKINSTR=schedule=serial trace="+file+" trace_values=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), caseEnd(c.Name)) {
		return nil, fmt.Errorf("the case did not run to its end: %v\n%s", err, out)
	}
	choices, err := suite.Parse("ptracer")
	if err != nil {
		return nil, err
	}
	open := trace.File(file)
	results, err := suite.Run(open, choices)
	if err != nil {
		return nil, err
	}
	s, err := replay.Symbols(open)
	if err != nil {
		return nil, err
	}
	f := &finding{outside: len(results[0].Outside) > 0}
	orders := replay.Orders{File: file + ".order", Program: p.exe, Args: []string{"-order=free", c.Name}}
	for _, r := range results[0].Races {
		if r.Schedule != "" {
			o, err := orders.Confirm(ctx, s, r)
			if err != nil {
				return nil, err
			}
			switch {
			case r.Tier == event.TierPredicted:
				f.orders++
				if o.Confirmed {
					f.confirmed++
				}
			case o.Confirmed: // running the order decided a possible race
				r.Tier = event.TierPredicted
			}
			r.Note += "; " + o.Text
		}
		f.races = append(f.races, found{r.Tier, p.lineOf(s, r.First), p.lineOf(s, r.Second), r.Note})
	}
	return f, nil
}

// lineOf returns the line of an access in the program's own files.
func (p *Program) lineOf(s *trace.Symbols, x event.Party) Line {
	if words := strings.Split(s.Place(x.Site).Position, ":"); len(words) >= 2 {
		for k := len(words) - 2; k < len(words); k++ { // file:line or file:line:column
			n, err := strconv.Atoi(words[k])
			if base := filepath.Base(words[k-1]); err == nil && p.own[base] {
				return Line{base, n}
			}
		}
	}
	for _, call := range s.Calls(x.Site, x.Stack) {
		if base := filepath.Base(call.File); p.own[base] {
			return Line{base, call.Line}
		}
	}
	return Line{}
}

// outcome describes how a finding disagrees with the case's label, "" if it agrees.
func (f *finding) outcome(c *Case) string {
	label, _, _ := strings.Cut(c.Name, "/")
	seen := make([]bool, len(c.Groups))
	var undecided []int // groups, -1 for none
	for _, r := range f.races {
		k := slices.IndexFunc(c.Groups, func(g *Group) bool { return g.allows(r.a, r.b) })
		switch {
		case label == "clean" && f.outside:
		case r.tier == event.TierPossible:
			undecided = append(undecided, k)
		case k < 0 || c.Groups[k].Tier == Infeasible || c.Groups[k].Tier == Feasible && r.tier != event.TierPredicted:
			return wrong
		default:
			seen[k] = true
		}
	}
	// A possible race is ignored if a real race of the same lines is found.
	if slices.ContainsFunc(undecided, func(k int) bool { return k < 0 || !seen[k] }) {
		return possible
	}
	for k, g := range c.Groups {
		if !seen[k] && g.Tier != Infeasible {
			return nothing
		}
	}
	return ""
}

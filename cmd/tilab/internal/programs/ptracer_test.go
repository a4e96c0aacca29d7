package programs

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const ptracer = repo + "/testdata/ptracer"

// TestPTracer runs the tests that PTRacer was evaluated with: each in its observed
// schedule, once, and those whose label depends on the schedule in the reversed one, too.
// All of them together, as often as one likes:
//
//	go test ./cmd/tilab/internal/programs -run PTracer -runs 4 [-procs 1,2,8] [-mode race]
//
// The engine knows the branch taken only: nothing is reported of the others in the
// observed schedule. In the reversed one the branch is taken.
func TestPTracer(t *testing.T) {
	p := build(t, ptracer)
	p.runCases(t)
	for _, c := range p.Cases {
		if label, _, _ := strings.Cut(c.Name, "/"); label == "racy" || label == "clean" && *runs == 0 {
			continue
		}
		t.Run("reversed/"+c.Name, func(t *testing.T) {
			t.Parallel()
			for _, n := range gomaxprocs(t) {
				if faults := p.runReversed(t.Context(), c, n); len(faults) > 0 {
					t.Fatalf("GOMAXPROCS=%d: %s", n, strings.Join(faults, "\n"))
				}
			}
		})
	}
}

// runReversed runs a case with its tasks in the reversed order. Races that the observed order
// hides, or leaves in a branch not taken, happen there.
func (p *Program) runReversed(ctx context.Context, c *Case, procs int) []string {
	out, code, err := p.exec(ctx, []string{"-order=reversed", c.Name}, procs)
	if err != nil || !strings.Contains(out, caseEnd(c.Name)) {
		return []string{"the case did not run to its end:\n" + out}
	}
	happens := &Case{Name: c.Name}
	for _, g := range c.Groups {
		if g.Tier != Infeasible {
			h := *g
			h.Tier = Race
			happens.Groups = append(happens.Groups, &h)
		}
	}
	reports := ParseReports(out, p.own)
	faults := happens.Check(p.Mode, reports)
	if want := happens.wantExit(p.Mode, false); code != want && len(faults) == 0 {
		faults = append(faults, "wrong exit code:\n"+out)
	}
	return faults
}

// TestPTracerCounts compares the labels with the counts of the paper, and the names in the
// source with those that the program knows of.
func TestPTracerCounts(t *testing.T) {
	cases, err := Cases(ptracer)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	counts := map[string]int{}
	for _, c := range cases {
		names = append(names, c.Name)
		label, _, _ := strings.Cut(c.Name, "/")
		counts[label]++
		for _, g := range c.Groups {
			if want := tiersOf[label]; !slices.Contains(want, g.Tier) {
				t.Errorf("%s: %s, want %v", c.Name, g, want)
			}
			if len(g.Lines) == 1 && g.Tier != Race {
				t.Errorf("%s: %s names one access, want two", c.Name, g)
			}
		}
	}
	visible := counts["racy"] + counts["predicted"]
	if total, other := len(cases), counts["branch-feasible"]; total != 120 || visible != 46 || other != 14 {
		t.Errorf("%d tests, %d with a race of what is executed and %d with a branch not taken, want 120, 46 and 14", total, visible, other)
	}
	exe := filepath.Join(t.TempDir(), "ptracer")
	if out, err := exec.Command("go", "build", "-o", exe, ptracer).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(out))
	slices.Sort(names)
	slices.Sort(known)
	if !slices.Equal(names, known) {
		t.Errorf("the harness finds the tests\n%v\nand the program knows of\n%v", names, known)
	}
	for _, args := range [][]string{{"racy/NoSuchTest"}, {"-order=sideways"}} {
		if exec.Command(exe, args...).Run() == nil {
			t.Errorf("%v is no error", args)
		}
	}
}

// tiersOf lists the tiers of the expectations of each label.
var tiersOf = map[string][]Tier{
	"racy":              {Race},
	"predicted":         {Predicted, Commuting},
	"branch-feasible":   {Feasible},
	"branch-infeasible": {Infeasible},
}

package programs

import (
	"bytes"
	"context"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	mode  = flag.String("mode", string(TaskInstr), "how the programs are built: taskinstr or race")
	tool  = flag.String("tool", "", "the taskinstr command; built from the tree by default")
	runs  = flag.Int("runs", 0, "run each case this many times at every GOMAXPROCS of -procs; 0: once")
	procs = flag.String("procs", "1,2,8", "values of GOMAXPROCS for -runs")
)

// repo is the root of the module.
const repo = "../../../.."

func toolchain(t *testing.T) Toolchain {
	t.Helper()
	if Mode(*mode) == StockRace {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("-race needs gcc")
		}
		return Toolchain{}
	}
	if *tool != "" {
		abs, err := filepath.Abs(*tool)
		if err != nil {
			t.Fatal(err)
		}
		return Toolchain{Tool: abs}
	}
	exe := filepath.Join(t.TempDir(), "taskinstr")
	if out, err := exec.Command("go", "build", "-o", exe, repo+"/cmd/taskinstr").CombinedOutput(); err != nil {
		t.Fatalf("building taskinstr: %v\n%s", err, out)
	}
	return Toolchain{Tool: exe}
}

// gomaxprocs lists the values for the runs of a case; 0 is the default.
func gomaxprocs(t *testing.T) []int {
	if *runs == 0 {
		return []int{0}
	}
	var ps []int
	for f := range strings.SplitSeq(*procs, ",") {
		n, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		for range *runs {
			ps = append(ps, n)
		}
	}
	return ps
}

func runProgram(t *testing.T, dir string) {
	p, err := Build(context.Background(), toolchain(t), dir, Mode(*mode), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			ps := gomaxprocs(t)
			bad := 0
			for _, n := range ps {
				if faults := p.Run(t.Context(), c, n); len(faults) > 0 {
					if bad++; bad == 1 {
						t.Errorf("GOMAXPROCS=%d: %s", n, strings.Join(faults, "\n"))
					}
				}
			}
			if bad > 0 && len(ps) > 1 {
				t.Errorf("wrong in %d of %d runs", bad, len(ps))
			}
		})
	}
}

func TestPatterns(t *testing.T) { runProgram(t, repo+"/testdata/patterns") }

// TestNamesAgree compares the cases that the harness finds in the source with
// those that the program knows of.
func TestNamesAgree(t *testing.T) {
	cases, err := Cases(repo + "/testdata/patterns")
	if err != nil {
		t.Fatal(err)
	}
	inSource := map[string]bool{}
	for _, c := range cases {
		name, _, numbered := strings.Cut(c.Name, "(")
		if numbered {
			name += "(N)"
		}
		inSource[name] = true
	}
	exe := filepath.Join(t.TempDir(), "patterns")
	if out, err := exec.Command("go", "build", "-o", exe, repo+"/testdata/patterns").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(bytes.TrimSpace(out)))
	for _, n := range names {
		if !inSource[n] {
			t.Errorf("the harness does not find case %s", n)
		}
		delete(inSource, n)
		if rest, ok := strings.CutPrefix(n, "racy/"); ok && !slices.Contains(names, "fixed/"+rest) {
			t.Errorf("case %s has no fixed form", n)
		}
	}
	for n := range inSource {
		t.Errorf("the program does not know case %s", n)
	}
	if err := exec.Command(exe, "racy/NoSuchCase").Run(); err == nil {
		t.Error("an unknown case is no error")
	}
}

package programs

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs/gen"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var (
	mode   = flag.String("mode", string(TaskInstr), "how the programs are built: taskinstr or race")
	tool   = flag.String("tool", "", "the taskinstr command; built from the tree by default")
	passes = flag.String("passes", "", "static optimizations to build with")
	scope  = flag.String("scope", "", "the part of the program that the optimizations see: package or program")
	runs   = flag.Int("runs", 0, "run each case this many times at every GOMAXPROCS of -procs; 0: once")
	seed   = flag.Uint64("seed", 1, "of the generated programs")
	cases  = flag.Int("cases", 200, "in the generated program")
	keep   = flag.String("keep", "", "folder to keep the generated program in")
	order  = flag.String("schedule", "", "schedule of the runs (docs/design/schedule.md)")
	procs  = flag.String("procs", "1,2,8", "values of GOMAXPROCS for -runs")
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
	return Toolchain{Tool: tooltest.Tool(t, *tool), Passes: *passes, Scope: *scope}
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

func build(t *testing.T, dir string) *Program {
	t.Helper()
	p, err := Build(context.Background(), toolchain(t), dir, Mode(*mode), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p.Schedule = *order
	return p
}

func (p *Program) runCases(t *testing.T) {
	for _, c := range p.Cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if p.Schedule != "" && c.NoSchedule {
				t.Skip("missed under a schedule")
			}
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

func TestPatterns(t *testing.T) {
	p := build(t, repo+"/testdata/patterns")
	if p.Mode == TaskInstr && p.Schedule == "" {
		t.Run("ExitTimes", p.exitTimes) // alone: the cases are parallel
	}
	p.runCases(t)
	if p.Mode == TaskInstr && p.Schedule == "" && *runs == 0 {
		serial := *p
		serial.Schedule = "serial"
		t.Run("Serial", serial.runCases)
	}
}

func TestSubtests(t *testing.T) { build(t, repo+"/testdata/subtests").runCases(t) }

// exitTimes checks that a program waits at its end for goroutines that can still run, and
// only for those.
func (p *Program) exitTimes(t *testing.T) {
	const second = time.Second // the longest wait
	for _, tt := range []struct {
		name         string
		least, below time.Duration
	}{
		{"fixed/ExitSpawned", 0, second / 2},
		{"fixed/ExitBlocked", 0, second / 2},
		{"fixed/ExitServer", 0, second / 2},
		{"fixed/ExitTicker", 0, second / 2}, // one round of 20 ms
		{"racy/ExitSleeper", 50 * time.Millisecond, second / 2},
		{"fixed/ExitSpinner", second, 2 * second},
	} {
		// The machine may be busy, so the shortest of several runs counts.
		var took time.Duration
		for try := range 5 {
			start := time.Now()
			if out, _, err := p.exec(t.Context(), []string{tt.name}, 0); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if d := time.Since(start); try == 0 || d < took {
				took = d
			}
			if took < tt.below {
				break
			}
		}
		if took < tt.least || took >= tt.below {
			t.Errorf("%s took %v, want %v to %v", tt.name, took, tt.least, tt.below)
		}
	}
}

// TestGenerated runs random programs whose races are known by construction,
// many cases in one process.
func TestGenerated(t *testing.T) {
	files, err := gen.Program(*seed, *cases)
	if err != nil {
		t.Fatal(err)
	}
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	if err := random.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	p, err := Build(t.Context(), toolchain(t), dir, Mode(*mode), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const perProcess = 50
	for chunk := range slices.Chunk(p.Cases, perProcess) {
		t.Run(chunk[0].Name, func(t *testing.T) {
			t.Parallel()
			for _, n := range gomaxprocs(t) {
				faults, err := p.RunAll(t.Context(), chunk, n)
				if err != nil {
					t.Fatalf("GOMAXPROCS=%d, -seed=%d: %v", n, *seed, err)
				}
				for name, f := range faults {
					t.Errorf("GOMAXPROCS=%d, -seed=%d: %s: %s", n, *seed, name, strings.Join(f, "\n"))
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

// TestExamples runs the examples as a reader of the README would.
func TestExamples(t *testing.T) {
	tests := []struct {
		name string
		tier Tier // of the only report; "" if there is none
		line string
		out  string
		exit int
	}{
		{"bank", Race, "return acct.balance", "Ada has 150", 66},
		{"bankfixed", "", "", "total 400", 0},
		{"predicted", Predicted, "if vault == 0", "vault 1000", 0},
		{"pipeline", "", "", "fox 300", 0},
		{"structured", Race, "h.total += len(values)", "median 50 <nil>", 66},
		{"structuredfixed", "", "", "total 4000", 0},
	}
	tc := toolchain(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(repo, "examples", tt.name)
			p, err := Build(t.Context(), tc, dir, Mode(*mode), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			out, code, err := p.exec(t.Context(), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			if code != tt.exit || !strings.Contains(out, tt.out) {
				t.Errorf("exit code %d, want %d, with output %q:\n%s", code, tt.exit, tt.out, out)
			}
			reports := ParseReports(out, p.own)
			if tt.tier == "" || tt.tier == Predicted && p.Mode == StockRace {
				if len(reports) > 0 {
					t.Errorf("unexpected reports:\n%s", out)
				}
				return
			}
			if len(reports) != 1 || reports[0].Tier != tt.tier {
				t.Fatalf("want one %s report:\n%s", tt.tier, out)
			}
			src, err := os.ReadFile(filepath.Join(dir, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(src), "\n")
			r := reports[0]
			if !strings.Contains(lines[r.A.Line-1]+lines[r.B.Line-1], tt.line) {
				t.Errorf("no access of the report is at %q:\n%s", tt.line, r.Text)
			}
		})
	}
}

// TestNamesAgree compares the cases that the harness finds in the source with the cases
// that the program lists.
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

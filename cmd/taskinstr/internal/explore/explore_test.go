package explore

import (
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"taskinstr/benchmarks/zipper/programs"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/taskinstr/internal/explore/script"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/zipper/orders"
	"taskinstr/detector/offline/zipper/orders/model"
)

var (
	tool    = flag.String("tool", "", "the taskinstr command; built from the tree by default")
	scripts = flag.Int("scripts", 15, "random programs, each with isolated sections and with a Mutex")
	most    = flag.Int("orders", 130, "programs with more orders of sections are left out")
)

func build(t *testing.T, dir string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("records cannot be written here")
	}
	exe := filepath.Join(t.TempDir(), "program.exe")
	cmd := exec.Command(tooltest.Tool(t, *tool), "build", "-o", exe, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return exe
}

// exploreProgram explores a real program.
func exploreProgram(t *testing.T, exe string, args ...string) *session {
	t.Helper()
	o, err := parse(option.Default(), append([]string{"-exe=" + exe}, args...))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProgram(option.Default(), o, os.Stderr, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	s := newSession(o, p)
	s.progress = &terminal.Progress{}
	s.note = func(string, ...any) {}
	s.found = func(*finding) error { return nil }
	if err := s.explore(t.Context()); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return s
}

// compare expects the verdict and the orders of its model from a real program.
func compare(t *testing.T, s *session, m orders.Result, what any) {
	t.Helper()
	race := s.counted[event.TierRace] > 0
	switch {
	case race != (m.Race != nil):
		t.Errorf("%v: %s; the model: %v", what, s.verdict(), m)
	case !race && (!s.complete || s.orders != m.Orders):
		t.Errorf("%v: %s; the model: %v", what, s.extent(), m)
	case !race && len(s.proved()) == 0:
		t.Errorf("%v: %s", what, s.verdict())
	}
}

// The programs of table 3 of the paper on Zipper that have isolation have the verdicts of
// their models, and as many orders.
func TestTable3(t *testing.T) {
	exe := build(t, "../../../../benchmarks/zipper/run")
	compared := 0
	for _, p := range programs.Table {
		if !p.Isolation {
			continue
		}
		m, err := orders.Explore(model.Runner(p.Run, nil), orders.Config{Limit: *most})
		if err != nil {
			t.Fatal(err)
		}
		if !m.Complete {
			continue
		}
		s := exploreProgram(t, exe, "-program", p.Name)
		compare(t, s, m, p.Name)
		if race := s.counted[event.TierRace] > 0; race != p.Race {
			t.Errorf("%s: race %v, want %v", p.Name, race, p.Race)
		}
		t.Logf("%s: %s; %s", p.Name, s.extent(), s.verdict())
		compared++
	}
	if compared < 7 {
		t.Errorf("only %d programs were compared", compared)
	}
}

// modelMachine runs scripts as models.
type modelMachine struct {
	t *model.Task
	v *model.Ints
}

func (m modelMachine) Async(body func(script.Machine)) {
	m.t.Async(func(t *model.Task) { body(modelMachine{t, m.v}) })
}
func (m modelMachine) Finish(body func())   { m.t.Finish(body) }
func (m modelMachine) Isolated(body func()) { m.t.Isolated(body) }
func (m modelMachine) Load(i int) int       { return m.t.Load(m.v, i) }
func (m modelMachine) Store(i, x int)       { m.t.Store(m.v, i, x) }

// Random programs have the same verdict as their models, and as many orders, whether
// sections are either sections of Isolated or sections of a Mutex.
func TestScripts(t *testing.T) {
	exe := build(t, "testdata/script")
	racy, free, runs, several := 0, 0, 0, 0
	for seed := uint64(0); racy+free < *scripts; seed++ {
		p := script.Random(rand.New(rand.NewPCG(seed, 7)), 10+int(seed%15))
		m, err := orders.Explore(model.Runner(func(t *model.Task) {
			v := t.Ints(script.Variables)
			t.Finish(func() { p.Run(modelMachine{t, v}) })
		}, nil), orders.Config{Limit: *most})
		if err != nil {
			t.Fatal(err)
		}
		const rare = 16 // the results of a single run need few programs
		if !m.Complete || m.Orders == 1 && seed%rare != 0 {
			continue
		}
		for _, args := range [][]string{{p.String()}, {"-mutex", p.String()}} {
			s := exploreProgram(t, exe, args...)
			compare(t, s, m, args)
			runs += s.program.runs
		}
		if m.Orders > 1 {
			several++
		}
		if m.Race != nil {
			racy++
		} else {
			free++
		}
	}
	t.Logf("%d programs have a race, %d have none; %d took several orders; %d runs", racy, free, several, runs)
	if racy == 0 || free == 0 || several < *scripts/3 {
		t.Error("the programs are too much alike")
	}
}

// A line of an order names a few of the tasks that could have come first.
func TestEntryLine(t *testing.T) {
	e := entry{Task: "main.1", Goroutine: 7, Position: "p.go:3:2", Lock: "mu", Instead: []string{"a", "b", "c", "d", "e", "f"}}
	if got, want := e.line(0), "   1. main.1 (goroutine 7) enters mu at p.go:3:2, before a, b, c, d and 2 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Instead = e.Instead[:4]
	if got, want := e.line(0), "   1. main.1 (goroutine 7) enters mu at p.go:3:2, before a, b, c, d"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

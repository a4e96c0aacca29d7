package selftest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/gen"
	"taskinstr/cmd/tilab/internal/programs/random"
)

// programsSuite runs random programs whose races are known by construction: events in
// random order (package gen), of both tiers, and statements in random order (package
// nest). -seed and -cases choose them. A case passes if it passes with each of -passes.
var programsSuite = suite{
	name:  "programs",
	about: "generated programs whose races are known by construction: exactly these must be reported, with each of -passes",
	limit: 5 * time.Minute,
	list:  listPrograms,
	run:   runPrograms,
}

// generate writes the program of the run into the temporary directory.
func (h *harness) generate() (dir string, err error) {
	dir = filepath.Join(h.work, "generated")
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	files, err := gen.Program(h.seed, h.cases)
	if err != nil {
		return "", err
	}
	return dir, random.Write(dir, files)
}

func listPrograms(ctx context.Context, h *harness) ([]string, error) {
	dir, err := h.generate()
	if err != nil {
		return nil, err
	}
	cases, err := programs.Cases(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.Name)
	}
	if h.mode == taskinstr {
		names = append(names, h.nestedNames()...)
	}
	return names, nil
}

// casesPerProcess are run one after the other by one process of the program.
const casesPerProcess = 50

func runPrograms(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	var m programs.Mode
	switch h.mode {
	case race:
		m = programs.StockRace
	case taskinstr:
		m = programs.TaskInstr
	default:
		return fmt.Errorf("-mode=%s: the suite expects reports", h.mode)
	}
	dir, err := h.generate()
	if err != nil {
		return err
	}
	sets := []string{""}
	if h.mode == taskinstr {
		sets = h.passes
	}
	faults := map[string]*Result{}
	var order []string
	for _, set := range sets {
		err := h.runEvents(ctx, dir, m, set, names, func(r Result) {
			old := faults[r.Name]
			if old == nil {
				order = append(order, r.Name)
			}
			if old == nil || old.Status == passed {
				faults[r.Name] = &r
			}
		})
		if err != nil {
			return err
		}
	}
	for _, n := range order {
		emit(*faults[n])
	}
	if h.mode != taskinstr {
		return nil
	}
	return h.runNested(ctx, names, emit)
}

// toolchain returns the settings that build programs with a set of static optimizations.
func (h *harness) toolchain(set string) programs.Toolchain {
	tc := programs.Toolchain{Go: h.tc.goCommand(), Tool: h.toolexec, Env: h.env}.With(set)
	if set != "" { // the wrapper, whose path is not quoted
		tc.Tool = gocmd.Fields(h.toolexec)[0]
	}
	return tc
}

// runEvents runs the cases of package gen, built with a set of static optimizations.
func (h *harness) runEvents(ctx context.Context, dir string, m programs.Mode, set string, names []string, emit func(Result)) error {
	p, err := programs.Build(ctx, h.toolchain(set), dir, m, h.work)
	if err != nil {
		return err
	}
	cases := slices.DeleteFunc(p.Cases, func(c *programs.Case) bool { return !slices.Contains(names, c.Name) })

	var wg sync.WaitGroup
	var mu sync.Mutex
	slots := make(chan struct{}, h.parallel)
	for chunk := range slices.Chunk(cases, casesPerProcess) {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			list := runChunk(ctx, h, p, chunk)
			mu.Lock()
			defer mu.Unlock()
			for _, r := range list {
				if r.Status != passed && set != "" {
					r.Reason = "-passes=" + set + ": " + r.Reason
				}
				emit(r)
			}
		})
	}
	wg.Wait()
	return nil
}

// runChunk runs cases in one process. If the process does not end normally, the failing
// case is unknown, so each case is run again in a process of its own.
func runChunk(ctx context.Context, h *harness, p *programs.Program, cases []*programs.Case) []Result {
	faults, err := p.RunAll(ctx, cases, 0)
	if err != nil {
		faults = map[string][]string{}
		for _, c := range cases {
			if ctx.Err() != nil {
				return nil
			}
			if f := p.Run(ctx, c, 0); len(f) > 0 {
				faults[c.Name] = f
			}
		}
	}
	var results []Result
	for _, c := range cases {
		r := Result{Name: c.Name, Status: passed}
		if f := faults[c.Name]; len(f) > 0 {
			why, _, _ := strings.Cut(f[0], "\n")
			r = h.fail("programs", c.Name, fmt.Sprintf("%s (seed %d)", why, h.seed), []byte(strings.Join(f, "\n")))
		}
		results = append(results, r)
	}
	if err != nil && len(faults) == 0 {
		// Each case alone passes, so the failure needs several cases.
		text := []byte(err.Error())
		results = append(results, h.fail("programs", cases[0].Name+" and those after it", "fail when run in one process: "+firstLine(text), text))
	}
	return results
}

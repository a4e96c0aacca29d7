package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/modules"
	"taskinstr/internal/peak"
	"taskinstr/optimize"
)

type mode string

const (
	plain     mode = "plain"
	race      mode = "race"
	taskinstr mode = "taskinstr" // with -passes=none
	packages  mode = "package"   // taskinstr with -passes=all -scope=package
	passes    mode = "passes"    // taskinstr with -passes=all -scope=program
	branches  mode = "branches"  // taskinstr with -branches=on
)

var allModes = slices.Concat([]mode{plain, race, raceHooks, raceEnters, racePasses, hooks, taskinstr, packages, passes, branches}, strategies)

// strategies are the modes that run the executable of package under a schedule.
var strategies = []mode{"random", "pct", "pos", "surw", "preempt"}

// environment returns the variables that mode m adds to the environment of a program.
func (m mode) environment() []string {
	if slices.Contains(strategies, m) {
		return []string{"TASKINSTR=schedule=" + string(m) + ":1"}
	}
	return nil
}

// less returns the pass that mode m leaves out, as in -gather: package without that pass.
func (m mode) less() (pass string, ok bool) { return strings.CutPrefix(string(m), "-") }

// without returns the modes that leave one pass out each.
func without() (list []mode) {
	for _, p := range optimize.Names() {
		list = append(list, mode("-"+p))
	}
	return list
}

// sample is the measurement of one process; in a result, the medians of all.
type sample struct {
	Wall   float64 `json:"wall_s"`
	CPU    float64 `json:"cpu_s"`
	Memory float64 `json:"peak_bytes"` // 0 if the system does not report it
}

type result struct {
	Kernel  string          `json:"kernel"` // or the name of a recipe
	Kind    string          `json:"kind"`
	Runs    int             `json:"runs"`
	Medians map[mode]sample `json:"medians"`
	// Samples holds the measurements behind the medians. The i-th ones of all modes were
	// made one after the other.
	Samples map[mode][]sample `json:"samples"`
	// Failed holds the error of each mode without medians.
	Failed map[mode]string `json:"failed,omitempty"`
}

// limit bounds the time of one process, including the tests of a recipe.
const limit = modules.TestLimit + time.Minute

// measureAll builds and runs every program in all modes, which take turns. It reports a
// program that fails on standard error and leaves it out in this mode. Its own error is
// the error of ctx.
func measureAll(ctx context.Context, o options, subjects []subject) ([]result, error) {
	var results []result
	for _, s := range subjects {
		fmt.Fprintf(os.Stderr, "compare: %s\n", s.name)
		results = append(results, measureOne(ctx, o, s))
		if ctx.Err() != nil {
			return nil, errors.New("interrupted")
		}
	}
	return results, nil
}

func measureOne(ctx context.Context, o options, s subject) result {
	defer s.done()
	programs, failed := s.build(ctx)
	r := result{Kernel: s.name, Kind: s.kind, Runs: o.runs, Medians: map[mode]sample{}, Failed: map[mode]string{}}
	fail := func(m mode, err error) {
		fmt.Fprintf(os.Stderr, "compare: %s, %s: %v\n", s.name, m, err)
		r.Failed[m] = err.Error()
	}
	for _, m := range o.modes {
		if err := failed[m]; err != nil {
			fail(m, err)
		}
	}
	samples := map[mode][]sample{}
	r.Samples = samples
	for range o.runs {
		for _, m := range o.modes {
			if r.Failed[m] != "" || ctx.Err() != nil {
				continue
			}
			if s, err := one(ctx, programs[m], m.environment()...); err != nil {
				fail(m, err)
			} else {
				samples[m] = append(samples[m], s)
			}
		}
	}
	for m, ss := range samples {
		if r.Failed[m] == "" {
			r.Medians[m] = sample{Wall: median(ss, wallOf), CPU: median(ss, cpuOf), Memory: median(ss, memoryOf)}
		}
	}
	return r
}

// failures counts the programs that failed in some mode.
func failures(results []result) (n int) {
	for _, r := range results {
		if len(r.Failed) > 0 {
			n++
		}
	}
	return n
}

// one runs a process. The programs have no race: a report counts as a failure.
func one(ctx context.Context, p modules.Program, env ...string) (sample, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Dir = p.Dir
	// The pause of -race at exit is not a cost of the checks.
	cmd.Env = append(append(os.Environ(), "GORACE=atexit_sleep_ms=0"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	watched := peak.Watch(cmd.Process)
	err := cmd.Wait()
	wall := time.Since(start)
	memory := watched(cmd.ProcessState)
	switch {
	case strings.Contains(out.String(), "WARNING: DATA RACE"):
		return sample{}, fmt.Errorf("unexpected report:\n%s", out.Bytes())
	case ctx.Err() == context.DeadlineExceeded:
		return sample{}, fmt.Errorf("exceeded %v\n%s", limit, out.Bytes())
	case err != nil:
		return sample{}, fmt.Errorf("%w\n%s", err, out.Bytes())
	}
	return sample{
		Wall:   wall.Seconds(),
		CPU:    measure.Processor(cmd),
		Memory: memory,
	}, nil
}

func median(ss []sample, of func(sample) float64) float64 {
	var vs []float64
	for _, s := range ss {
		vs = append(vs, of(s))
	}
	return measure.Median(vs)
}

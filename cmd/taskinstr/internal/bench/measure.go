package bench

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// measure builds and runs everything.
func measure(ctx context.Context, e *env, version string) (*Report, error) {
	o := e.opts
	r := &Report{
		Version: version, Go: e.vars["GOVERSION"], GOOS: e.vars["GOOS"], GOARCH: e.vars["GOARCH"], CPU: processor(),
		Procs: o.cpus, Count: o.count, Benchmarks: []*Benchmark{}, Packages: []*Package{},
	}
	modes := slices.Clone(o.modes)
	if why := e.noRace(); why != "" {
		modes = slices.DeleteFunc(modes, func(m mode) bool { return m.name == raceMode })
		if len(modes) < len(o.modes) {
			r.Notes = append(r.Notes, "-race is left out: "+why)
		}
	}
	for _, m := range modes {
		r.Modes = append(r.Modes, m.name)
	}
	ts, err := e.targets(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.judge(); err != nil {
		return nil, err
	}
	need := modes
	if e.opts.checks {
		for _, m := range modes {
			if m.checked {
				need = append(slices.Clip(need), m.counting())
			}
		}
	}
	standard, err := e.buildStandard(ctx, need, ts)
	if err != nil {
		return nil, err
	}
	// The plain binaries show which packages have benchmarks.
	if err := e.buildAll(ctx, modes[0], standard, ts); err != nil {
		return nil, err
	}
	of := map[*Benchmark]*target{}
	kept := ts[:0]
	for _, t := range ts {
		b := t.result.Modes[plainMode]
		if b.Failed != "" {
			return nil, fmt.Errorf("%s does not build: %s", t.path, b.Failed)
		}
		if t.exes[plainMode] == "" {
			continue
		}
		e.progress.Show("looking for benchmarks in %s", t.path)
		list, err := e.find(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.path, err)
		}
		for _, b := range list {
			of[b] = t
		}
		if len(list) > 0 {
			kept = append(kept, t)
			r.Benchmarks = append(r.Benchmarks, list...)
			r.Packages = append(r.Packages, t.result)
		}
	}
	if len(r.Benchmarks) == 0 {
		return nil, fmt.Errorf("no benchmark of %s matches -bench=%s", strings.Join(o.patterns, " "), o.bench)
	}
	if err := e.plan(ctx, r, modes, standard, kept); err != nil {
		return nil, err
	}
	for _, m := range modes[1:] {
		if err := e.buildAll(ctx, m, standard, kept); err != nil {
			return nil, err
		}
	}
	if err := e.runAll(ctx, r, of); err != nil {
		return nil, err
	}
	if e.opts.checks {
		if err := e.countChecks(ctx, r, modes, standard, kept, of); err != nil {
			return nil, err
		}
	}
	r.Notes = append(r.Notes, e.notes...)
	r.conclude()
	return r, nil
}

// buildStandard builds the standard library into the cache, once for each family of modes,
// and returns the cache's folder.
func (e *env) buildStandard(ctx context.Context, modes []mode, ts []*target) (string, error) {
	standard, err := standardCache(e.vars["GOCACHE"])
	if err != nil {
		return "", err
	}
	pkgs, err := e.standardPackages(ctx, ts)
	if err != nil {
		return "", err
	}
	done := map[string]bool{}
	for _, m := range modes {
		if done[m.family()] {
			continue
		}
		done[m.family()] = true
		e.progress.Show("building the standard library, %s (once)", m.family())
		if _, err := e.tool(ctx, m.standard(e, pkgs), "GOCACHE="+standard); err != nil {
			return "", fmt.Errorf("standard library, %s: %w", m.family(), err)
		}
	}
	return standard, nil
}

// runAll runs each benchmark in all modes, the modes in turn.
func (e *env) runAll(ctx context.Context, r *Report, of map[*Benchmark]*target) error {
	total, done := len(r.Benchmarks)*len(r.Modes)*e.opts.count, 0
	start := time.Now()
	for _, b := range r.Benchmarks {
		t := of[b]
		for _, m := range r.Modes {
			b.Modes[m] = &Series{Runs: []Run{}}
			if t.exes[m] == "" {
				b.Modes[m].Failed = "it was not built"
			}
		}
		for round := range e.opts.count {
			for i := range r.Modes {
				m := r.Modes[(i+round)%len(r.Modes)]
				left := ""
				if done > len(r.Modes) {
					left = fmt.Sprintf(", about %v left", (time.Since(start) / time.Duration(done) * time.Duration(total-done)).Round(time.Second))
				}
				e.progress.Show("run %d of %d%s: %s %s", done+1, total, left, b.Name, m)
				done++
				s := b.Modes[m]
				if s.Failed != "" {
					continue
				}
				run, err := e.once(ctx, t, b, t.exes[m], b.Iterations)
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if err != nil {
					s.Failed = err.Error()
					continue
				}
				s.Runs = append(s.Runs, run)
			}
		}
	}
	return nil
}

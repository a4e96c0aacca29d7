package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/lint"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/wrapper"
	"taskinstr/optimize"
)

// The modes in program scope share one analysis of each test binary. It happens in a process
// of its own (flag -plan), since it makes a process large, which would show in the measured
// memory of the processes that this one starts. The checks in the binaries are counted there
// as well.

// A planned is the output of such a process.
type planned struct {
	Analysis float64                // seconds
	Modes    map[string]plannedMode // by mode
}

type plannedMode struct {
	Seconds float64 // of the passes and of storing the plans
	Static  *Static
}

// plans returns the folder of the plans.
func (e *env) plans() string { return filepath.Join(e.tmp, "plans") }

// plan makes the plans of all modes in program scope.
func (e *env) plan(ctx context.Context, r *Report, modes []mode, cache string, ts []*target) error {
	var names []string
	for _, m := range modes {
		if m.wholeProgram() {
			names = append(names, m.name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	if err := os.MkdirAll(e.plans(), 0o777); err != nil {
		return err
	}
	for _, t := range ts {
		e.progress.Show("analysing %s", t.path)
		var p planned
		if err := e.child(ctx, cache, t, names, "-plan="+e.plans(), &p); err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			e.notes = append(e.notes, fmt.Sprintf("%s is not analysed before it is built: %v", t.path, err))
			continue
		}
		for _, name := range names {
			t.result.Modes[name] = &Build{Compile: p.Analysis + p.Modes[name].Seconds, Static: p.Modes[name].Static}
		}
	}
	return nil
}

// countUnits counts the checks in the test binary of a mode in package scope, which has just
// been built in the cache.
func (e *env) countUnits(ctx context.Context, m mode, cache string, t *target) error {
	if !scope.Everything(e.opts.pkgs) {
		return nil // lint shows complete builds only
	}
	var p planned
	if err := e.child(ctx, cache, t, []string{m.name}, "-plan=.", &p); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e.notes = append(e.notes, fmt.Sprintf("the checks of %s in %s are not counted: %v", m.name, t.path, err))
		return nil
	}
	if b := t.result.Modes[m.name]; b != nil {
		b.Static = p.Modes[m.name].Static
	}
	return nil
}

// child runs this program with flag -plan and reads its output.
func (e *env) child(ctx context.Context, cache string, t *target, modes []string, flag string, p *planned) error {
	line := append([]string{e.self}, e.opts.base...)
	line = append(line, "bench", flag, "-modes="+strings.Join(modes, ","))
	out, err := e.tool(ctx, append(append(line, e.opts.build...), t.path), "GOCACHE="+cache)
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(out), p)
}

// planMain is the process of flag -plan: it plans the modes for the test binary of one
// package, counts the checks, and prints a planned. The plans of modes in program scope are
// stored in the folder that the flag names.
func planMain(base option.Set, o *options, stdout, stderr io.Writer) int {
	p, err := makePlans(base, o)
	if err == nil {
		err = json.NewEncoder(stdout).Encode(p)
	}
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr bench: %v\n", err)
		return exitFailed
	}
	return exitOK
}

func makePlans(base option.Set, o *options) (*planned, error) {
	if len(o.patterns) != 1 {
		return nil, errors.New("-plan takes one package")
	}
	dir, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	flags, err := o.tagged()
	if err != nil {
		return nil, err
	}
	p := &planned{Modes: map[string]plannedMode{}}
	var sets []optimize.Set
	for _, m := range o.modes {
		s := base
		s.Passes, s.Scope = m.set, m.scope
		switch {
		case !m.checked:
		case m.wholeProgram():
			if !slices.Contains(sets, m.set) {
				sets = append(sets, m.set)
			}
		default:
			c, err := lint.CountUnits(s, dir, flags, o.patterns[0])
			if err != nil {
				return nil, err
			}
			p.Modes[m.name] = plannedMode{Static: static(c)}
		}
	}
	if len(sets) == 0 {
		return p, nil
	}
	base.Wrapper = ""
	r, err := wrapper.Request(base, "test", append(slices.Clone(o.build), o.patterns[0]))
	if err != nil {
		return nil, err
	}
	analysis, err := planner.Plans(planner.At(o.plan), *r, sets, func(plan *optimize.Plan, _ map[string]string, took time.Duration) error {
		c, err := lint.CountProgram(plan, dir)
		if err != nil {
			return err
		}
		for _, m := range o.modes {
			if m.wholeProgram() && m.set == plan.Set {
				p.Modes[m.name] = plannedMode{took.Seconds(), static(c)}
			}
		}
		return nil
	})
	p.Analysis = analysis.Seconds()
	return p, err
}

func static(c *lint.Count) *Static { return &Static{c.Sites, c.Kept, c.Removed, c.Guarded} }

// tagged returns the build flags with the tag race, unless an option leaves it out.
func (o *options) tagged() ([]string, error) {
	if o.untagged {
		return o.build, nil
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, "", "GOFLAGS")
	return gocmd.WithTagArgs(env["GOFLAGS"], o.build, option.RaceTag), err
}

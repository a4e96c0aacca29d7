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

// plans returns the folder of the plans: that of the user's build cache, or with -builds one
// of its own.
func (e *env) plans() string {
	if e.opts.builds {
		return filepath.Join(e.tmp, "plans")
	}
	return planner.Open(e.vars["GOCACHE"]).Dir()
}

// plan makes the plans of all modes in program scope for a package.
func (e *env) plan(ctx context.Context, modes []mode, t *target) error {
	if !slices.ContainsFunc(modes, mode.wholeProgram) {
		return nil
	}
	if err := os.MkdirAll(e.plans(), 0o777); err != nil {
		return err
	}
	e.progress.Show("analysing %s", t.path)
	names, p, err := e.child(ctx, t, modes, mode.wholeProgram, "-plan="+e.plans(), "%s is not analysed before it is built: %v")
	for _, name := range names {
		b := &Build{Static: p.Modes[name].Static}
		if e.opts.builds {
			b.Compile = p.Analysis + p.Modes[name].Seconds
		}
		t.result.Modes[name] = b
	}
	return err
}

// countSites counts the checks in the test binaries of modes in package scope.
func (e *env) countSites(ctx context.Context, modes []mode, ts []*target) error {
	inUnits := func(m mode) bool { return m.checked && !m.wholeProgram() }
	if !scope.Everything(e.opts.pkgs) || !slices.ContainsFunc(modes, inUnits) {
		return nil // lint shows complete builds only
	}
	for _, t := range ts {
		e.progress.Show("counting the checks in the source of %s", t.path)
		names, p, err := e.child(ctx, t, modes, inUnits, "-plan=.", "the checks in the source of %s are not counted: %v")
		if err != nil {
			return err
		}
		for _, name := range names {
			if b := t.result.Modes[name]; b != nil {
				b.Static = p.Modes[name].Static
			}
		}
	}
	return nil
}

// child runs this program with flag -plan for the wanted modes. It returns their names and the
// output. If the program fails, a note says so, and there are no names.
func (e *env) child(ctx context.Context, t *target, modes []mode, wanted func(mode) bool, flag, failed string) ([]string, *planned, error) {
	var names []string
	for _, m := range modes {
		if wanted(m) {
			names = append(names, m.name)
		}
	}
	line := append([]string{e.self}, e.opts.base...)
	if !e.opts.std {
		line = append(line, "-own="+option.OwnOn)
	}
	line = append(line, "bench", flag, "-modes="+strings.Join(names, ","))
	p := new(planned)
	out, err := e.tool(ctx, append(append(line, e.opts.build...), t.path))
	if err == nil {
		err = json.Unmarshal([]byte(out), p)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil {
		e.notes = append(e.notes, fmt.Sprintf(failed, t.path, err))
		return nil, nil, nil
	}
	return names, p, nil
}

// printPlans is the process of flag -plan: it plans the modes for the test binary of one
// package, counts the checks, and prints a planned. The plans of modes in program scope are
// stored in the folder that the flag names.
func printPlans(base option.Set, o *options, stdout io.Writer) error {
	p, err := makePlans(base, o)
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(p)
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
			compiler := []string{}
			if s.Own != "" {
				if compiler, err = wrapper.OwnFlags(s, "test", append(slices.Clone(o.build), o.patterns[0])); err != nil {
					return nil, err
				}
			}
			c, err := lint.CountUnits(s, dir, append(compiler, flags...), o.patterns[0])
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
	return gocmd.Tagged("", o.build, option.RaceTag)
}

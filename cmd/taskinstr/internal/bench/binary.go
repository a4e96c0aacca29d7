package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/planner"
)

// A target is a package with its test binaries.
type target struct {
	path, dir string
	exes      map[string]string // by mode
	result    *Package
}

// targets lists the packages that have tests.
func (e *env) targets(ctx context.Context) ([]*target, error) {
	line := []string{e.goPath, "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}\t{{.Dir}}{{end}}"}
	out, err := e.tool(ctx, append(append(append(line, e.opts.build...), "--"), e.opts.patterns...))
	if err != nil {
		return nil, err
	}
	var list []*target
	for l := range strings.Lines(out) {
		if path, dir, ok := strings.Cut(strings.TrimSpace(l), "\t"); ok {
			list = append(list, &target{path, dir, map[string]string{}, &Package{path, map[string]*Build{}}})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no package of %s has tests", strings.Join(e.opts.patterns, " "))
	}
	return list, nil
}

// standardPackages lists the packages of the standard library that the tests need.
func (e *env) standardPackages(ctx context.Context, ts []*target) ([]string, error) {
	line := []string{e.goPath, "list", "-deps", "-test", "-f", "{{if and .Standard (not .ForTest)}}{{.ImportPath}}{{end}}"}
	line = append(append(line, e.opts.build...), "--")
	for _, t := range ts {
		line = append(line, t.path)
	}
	out, err := e.tool(ctx, line)
	if err != nil {
		return nil, err
	}
	var list []string
	for p := range strings.FieldsSeq(out) {
		// Vendored packages of the standard library cannot be named outside of it.
		if p != "unsafe" && p != "C" && !strings.HasPrefix(p, "vendor/") {
			list = append(list, p)
		}
	}
	return list, nil
}

// buildAll builds the test binaries of all targets in a mode. For each of them, all
// packages outside of the standard library are compiled anew.
func (e *env) buildAll(ctx context.Context, m mode, standard string, ts []*target) error {
	return e.buildEach(ctx, m, standard, ts, func(t *target, exe string, took time.Duration, err error) {
		b := t.result.Modes[m.name]
		if b == nil {
			b = new(Build)
			t.result.Modes[m.name] = b
		}
		b.Compile += took.Seconds() // beside the time of the analysis
		if err != nil {
			b.Failed = err.Error()
		} else if fi, err := os.Stat(exe); err == nil { // none where the package has no test functions
			b.Size = fi.Size()
			t.exes[m.name] = exe
		}
	})
}

// buildEach builds the test binaries of all targets and calls done for each. In program scope
// the plans exist already (plan).
func (e *env) buildEach(ctx context.Context, m mode, standard string, ts []*target, done func(t *target, exe string, took time.Duration, err error)) error {
	cache := filepath.Join(e.tmp, "cache")
	defer os.RemoveAll(cache)
	if err := copyCache(standard, cache); err != nil {
		return fmt.Errorf("copy of the build cache: %w", err)
	}
	store := planner.Open(cache).Dir()
	if m.wholeProgram() {
		if err := os.Rename(e.plans(), store); err != nil {
			return err
		}
		defer os.Rename(store, e.plans()) // before the cache is removed
	}
	dir := filepath.Join(e.tmp, m.family()+"-"+m.name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for i, t := range ts {
		e.progress.Show("building %s (%s): %s", m.name, m.family(), t.path)
		exe := filepath.Join(dir, fmt.Sprintf("%d.test%s", i, e.vars["GOEXE"]))
		start := time.Now()
		_, err := e.tool(ctx, m.build(e, exe, t.path), "GOCACHE="+cache)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		done(t, exe, time.Since(start), err)
		if err == nil && m.checked && !m.wholeProgram() && !m.counts {
			if err := e.countUnits(ctx, m, cache, t); err != nil {
				return err
			}
		}
	}
	return nil
}

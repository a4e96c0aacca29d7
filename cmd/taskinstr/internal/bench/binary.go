package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/planner"
)

// A target is a package with its test binaries.
type target struct {
	index     int
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
			list = append(list, &target{len(list), path, dir, map[string]string{}, &Package{path, map[string]*Build{}}})
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

// build builds the test binary of a package in a mode. With -builds the cache holds the
// standard library alone, so the time is that of all other packages.
func (e *env) build(ctx context.Context, m mode, t *target) error {
	exe, took, err := e.compile(ctx, m, t)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	b := t.result.Modes[m.name]
	if b == nil {
		b = new(Build)
		t.result.Modes[m.name] = b
	}
	if e.opts.builds {
		b.Compile += took.Seconds() // beside the time of the analysis
	}
	if err != nil {
		b.Failed = err.Error()
		return nil
	}
	fi, err := os.Stat(exe)
	if err != nil {
		return nil // the package has no test functions
	}
	b.Size = fi.Size()
	t.exes[m.name] = exe
	b.Binary, err = batch.Digest(exe)
	return err
}

// compile runs the go command for the test binary of a package in a mode. In program scope
// the plans exist already (plan).
func (e *env) compile(ctx context.Context, m mode, t *target) (exe string, took time.Duration, err error) {
	var vars []string
	if e.opts.builds {
		cache := filepath.Join(e.tmp, "cache")
		defer os.RemoveAll(cache)
		if err := copyCache(e.standard, cache); err != nil {
			return "", 0, fmt.Errorf("copy of the build cache: %w", err)
		}
		vars = append(vars, "GOCACHE="+cache)
		if m.wholeProgram() {
			store := planner.Open(cache).Dir()
			if err := os.Rename(e.plans(), store); err != nil {
				return "", 0, err
			}
			defer os.Rename(store, e.plans()) // before the cache is removed
		}
	}
	dir := filepath.Join(e.tmp, m.family()+"-"+m.name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", 0, err
	}
	e.progress.Show("building %s: %s", t.path, m.label())
	exe = filepath.Join(dir, fmt.Sprintf("%d.test%s", t.index, e.vars["GOEXE"]))
	start := time.Now()
	_, err = e.tool(ctx, m.build(e, exe, t.path), vars...)
	return exe, time.Since(start), err
}

// buildStandard builds the standard library into a cache of its own, for each family of modes,
// so that the times of builds are comparable.
func (e *env) buildStandard(ctx context.Context, modes []mode, ts []*target) error {
	standard, err := standardCache(e.vars["GOCACHE"])
	if err != nil {
		return err
	}
	pkgs, err := e.standardPackages(ctx, ts)
	if err != nil {
		return err
	}
	done := map[string]bool{}
	for _, m := range modes {
		line := m.standard(e, pkgs)
		if key := strings.Join(line, " "); done[key] {
			continue
		} else {
			done[key] = true
		}
		e.progress.Show("building the standard library, %s (once)", m.family())
		if _, err := e.tool(ctx, line, "GOCACHE="+standard); err != nil {
			return fmt.Errorf("standard library, %s: %w", m.family(), err)
		}
	}
	e.standard = standard
	return nil
}

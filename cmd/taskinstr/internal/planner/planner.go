package planner

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/internal/pace"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
)

// A Request is a build that a go command is about to make.
type Request struct {
	Dir      string   // the current folder of the command
	Env      []string // the environment of the command; nil: this process's own
	Settings []string // other values that the plan depends on: Go's version, its environment
	Files    []string // files that the plan depends on, besides sources and go.mod files
	Program  string   // identity of the program that makes the plan
	Flags    []gocmd.Flag
	Patterns []string
	Tests    bool
	Options  option.Set
	Marks    []string // compiler flags that mark the packages with checks
	Partial  bool     // the build leaves packages without checks
	GOARCH   string   // the target

	plain bool // for tests: packages that are planned by themselves are compiled without checks

	Show func(format string, args ...any) // shows progress, unless nil
}

func (r *Request) show(format string, args ...any) {
	if r.Show != nil {
		r.Show(format, args...)
	}
}

// Plan returns the digests of the packages' plans, by import path. A package that is planned by
// itself while it is compiled has no digest here. Packages of the standard library are such packages.
func Plan(s Store, r Request) (map[string]string, error) {
	if x := s.lookup(r.key()); x != nil {
		return x.Plans, nil
	}
	var plans map[string]string
	_, err := Plans(s, r, []optimize.Set{r.Options.Passes}, func(_ *optimize.Plan, digests map[string]string, _ time.Duration) error {
		plans = digests
		return nil
	})
	return plans, err
}

// Plans stores the plans for the request with each of several sets of passes, after one
// analysis of the program. For each set it calls done with the plan, the digests of the
// packages' plans, and the time that the passes and the storing took. It returns the time of
// the analysis.
func Plans(s Store, r Request, sets []optimize.Set, done func(p *optimize.Plan, digests map[string]string, took time.Duration) error) (time.Duration, error) {
	defer pace.Follow()()
	start := time.Now()
	files := &index{Made: start}
	prog, err := Load(&r, true)
	if err != nil {
		return 0, err
	}
	if err := files.note(r, prog.All); err != nil {
		return 0, err
	}
	if prog.Program == nil {
		return 0, s.remember(r.key(), files)
	}
	r.show("analyzing %d packages", len(prog.Packages))
	a := prog.Analyze()
	analysis := time.Since(start)
	for _, set := range sets {
		start := time.Now()
		plan, err := optimize.Make(a, set, optimize.Options{Explain: r.explains()})
		if err != nil {
			return 0, fmt.Errorf("internal error: the plan does not hold: %w", err)
		}
		x := *files
		if x.Plans, err = s.putAll(plan); err != nil {
			return 0, err
		}
		r.Options.Passes = set
		if err := s.remember(r.key(), &x); err != nil {
			return 0, err
		}
		if err := done(plan, x.Plans, time.Since(start)); err != nil {
			return 0, err
		}
	}
	return analysis, nil
}

// putAll stores the plans of the analysed packages outside of the standard library.
func (s Store) putAll(plan *optimize.Plan) (digests map[string]string, err error) {
	var paths []string
	parts := map[string][]string{} // the package, and its external test
	done := map[string]bool{}
	for _, p := range plan.Analysis.Program().Packages {
		if done[p.PkgPath] || Standard(p) {
			continue // p may be a variant for tests
		}
		done[p.PkgPath] = true
		// The go command gives a package and its external test one set of flags. Both are in
		// one folder, so the names of their files differ.
		path := strings.TrimSuffix(p.PkgPath, "_test")
		if parts[path] == nil {
			paths = append(paths, path)
		}
		parts[path] = append(parts[path], p.PkgPath)
	}
	digests = map[string]string{}
	for _, path := range paths {
		var all *splice.Plan
		for _, p := range parts[path] {
			all = join(all, plan.Package(p))
		}
		if digests[path], err = s.put(all); err != nil {
			return nil, err
		}
		pace.Step()
	}
	return digests, nil
}

// join adds the decisions of q to p. Either may be nil; the result is not.
func join(p, q *splice.Plan) *splice.Plan {
	if p == nil {
		p = &splice.Plan{Files: map[string]string{}, Fates: map[site.Key]splice.Fate{}}
	}
	if q == nil {
		return p
	}
	maps.Copy(p.Files, q.Files)
	maps.Copy(p.Fates, q.Fates)
	p.Inserts = append(p.Inserts, q.Inserts...)
	p.Leaks = append(p.Leaks, q.Leaks...)
	p.Loads = append(p.Loads, q.Loads...)
	p.Overwrites = q.Overwrites // of all packages together
	if q.Why != nil {
		if p.Why == nil {
			p.Why = map[site.Key]string{}
		}
		maps.Copy(p.Why, q.Why)
	}
	return p
}

// loaded are the flags of a build that select its files.
var loaded = map[string]bool{"tags": true, "mod": true, "modfile": true, "overlay": true, "race": true}

func (r *Request) loadFlags() []string { return r.flags(loaded) }

// compiled are the build flags that reach the compiler.
var compiled = map[string]bool{
	"tags": true, "mod": true, "modfile": true, "overlay": true, "race": true, "gcflags": true, "asmflags": true, "trimpath": true,
	"buildmode": true, "installsuffix": true, "compiler": true, "pgo": true, "linkshared": true, "modcacherw": true,
}

func (r *Request) flags(known map[string]bool) (list []string) {
	for _, f := range r.Flags {
		if known[f.Name] {
			list = append(list, f.Args...)
		}
	}
	return list
}

// explains reports whether the plans say why they leave checks.
func (r *Request) explains() bool { return r.Options.Stats == option.StatsChecks }

// key returns the name of the request's index. Options that change checks and no plan have no part
// in it, and neither have compiler flags: builds that differ in these share their plans. Programs that
// count their checks have plans with reasons.
func (r *Request) key() string {
	var b strings.Builder
	for _, l := range [][]string{{r.Dir, r.Options.Passes.String(), fmt.Sprint(r.Tests), fmt.Sprint(r.Partial), fmt.Sprint(r.explains())}, r.Options.Pkgs, r.Settings, {r.Program}, r.loadFlags(), r.Patterns} {
		fmt.Fprintf(&b, "%q\n", l)
	}
	return site.Digest([]byte(b.String()))
}

// Digest returns one digest for the digests of all plans.
func Digest(plans map[string]string) string {
	var list []string
	for p, d := range plans {
		list = append(list, p+" "+d)
	}
	sort.Strings(list)
	return site.Digest([]byte(strings.Join(list, "\n")))
}

package planner

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/internal/pace"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/ssapass"
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
	Passes   optimize.Set
	Partial  bool // the build leaves packages without checks
}

// Plan returns the digests of the packages' plans, by import path. The packages of the
// standard library have none: each is planned by itself while it is compiled.
func Plan(s Store, r Request) (map[string]string, error) {
	if x := s.lookup(r.key()); x != nil {
		return x.Plans, nil
	}
	var plans map[string]string
	_, err := Plans(s, r, []optimize.Set{r.Passes}, func(_ *optimize.Plan, digests map[string]string, _ time.Duration) error {
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
	prog, err := ssapass.Load(ssapass.Config{Dir: r.Dir, Env: r.Env, Flags: r.loadFlags(), Patterns: r.Patterns, Tests: r.Tests, Lean: true})
	if err != nil {
		return 0, err
	}
	if err := files.note(r, prog.Packages); err != nil {
		return 0, err
	}
	a := prog.Analyze()
	analysis := time.Since(start)
	for _, set := range sets {
		start := time.Now()
		plan, err := optimize.Make(a, set, optimize.Options{Partial: r.Partial})
		if err != nil {
			return 0, fmt.Errorf("internal error: the plan does not hold: %w", err)
		}
		x := *files
		if x.Plans, err = s.putAll(plan); err != nil {
			return 0, err
		}
		r.Passes = set
		if err := s.remember(r.key(), &x); err != nil {
			return 0, err
		}
		if err := done(plan, x.Plans, time.Since(start)); err != nil {
			return 0, err
		}
	}
	return analysis, nil
}

// putAll stores the plans of the packages outside of the standard library.
func (s Store) putAll(plan *optimize.Plan) (digests map[string]string, err error) {
	all := map[string]*splice.Plan{}
	done := map[string]bool{}
	for _, p := range plan.Analysis.Program().Packages {
		if done[p.PkgPath] || Standard(p) {
			continue // p may be a variant for tests
		}
		done[p.PkgPath] = true
		// The go command gives a package and its external test one set of flags. Both are in
		// one folder, so the names of their files differ.
		path := strings.TrimSuffix(p.PkgPath, "_test")
		all[path] = join(all[path], plan.Package(p.PkgPath))
	}
	digests = map[string]string{}
	for path, sp := range all {
		if digests[path], err = s.put(sp); err != nil {
			return nil, err
		}
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
	return p
}

// loaded are the flags of a build that select its files.
var loaded = map[string]bool{"tags": true, "mod": true, "modfile": true, "overlay": true, "race": true}

func (r *Request) loadFlags() []string {
	var list []string
	for _, f := range r.Flags {
		if loaded[f.Name] {
			list = append(list, "-"+f.Name+"="+f.Value)
		}
	}
	return list
}

// key returns the name of the request's index.
func (r *Request) key() string {
	var b strings.Builder
	for _, l := range [][]string{{r.Dir, r.Passes.String(), fmt.Sprint(r.Tests), fmt.Sprint(r.Partial)}, r.Settings, {r.Program}, r.loadFlags(), r.Patterns} {
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

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
	key := r.key()
	if x := s.lookup(key); x != nil {
		return x.Plans, nil
	}
	look := pace.Faster()
	x := &index{Made: time.Now(), Plans: map[string]string{}}
	prog, err := ssapass.Load(ssapass.Config{Dir: r.Dir, Env: r.Env, Flags: r.loadFlags(), Patterns: r.Patterns, Tests: r.Tests})
	if err != nil {
		return nil, err
	}
	if err := x.note(r, prog.Packages); err != nil {
		return nil, err
	}
	look()
	a := prog.Analyze()
	look()
	plan, err := optimize.Make(a, r.Passes, optimize.Options{Partial: r.Partial})
	if err != nil {
		return nil, fmt.Errorf("internal error: the plan does not hold: %w", err)
	}
	all := map[string]*splice.Plan{}
	done := map[string]bool{}
	for _, p := range prog.Packages {
		if done[p.PkgPath] {
			continue // p is a variant for tests
		}
		done[p.PkgPath] = true
		if Standard(p) {
			continue
		}
		// The go command gives a package and its external test one set of flags. Both are in
		// one folder, so the names of their files differ.
		path := strings.TrimSuffix(p.PkgPath, "_test")
		all[path] = join(all[path], plan.Package(p.PkgPath))
	}
	for path, sp := range all {
		if x.Plans[path], err = s.put(sp); err != nil {
			return nil, err
		}
	}
	return x.Plans, s.remember(key, x)
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

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

// A Request is what a go command is about to build.
type Request struct {
	Dir      string   // its folder
	Env      []string // its environment; nil: this process's own
	Settings []string // whatever else the plan depends on: Go's version, its environment
	Files    []string // and files, besides those of the packages and modules
	Program  string   // identity of the program that plans
	Flags    []gocmd.Flag
	Patterns []string
	Tests    bool
	Passes   optimize.Set
	Partial  bool // packages are left without checks
}

// Plan returns the digests of the packages' plans, by import path. A package
// without a plan is checked whole.
func Plan(s Store, r Request) (map[string]string, error) {
	key := r.key()
	if x := s.lookup(key); x != nil {
		return x.Facts, nil
	}
	look := pace.Faster()
	x := &index{Made: time.Now(), Facts: map[string]string{}}
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
			continue // a variant for tests
		}
		done[p.PkgPath] = true
		if sp := plan.Package(p.PkgPath); sp != nil {
			// The go command gives a package and its external test one set of
			// flags. They lie in one folder, so their files' names differ.
			path := strings.TrimSuffix(p.PkgPath, "_test")
			all[path] = join(all[path], sp)
		}
	}
	for path, sp := range all {
		if x.Facts[path], err = s.put(sp); err != nil {
			return nil, err
		}
	}
	return x.Facts, s.remember(key, x)
}

// join adds what q says to p, which may be nil.
func join(p, q *splice.Plan) *splice.Plan {
	if p == nil {
		return q
	}
	maps.Copy(p.Files, q.Files)
	maps.Copy(p.Fates, q.Fates)
	p.Inserts = append(p.Inserts, q.Inserts...)
	return p
}

// loaded are the flags of a build that change which files it takes.
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

// key names the request in the index.
func (r *Request) key() string {
	var b strings.Builder
	for _, l := range [][]string{{r.Dir, r.Passes.String(), fmt.Sprint(r.Tests), fmt.Sprint(r.Partial)}, r.Settings, {r.Program}, r.loadFlags(), r.Patterns} {
		fmt.Fprintf(&b, "%q\n", l)
	}
	return site.Digest([]byte(b.String()))
}

// Digest returns one digest for all facts.
func Digest(facts map[string]string) string {
	var list []string
	for p, d := range facts {
		list = append(list, p+" "+d)
	}
	sort.Strings(list)
	return site.Digest([]byte(strings.Join(list, "\n")))
}

package wrapper

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// facts has the passes plan the build and turns each package's plan into a flag of
// its compilation, so that a package whose decisions have not changed is not
// compiled again. As in narrow, the user's flags for the compiler have to be
// repeated; where they differ between packages the tools plan by themselves
// (option passes stays with them).
func facts(o *option.Set, goPath, dir, name string, pass, rest []string) ([]string, error) {
	if o.Passes == (optimize.Set{}) {
		return nil, nil
	}
	r, gocache, err := planner.FromLine(goPath, dir, name, append(slices.Clone(pass), rest...), o.Passes)
	if err != nil || r == nil {
		return nil, err
	}
	fixed, _ := gocmd.Split(gocmd.Fields(r.Settings[3]), gocmd.None) // GOFLAGS
	all, ok := compilerFlags(append(fixed, r.Flags...))
	if !ok {
		return nil, errors.New("-passes needs -gcflags to be the same for all packages (-gcflags=all=...); give them so, or leave -passes out")
	}
	if r.Settings[0], err = toolexec.Identity(); err != nil {
		return nil, err
	}
	s := planner.Open(gocache)
	plans, err := planner.Plan(s, *r)
	var load *ssapass.LoadError
	if errors.As(err, &load) {
		return nil, nil // the go command says it in its own way
	}
	if err != nil {
		return nil, err
	}
	if len(plans) == 0 {
		return nil, nil
	}
	o.Plans = s.Dir()
	var args []string
	for path, digest := range plans {
		args = append(args, "-gcflags="+path+"="+strings.TrimSpace(all+" "+option.Fact+digest))
	}
	sort.Strings(args)
	return args, nil
}

// compilerFlags returns the flags that the user has for the compiler and every
// package; ok is false if they differ between packages.
func compilerFlags(user []gocmd.Flag) (all string, ok bool) {
	for _, f := range user {
		if f.Name != "gcflags" {
			continue
		}
		rest, every := strings.CutPrefix(strings.TrimSpace(f.Value), "all=")
		if !every {
			return "", false
		}
		all = rest
	}
	return all, true
}

package wrapper

import (
	"errors"
	"sort"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/ssapass"
)

// planFlags plans the whole program and returns a flag for the compilation of each package
// outside of the standard library. The flag holds the plan's digest, so a package is compiled again only if its
// plan has changed. As in mark, the user's compiler flags have to be repeated, so they
// must be the same for all packages. user holds the flags of GOFLAGS and the command line,
// cache is the build cache, and marked holds the import paths of the packages that mark
// has marked.
func planFlags(o *option.Set, r *planner.Request, user []gocmd.Flag, cache string, marked map[string]bool) ([]string, error) {
	if !o.WholeProgram() {
		return nil, nil
	}
	all, ok := compilerFlags(user)
	if !ok {
		return nil, errors.New("-scope=program needs -gcflags to be the same for all packages (-gcflags=all=...); give them so, or leave -scope=program out")
	}
	r.Partial = len(o.Pkgs) > 0
	s := planner.Open(cache)
	plans, err := planner.Plan(s, *r)
	var load *ssapass.LoadError
	if errors.As(err, &load) {
		return nil, nil // the go command reports the same error
	}
	if err != nil {
		return nil, err
	}
	if len(plans) == 0 {
		return nil, nil
	}
	o.Plans = s.Dir()
	var flags []string
	for path, digest := range plans {
		flag := option.Plan + digest
		if marked[path] {
			flag = option.Mark + " " + flag
		}
		flags = append(flags, "-gcflags="+path+"="+strings.TrimSpace(all+" "+flag))
	}
	sort.Strings(flags)
	return flags, nil
}

// compilerFlags returns the user's compiler flags; ok is false if they differ between
// packages.
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

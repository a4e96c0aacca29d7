package wrapper

import (
	"errors"
	"slices"
	"sort"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/ssapass"
)

// makePlans plans the whole program, if the passes see it, and returns the digests of the plans
// by import path: of packages outside of the standard library. cache is the build cache.
func makePlans(o *option.Set, r *planner.Request, cache string) (map[string]string, error) {
	if !o.WholeProgram() {
		return nil, nil
	}
	s := planner.Open(cache)
	plans, err := planner.Plan(s, *r)
	var load *ssapass.LoadError
	if errors.As(err, &load) {
		return nil, nil // the go command reports the same error
	}
	if err == nil && len(plans) > 0 {
		o.Plans = s.Dir()
	}
	return plans, err
}

// A flagging makes the compiler flags of single packages. The go command gives a package the
// flags of the last -gcflags that matches it, so the flags of a package repeat its mark and the
// user's compiler flags, which must be the same for all packages.
type flagging struct {
	marks    []string // by pattern (mark)
	user     string   // the user's compiler flags
	mixed    bool     // the user's compiler flags differ between packages
	pkgs     []scope.Package
	unlisted bool            // the packages are not listed: not needed, or the go command reports why
	marked   map[string]bool // import paths of the packages that marks selects
	own      []string        // flags of each package outside of the standard library
}

// flagging returns the flagging of the line. marksOnly says that nothing but the marks is
// needed.
func (l *line) flagging(r *planner.Request, marksOnly bool) (*flagging, error) {
	o := &l.options
	user := append(slices.Clone(l.fixed), l.flags...)
	f := &flagging{marked: map[string]bool{}}
	all, ok := compilerFlags(user)
	f.user, f.mixed = all, !ok
	if len(o.Pkgs) > 0 {
		f.marks = mark(o, user)
	}
	if o.Own != "" {
		f.own = append(f.own, option.Passes+o.Passes.String())
		if o.Stats == option.StatsChecks {
			f.own = append(f.own, option.Count)
		}
	}
	if marksOnly {
		f.unlisted = true
		return f, nil
	}
	if len(o.Pkgs) == 0 && o.Own == "" {
		return f, nil
	}
	var err error
	if f.pkgs, err = r.List(); err != nil {
		f.unlisted = true // the go command reports the same error
		return f, nil
	}
	if o.Wrapper == option.ByMark {
		for _, p := range scope.Judge(o.Pkgs, f.pkgs, scope.ByFolder(r.Dir)).Selected {
			f.marked[p.Path] = true
		}
	}
	return f, nil
}

// flags returns the flags of single packages: of those with a plan, and with -own of all
// packages outside of the standard library.
func (f *flagging) flags(plans map[string]string) []string {
	if f.mixed {
		return nil
	}
	per := map[string][]string{}
	for path, digest := range plans {
		per[path] = []string{option.Plan + digest}
	}
	if len(f.own) > 0 {
		for _, p := range f.pkgs {
			if !p.Std {
				per[p.Path] = nil
				if d := plans[p.Path]; d != "" {
					per[p.Path] = []string{option.Plan + d}
				}
				per[p.Path] = append(per[p.Path], f.own...)
			}
		}
	}
	var flags []string
	for path, list := range per {
		if f.marked[path] {
			list = append([]string{option.Mark}, list...)
		}
		flags = append(flags, "-gcflags="+path+"="+strings.TrimSpace(f.user+" "+strings.Join(list, " ")))
	}
	sort.Strings(flags)
	return flags
}

// OwnFlags returns the compiler flags with which a build of the packages keeps the passes and
// the counting of the options, which have Own, to packages outside of the standard library.
func OwnFlags(base option.Set, name string, args []string) ([]string, error) {
	l, err := read(base, name, args)
	if err != nil {
		return nil, err
	}
	l.options.Wrapper, l.options.Pkgs = option.ByName, nil
	r, err := l.request()
	if err != nil {
		return nil, err
	}
	f, err := l.flagging(r, false)
	if err != nil {
		return nil, err
	}
	return f.flags(nil), nil
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

package lint

import (
	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/optimize"
)

// CountProgram counts the sites of a plan of the whole program, except those of the standard
// library, by fate.
func CountProgram(plan *optimize.Plan, dir string) (*Count, error) {
	var own []*packages.Package
	for _, p := range plan.Analysis.Program().Packages {
		if !planner.Standard(p) {
			own = append(own, p)
		}
	}
	r, err := report(plan, own, dir)
	if err != nil {
		return nil, err
	}
	return r.summary().Total, nil
}

// CountUnits counts the sites in the tests of a package and in the packages that they
// import, except the standard library, as a build with these options and flags plans them in
// package scope. It compiles the packages that the build cache lacks.
func CountUnits(base option.Set, dir string, flags []string, pkg string) (*Count, error) {
	o := &options{base: base, set: base.Passes, build: flags}
	r := newReport(o.set.And(optimize.Local()), dir)
	err := addUnits(r, o, terminal.NewProgress(nil), []string{pkg}, true, func(l *listed) bool { return !l.Standard })
	r.sort()
	return r.summary().Total, err
}

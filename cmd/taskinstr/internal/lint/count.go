package lint

import (
	"golang.org/x/tools/go/packages"

	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// CountTests counts the sites in the tests of a package and in the packages that they
// import, except the standard library, by fate, for each set of passes.
func CountTests(dir string, flags []string, pkg string, sets []optimize.Set) ([]*Count, error) {
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Flags: flags, Patterns: []string{pkg}, Tests: true})
	if err != nil {
		return nil, err
	}
	var own []*packages.Package
	for _, q := range p.Packages {
		if q.Module != nil || q.PkgPath == "command-line-arguments" {
			own = append(own, q)
		}
	}
	a := p.Analyze()
	var list []*Count
	for _, s := range sets {
		plan, err := optimize.Make(a, s, optimize.Options{})
		if err != nil {
			return nil, err
		}
		r, err := report(plan, own, dir)
		if err != nil {
			return nil, err
		}
		list = append(list, r.summary().Total)
	}
	return list, nil
}

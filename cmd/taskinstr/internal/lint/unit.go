package lint

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/optimize"
)

// analyzeUnits lists the sites in package scope: each package by itself, with the inputs
// of its compilation.
func analyzeUnits(o *options, progress *terminal.Progress) (*Report, error) {
	defer progress.Clear()
	dir, err := prepare(o)
	if err != nil {
		return nil, err
	}
	total := newReport(o.set.And(optimize.Local()), dir)
	err = addUnits(total, o, progress, o.patterns, o.tests, func(l *listed) bool { return o.deps || o.summary || !l.DepOnly })
	total.sort()
	return total, err
}

// addUnits compiles the packages that the patterns name, and their imports, and adds the
// sites of the chosen packages to the report.
func addUnits(total *Report, o *options, progress *terminal.Progress, patterns []string, tests bool, chosen func(*listed) bool) error {
	progress.Show("compiling %s", strings.Join(patterns, " "))
	list, err := goList(o, total.Dir, patterns, tests)
	if err != nil {
		return err
	}
	var todo []*listed
	for _, l := range compiled(list) {
		if chosen(l) {
			todo = append(todo, l)
		}
	}
	reports, errs := make([]*Report, len(todo)), make([]error, len(todo))
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxWorkers) {
		workers.Go(func() {
			for i := range next {
				reports[i], errs[i] = o.unit(todo[i], total.Dir)
			}
		})
	}
	for i, l := range todo {
		progress.Show("package %d of %d: %s", i+1, len(todo), l.ImportPath)
		next <- i
	}
	close(next)
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, r := range reports {
		if r != nil {
			total.Sites = append(total.Sites, r.Sites...)
			total.Notes = append(total.Notes, r.Notes...)
		}
	}
	return nil
}

// maxWorkers bounds how many packages are analysed at a time: a large one needs some hundred
// megabytes.
const maxWorkers = 8

// unit returns the report on one package, nil if the package has no checks. It compares the
// plan with the digest of the plan that the compilation has carried out.
func (o *options) unit(l *listed, dir string) (*Report, error) {
	referenced, err := unit.Assembly(l.assembly())
	if err != nil {
		return nil, err
	}
	r, err := l.input().Plan(o.own(), referenced)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.ImportPath, err)
	}
	if r == nil {
		return nil, nil
	}
	one, err := report(r.Plan, r.Plan.Analysis.Program().Packages, dir)
	if err != nil || o.set.And(optimize.Local()) == (optimize.Set{}) {
		return one, err // a build without passes makes no plan
	}
	digest, err := r.Digest()
	if err != nil {
		return nil, err
	}
	built, err := archive.Read(l.Export, unit.PlanMember)
	switch {
	case err != nil:
		return nil, err
	case built == nil:
		return nil, fmt.Errorf("%s: the compiled package has no plan, although this program compiled it; this is a defect of taskinstr, please report it", l.ImportPath)
	case string(built) != digest:
		one.Notes = append(one.Notes, l.ImportPath+": the build has another plan than this list shows")
	}
	return one, nil
}

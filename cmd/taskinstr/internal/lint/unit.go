package lint

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/toolexec"
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
				reports[i], errs[i] = o.protected(todo[i], total.Dir)
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

// protected is unit without panics.
func (o *options) protected(l *listed, dir string) (r *Report, err error) {
	defer func() {
		if e := recover(); e != nil {
			r, err = nil, fmt.Errorf("%s: internal error: %v; this is a defect of taskinstr, please report it", l.ImportPath, e)
			if os.Getenv(toolexec.DebugVar) != "" {
				err = fmt.Errorf("%w\n%s", err, debug.Stack())
			}
		}
	}()
	return o.unit(l, dir)
}

// unit returns the report on one package, nil if the package has no checks. It compares the
// plan with the digest of the plan that the compilation has carried out.
func (o *options) unit(l *listed, dir string) (*Report, error) {
	referenced, err := unit.Assembly(l.assembly())
	if err != nil {
		return nil, err
	}
	own := o.own()
	var built []byte
	if own.Passes.And(optimize.Local()) != (optimize.Set{}) { // otherwise the build makes no plan
		if built, err = archive.Read(l.Export, unit.PlanMember); err != nil {
			return nil, err
		}
	}
	if string(built) == unit.Fallback {
		return o.unplanned(l, own, referenced, dir)
	}
	r, err := l.input().Plan(own, referenced)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.ImportPath, err)
	}
	if r == nil {
		return nil, nil
	}
	one, err := report(r.Plan, r.Plan.Analysis.Program().Packages, dir)
	if err != nil || own.Passes.And(optimize.Local()) == (optimize.Set{}) {
		return one, err
	}
	digest, err := r.Digest()
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

// unplanned returns the report on a package that its compilation could not plan, with every
// check.
func (o *options) unplanned(l *listed, own option.Set, referenced map[string]bool, dir string) (*Report, error) {
	cause := "checks as the plan asks for them cannot be written or do not compile"
	if _, err := l.input().Plan(own, referenced); err != nil {
		cause = err.Error()
	}
	note := fmt.Sprintf("%s: built with every check, without optimizations: %s; this is a defect of taskinstr, please report it", l.ImportPath, cause)
	own.Passes = optimize.Set{}
	r, err := l.input().Plan(own, referenced)
	if err != nil { // the analysis fails, whichever passes run
		one := newReport(o.set, dir)
		one.Notes = append(one.Notes, note, l.ImportPath+": its accesses are not listed")
		return one, nil
	}
	one, err := report(r.Plan, r.Plan.Analysis.Program().Packages, dir)
	if err == nil {
		one.Notes = append(one.Notes, note)
	}
	return one, err
}

package lint

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/frequency"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// atomicOperation is the table's description of a use of sync/atomic.
const atomicOperation = "atomic operation"

// Reasons for checks that are kept and about which no plan decides: of initializers, of
// functions that must not grow their stack, and of accesses that the analysis does not know.
const (
	fixedReason  = "always checked: no pass decides about an access of this kind"
	atomicReason = "an atomic operation is an event of its task, and always seen"
)

// report lists the sites of the packages with their fates.
func report(plan *optimize.Plan, pkgs []*packages.Package, dir string) (*Report, error) {
	r := newReport(plan.Set, dir)
	c := &collector{
		plan: plan, prog: plan.Analysis.Program(), dir: dir, report: r,
		plannable: map[string]map[site.Key]row{}, fixed: map[row]fixed{}, files: filesOf(plan, dir), sources: map[string]*excerpt.File{}, funcs: map[string][]*frequency.Func{},
	}
	sites := map[string][]*ssapass.Site{}
	for _, s := range plan.Analysis.Sites.List {
		sites[s.Pkg.Path()] = append(sites[s.Pkg.Path()], s)
	}
	for _, pkg := range pkgs {
		if !ssapass.Instrumented(pkg.PkgPath) || len(pkg.Syntax) == 0 || strings.HasSuffix(pkg.ID, ".test") {
			continue // the package has no checks, or is the main package that go test generates
		}
		b, err := baselineOf(c.prog, pkg, sites[pkg.PkgPath])
		if err != nil {
			return nil, err
		}
		c.add(pkg, b)
		if err := c.carryOut(pkg); err != nil {
			return nil, err
		}
	}
	c.planned()
	c.rest()
	r.sort()
	return r, nil
}

// newReport returns a report without sites about a set of passes.
func newReport(set optimize.Set, dir string) *Report {
	r := &Report{Dir: dir, Doc: map[string]string{}}
	for _, p := range optimize.Passes {
		if set.Has(p.Name) {
			r.Passes = append(r.Passes, p.Name)
			r.Doc[p.Name] = p.Doc
		}
	}
	return r
}

type collector struct {
	plan      *optimize.Plan
	prog      *ssapass.Program
	dir       string
	report    *Report
	plannable map[string]map[site.Key]row // by import path, the checks that a plan can decide about
	fixed     map[row]fixed               // the other checks
	files     map[string]string           // of filesOf
	sources   map[string]*excerpt.File
	funcs     map[string][]*frequency.Func // functions by file
}

// A fixed check is a check that no plan can decide about.
type fixed struct{ pkg, what string }

// add adds the checks of a package. Checks of its test variants join the package's own.
func (c *collector) add(pkg *packages.Package, b *baseline) {
	if c.plannable[pkg.PkgPath] == nil {
		c.plannable[pkg.PkgPath] = map[site.Key]row{}
	}
	maps.Copy(c.plannable[pkg.PkgPath], b.plannable)
	for r, what := range b.fixed {
		c.fixed[r] = fixed{pkg.PkgPath, what}
	}
	c.scanFuncs(pkg)
}

// carryOut notes the number of a plan's decisions that cannot be carried out. The program
// has more checks then than the fates say.
func (c *collector) carryOut(pkg *packages.Package) error {
	p := c.plan.Package(pkg.PkgPath)
	if p == nil {
		return nil
	}
	lost, err := splice.Unplanned(splice.Config{Source: c.prog.Source(pkg), Plan: p})
	if lost > 0 {
		c.report.Notes = append(c.report.Notes, fmt.Sprintf("%s: %d decisions cannot be carried out; their accesses are checked all the same", pkg.ID, lost))
	}
	return err
}

// planned adds the sites that the plan decides about.
func (c *collector) planned() {
	sites := c.plan.Analysis.Sites.List
	byIndex := map[int]*Site{}
	for i, s := range sites {
		at, ok := c.plannable[s.Pkg.Path()][s.Key.Site()]
		if !ok {
			continue // the access has no check of its own: another check makes it known, or it needs none
		}
		f := c.plan.Fates[i]
		t := c.site(at, s.Pkg.Path())
		t.describe(s)
		t.Fate, t.Pass, t.Reason = Fate(f.Kind.String()), f.Pass, c.located(t.Package, f.Reason)
		t.Notes = c.notes(t.Package, f.Notes)
		if t.Fate == Kept && len(s.Accesses) > 0 {
			c.leaveLoop(s, t)
			t.Advice = c.advice(s, t)
		}
		if f.By >= 0 {
			by := sites[f.By].Key
			t.By = &Place{shown(by.File, c.dir), by.Line, by.Col}
		}
		byIndex[i] = t
		c.report.Sites = append(c.report.Sites, t)
	}
	for i, t := range byIndex {
		t.by = byIndex[c.plan.Fates[i].By] // nil if By is -1
	}
}

// notes returns the reasons of several passes for a check that is kept, nil if there is one
// reason: the site's own.
func (c *collector) notes(pkg string, list []builder.Note) (notes []Note) {
	if len(list) < 2 {
		return nil
	}
	for _, n := range list {
		notes = append(notes, Note{n.Pass, c.located(pkg, n.Reason)})
	}
	return notes
}

// rest adds the checks that no plan can decide about. Among them are checks of ranges of
// elements, whose access the analysis may know nevertheless.
func (c *collector) rest() {
	facts := map[row][]int{}
	sites := c.plan.Analysis.Sites.List
	for i, s := range sites {
		r := rowOf(s)
		_, fixed := c.fixed[r]
		if _, ok := c.plannable[s.Pkg.Path()][s.Key.Site()]; fixed && !ok {
			facts[r] = append(facts[r], i)
		}
	}
	for r, f := range c.fixed {
		t := c.site(r, f.pkg)
		t.Access, t.Fate, t.Reason = "access", Kept, fixedReason+" ("+f.what+")"
		if f.what == atomicOperation {
			t.Reason = atomicReason
		} else if is := facts[r]; len(is) == 1 {
			t.describe(sites[is[0]])
			if g := c.plan.Fates[is[0]]; g.Kind == optimize.Kept && g.Reason != "" {
				t.Reason = c.located(t.Package, g.Reason)
			}
		}
		c.report.Sites = append(c.report.Sites, t)
	}
}

func rowOf(s *ssapass.Site) row { return row{s.Key.File, s.Key.Line, s.Key.Col, s.Key.Expr} }

// describe copies the kind of the access.
func (s *Site) describe(t *ssapass.Site) {
	s.Access, s.Elems = "read", t.Key.Elems
	if t.Key.Write {
		s.Access = "write"
	}
}

// shown returns a file's name for users: relative to dir if the file is below dir.
func shown(file, dir string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

func (c *collector) site(k row, pkg string) *Site {
	s := &Site{Place: Place{shown(k.file, c.dir), k.line, k.col}, Expr: k.expr, Package: pkg, Estimate: 1, abs: k.file, source: c.source(k.file)}
	if f := c.function(k); f != nil {
		s.Func, s.function = funcName(f.Decl), f
		s.loops, s.Estimate = f.Around(k.line, k.col)
		s.Loops = len(s.loops)
	}
	return s
}

// source returns the text of a file. Line directives may name files that are not part of
// the program.
func (c *collector) source(file string) *excerpt.File {
	s, ok := c.sources[file]
	if !ok {
		if text, has := c.prog.Text(file); has {
			s = excerpt.New(text)
		} else {
			s = excerpt.Read(file)
		}
		c.sources[file] = s
	}
	return s
}

// listedPackages returns the packages to report on, in the order of loading: all packages
// if deps is set, and otherwise the packages that the patterns name.
func listedPackages(p *ssapass.Program, deps bool) []*packages.Package {
	if deps {
		return p.Packages
	}
	return p.Initial
}

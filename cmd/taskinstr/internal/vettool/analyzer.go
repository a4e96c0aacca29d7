package vettool

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// A functionFact is the fact of a function.
type functionFact struct{ ssapass.Fact }

// AFact makes functionFact an analysis.Fact.
func (*functionFact) AFact() {}

func (k *functionFact) String() string {
	s := fmt.Sprintf("sync %#x", uint16(k.Sync))
	if k.Memory {
		s += ", touches memory"
	}
	if k.NeverReturns {
		s += ", never returns"
	}
	return s
}

// options are the values of the analyzer's flags.
type options struct {
	passes        string
	kept, removed bool
}

// New returns the analyzer.
func New() *analysis.Analyzer {
	o := &options{}
	a := &analysis.Analyzer{
		Name: "taskinstr",
		Doc: "say which memory accesses taskinstr would check for data races, and why\n\n" +
			"The passes are those that need one package and facts: " + strings.Join(optimize.Local().Names(), ", ") + ".\n" +
			"With -scope=program a build sees the whole program and removes more checks; `taskinstr lint -scope=program` shows that.",
		FactTypes: []analysis.Fact{(*functionFact)(nil)},
		Run:       func(p *analysis.Pass) (any, error) { return nil, run(p, o) },
	}
	a.Flags.StringVar(&o.passes, "passes", "all", "the `set` of passes to run: all, none, NAME,..., all,-NAME")
	a.Flags.BoolVar(&o.kept, "kept", false, "only accesses whose check is kept")
	a.Flags.BoolVar(&o.removed, "removed", false, "only accesses whose check is removed or guarded")
	return a
}

// passSet returns the passes of the option passes that need one package alone.
func (o *options) passSet() (optimize.Set, error) {
	asked, err := optimize.Parse(o.passes)
	return asked.And(optimize.Local()), err
}

func run(p *analysis.Pass, o *options) (err error) {
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("internal error: %v; this is a defect of taskinstr, please report it", e)
		}
	}()
	set, err := o.passSet()
	if err != nil {
		return err
	}
	if !ssapass.Instrumented(p.Pkg.Path()) || len(p.Files) == 0 {
		return nil // the package has no checks, and the analysis knows its functions by their contracts
	}
	u, err := unit(p)
	if err != nil {
		return err
	}
	prog, err := ssapass.LoadUnit(u)
	if err != nil {
		return err
	}
	a := prog.Analyze()
	for f, fact := range a.Facts() {
		p.ExportObjectFact(f, &functionFact{fact})
	}
	if u.Module == nil {
		return nil // a build checks the whole standard library
	}
	plan, err := optimize.Make(a, set, optimize.Options{})
	if err != nil {
		return fmt.Errorf("internal error: the plan does not hold: %w", err)
	}
	sites, err := site.Find(prog.Source(prog.Packages[0]))
	if err != nil {
		return err
	}
	checked := map[site.Key]bool{}
	for i := range sites {
		checked[sites[i].Key] = checked[sites[i].Key] || sites[i].Plannable()
	}
	for i, s := range a.Sites.List {
		f := plan.Fates[i]
		if !checked[s.Key.Site()] {
			continue // the access has no check of its own
		}
		if kept := f.Kind == optimize.Kept; o.kept && !kept || o.removed && kept {
			continue
		}
		p.Report(analysis.Diagnostic{Pos: s.Pos, Category: f.Pass, Message: message(s, f)})
	}
	return nil
}

// unit returns the package of p, with the facts of the packages that it imports.
func unit(p *analysis.Pass) (ssapass.Unit, error) {
	u := ssapass.Unit{
		Fset: p.Fset, Files: p.Files, Other: p.OtherFiles, Path: p.Pkg.Path(), Pkg: p.Pkg, Info: p.TypesInfo, Sizes: p.TypesSizes,
		Fact: func(f *types.Func) (ssapass.Fact, bool) {
			var k functionFact
			ok := p.ImportObjectFact(f, &k)
			return k.Fact, ok
		},
	}
	if m := p.Module; m != nil {
		u.Module = &packages.Module{Path: m.Path, Version: m.Version, GoVersion: strings.TrimPrefix(m.GoVersion, "go")}
	}
	for _, f := range p.Files {
		text, err := p.ReadFile(p.Fset.File(f.FileStart).Name())
		if err != nil {
			return ssapass.Unit{}, err
		}
		u.Texts = append(u.Texts, text)
	}
	return u, nil
}

// message describes the fate of the check, with the words of taskinstr lint.
func message(s *ssapass.Site, f optimize.Fate) string {
	what := "read"
	if s.Key.Write {
		what = "write"
	}
	if s.Key.Elems {
		what += " of the elements"
	}
	what += " of " + s.Key.Expr
	if f.Kind == optimize.Kept {
		return what + ": check kept: " + f.Reason
	}
	return fmt.Sprintf("%s: check %s (%s: %s)", what, f.Kind, f.Pass, f.Reason)
}

package planner

import (
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/pace"
	"taskinstr/ssapass"
)

// In program scope the packages of the main module, and of the modules that the command line
// names, are analysed together, from source. All other packages are planned by themselves, as in
// package scope: the standard library always, other modules if they are large. The analysis reads
// their types and facts from their archives, as an importer does. The go command compiles these
// packages for the build in any case, so the planner has it compile them first.
//
// A package that imports one of the packages is one of them, too (closeUp). So no code outside of
// them can name their functions and variables.
//
// Package testing starts the tasks of a test binary. With the bodies of the standard library the
// analysis knows which tests run one after the other, so test binaries are analysed whole while they
// are small.

// Bounds of texts in bytes: of other modules' packages that are analysed together with the main
// module's, and of all packages outside of the standard library in test binaries that are
// analysed whole.
const (
	maxOther = 8 << 20
	maxWhole = 4 << 20
)

// A Program is the part of a build that is planned from source. It is nil if there is no such part.
type Program struct {
	*ssapass.Program
	All    []*packages.Package // the packages of the build, dependencies first
	Named  []*packages.Package // those that the patterns name
	Others []*packages.Package // those that are planned by themselves
}

// Load loads the program that a request builds. The program is lean if only the plan of a build
// is wanted (ssapass.Config).
func Load(r *Request, lean bool) (*Program, error) {
	c := ssapass.Config{Dir: r.Dir, Env: r.Env, Flags: r.loadFlags(), Patterns: r.Patterns, Tests: r.Tests, Lean: lean}
	list, err := ssapass.List(c)
	if err != nil {
		return nil, err
	}
	p := &Program{All: list.All, Named: list.Initial}
	if r.Tests && textSize(slices.DeleteFunc(slices.Clone(p.All), Standard)) <= maxWhole {
		for _, pkg := range p.All {
			if Standard(pkg) {
				p.Others = append(p.Others, pkg)
			}
		}
		if p.Program, err = ssapass.LoadListed(c, list); err != nil {
			return nil, err
		}
		return p, nil
	}
	in := choose(p.All, p.Named)
	var members []*packages.Package
	for _, pkg := range p.All {
		if in[pkg] {
			members = append(members, pkg)
		} else {
			p.Others = append(p.Others, pkg)
		}
	}
	if len(members) == 0 { // the standard library
		return p, nil
	}
	units, err := r.check(members, in)
	if err != nil {
		return nil, err
	}
	main := slices.ContainsFunc(list.Linked, func(pkg *packages.Package) bool { return pkg.Name == "main" })
	for _, u := range units {
		u.Main = main
	}
	if p.Program, err = ssapass.LoadUnits(units); err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, pkg := range p.Named {
		named[pkg.PkgPath] = true
	}
	p.Initial = slices.DeleteFunc(slices.Clone(p.Packages), func(pkg *packages.Package) bool { return !named[pkg.PkgPath] })
	return p, nil
}

// choose returns the packages that are analysed together.
func choose(all, initial []*packages.Package) map[*packages.Package]bool {
	modules := map[string]bool{}
	for _, p := range initial {
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
	}
	in := map[*packages.Package]bool{}
	var others []*packages.Package
	for _, p := range all {
		switch {
		case Standard(p):
		case p.Module == nil || p.Module.Main || modules[p.Module.Path]:
			in[p] = true
		default:
			others = append(others, p)
		}
	}
	if textSize(others) <= maxOther {
		for _, p := range others {
			in[p] = true
		}
	}
	closeUp(all, in)
	return in
}

// closeUp adds the packages that import one of in; all has dependencies first.
func closeUp(all []*packages.Package, in map[*packages.Package]bool) {
	for _, p := range all {
		for _, i := range p.Imports {
			if in[i] {
				in[p] = true
			}
		}
	}
}

// textSize returns the number of bytes of the packages' Go files. The files of variants count once.
func textSize(list []*packages.Package) (n int64) {
	seen := map[string]bool{}
	for _, p := range list {
		for _, f := range p.CompiledGoFiles {
			if i, err := os.Stat(f); err == nil && !seen[f] {
				seen[f] = true
				n += i.Size()
			}
		}
	}
	return n
}

// check type-checks the members, dependencies first.
func (r *Request) check(members []*packages.Package, in map[*packages.Package]bool) ([]*ssapass.Unit, error) {
	archives, err := r.compile(members, in)
	if err != nil {
		return nil, err
	}
	facts := new(ssapass.Facts)
	for _, path := range slices.Sorted(maps.Keys(archives)) {
		unit.AddFacts(facts, archives[path])
	}
	fset := token.NewFileSet()
	imports := typecheck.NewImports(fset, archives)
	parsed := map[string]*typecheck.Package{} // by file, for the variants of a package
	checked := map[*packages.Package]*types.Package{}
	var units []*ssapass.Unit
	for _, pkg := range members {
		c := typecheck.Config{Path: pkg.PkgPath, GOARCH: r.GOARCH, Alias: map[string]string{}, Own: map[string]*types.Package{}}
		if pkg.Module != nil {
			c.Lang = typecheck.Lang(pkg.Module.GoVersion)
		}
		for source, i := range pkg.Imports {
			switch {
			case in[i]:
				c.Own[source] = checked[i]
			case source != i.PkgPath:
				c.Alias[source] = i.PkgPath
			}
		}
		k := &typecheck.Package{Fset: fset}
		for _, f := range pkg.CompiledGoFiles {
			if !typecheck.IsSource(f) {
				continue
			}
			one := parsed[f]
			if one == nil {
				if one, err = typecheck.Parse(fset, []typecheck.File{{Name: f}}); err != nil {
					return nil, &ssapass.LoadError{Messages: []string{err.Error()}}
				}
				parsed[f] = one
			}
			k.Files, k.Texts = append(k.Files, one.Files...), append(k.Texts, one.Texts...)
		}
		if err := k.Check(c, imports); err != nil {
			return nil, &ssapass.LoadError{Messages: []string{err.Error()}}
		}
		checked[pkg] = k.Types
		if len(k.Files) == 0 {
			continue
		}
		referenced, err := unit.Assembly(pkg.OtherFiles)
		if err != nil {
			return nil, err
		}
		units = append(units, &ssapass.Unit{
			Fset: fset, Files: k.Files, Texts: k.Texts, Referenced: referenced, Path: pkg.PkgPath, Pkg: k.Types, Info: k.Info,
			Sizes: pkg.TypesSizes, Module: pkg.Module, Partial: r.Partial, Fact: facts.Of,
		})
		pace.Step()
	}
	return units, nil
}

// compile has the go command compile the imports of the members that are planned by themselves.
// It returns their archives by package path.
func (r *Request) compile(members []*packages.Package, in map[*packages.Package]bool) (map[string]string, error) {
	imported := map[string]bool{} // by path
	for _, pkg := range members {
		for _, i := range pkg.Imports {
			if !in[i] && i.PkgPath != "unsafe" {
				imported[i.PkgPath] = true
			}
		}
	}
	archives := map[string]string{}
	if len(imported) == 0 {
		return archives, nil
	}
	args := []string{"-export", "-f", "{{.ImportPath}}\t{{.Export}}"}
	if !r.plain {
		tool, err := gocmd.Toolexec(r.Options.ByPackage().Args())
		if err != nil {
			return nil, err
		}
		args = append(args, tool)
	}
	r.show("compiling %d packages that others import", len(imported))
	out, err := r.goList(slices.Concat(args, r.flags(compiled), r.Marks), slices.Sorted(maps.Keys(imported)))
	if err != nil {
		return nil, &ssapass.LoadError{Messages: []string{err.Error()}}
	}
	for line := range strings.Lines(out) {
		path, file, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		archives[path] = file
	}
	return archives, nil
}

package lint

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// unitMode has the go command compile the packages, as the build does, and loads the source
// of those that are named. The types of their imports come from the archives.
const unitMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule | packages.NeedExportFile

// analyzeUnits lists the sites in package scope: each package by itself, with the inputs
// of its compilation.
func analyzeUnits(o *options, progress *terminal.Progress) (*Report, error) {
	defer progress.Clear()
	dir, err := prepare(o)
	if err != nil {
		return nil, err
	}
	tool, err := toolexec(o)
	if err != nil {
		return nil, err
	}
	progress.Show("compiling %s", strings.Join(o.patterns, " "))
	patterns := o.patterns
	if o.deps {
		if patterns, err = withDeps(o, dir); err != nil {
			return nil, err
		}
	}
	list, err := packages.Load(&packages.Config{Mode: unitMode, Dir: dir, BuildFlags: append(o.build, tool), Tests: o.tests}, patterns...)
	if err != nil {
		return nil, explain(o, dir, &ssapass.LoadError{Messages: []string{err.Error()}})
	}
	total := newReport(o.set.And(optimize.Local()), dir)
	var broken ssapass.LoadError
	for _, pkg := range list {
		for _, e := range pkg.Errors {
			broken.Messages = append(broken.Messages, e.Error())
		}
	}
	if len(broken.Messages) > 0 {
		return nil, explain(o, dir, &broken)
	}
	for i, pkg := range compiled(list) {
		progress.Show("package %d of %d: %s", i+1, len(list), pkg.PkgPath)
		r, note, err := planUnit(o, pkg)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pkg.ID, err)
		}
		if r == nil {
			continue
		}
		one, err := report(r.Plan, r.Plan.Analysis.Program().Packages, dir)
		if err != nil {
			return nil, err
		}
		total.Sites = append(total.Sites, one.Sites...)
		total.Notes = append(total.Notes, one.Notes...)
		if note != "" {
			total.Notes = append(total.Notes, note)
		}
	}
	total.sort()
	return total, nil
}

// toolexec returns the flag with which the build calls this program.
func toolexec(o *options) (string, error) {
	s := o.base
	s.Passes, s.Scope, s.Tag = o.set, o.scope, ""
	return gocmd.Toolexec(s.Args())
}

// withDeps returns the packages that the patterns name, and all that they import.
func withDeps(o *options, dir string) ([]string, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps, Dir: dir, BuildFlags: o.build, Tests: o.tests}, o.patterns...)
	if err != nil {
		return nil, err
	}
	var paths []string
	packages.Visit(list, nil, func(pkg *packages.Package) {
		if pkg.PkgPath != "unsafe" && !strings.HasSuffix(pkg.ID, ".test") && !strings.HasSuffix(pkg.ID, "]") && !strings.HasSuffix(pkg.PkgPath, "_test") {
			paths = append(paths, pkg.PkgPath)
		}
	})
	return paths, nil
}

// compiled returns the packages that the build compiles: a package with a variant for its
// tests is not a part of the test binary.
func compiled(list []*packages.Package) (out []*packages.Package) {
	variant := map[string]bool{}
	for _, pkg := range list {
		if strings.HasSuffix(pkg.ID, "]") {
			variant[pkg.PkgPath] = true
		}
	}
	for _, pkg := range list {
		if strings.HasSuffix(pkg.ID, ".test") || variant[pkg.PkgPath] && !strings.HasSuffix(pkg.ID, "]") {
			continue
		}
		out = append(out, pkg)
	}
	return out
}

// planUnit plans the package as its compilation does. The note says that the build has
// another plan.
func planUnit(o *options, pkg *packages.Package) (r *unit.Result, note string, err error) {
	p := unit.Package{
		Fset: pkg.Fset, Files: pkg.Syntax, Path: pkg.PkgPath, Types: pkg.Types, Info: pkg.TypesInfo, Sizes: pkg.TypesSizes,
		Archives: map[string]string{}, Module: pkg.Module,
	}
	if m := pkg.Module; m != nil {
		version := *m
		if version.GoVersion == "" {
			version.GoVersion = noGoLine
		}
		p.Module = &version
	}
	for _, f := range pkg.Syntax {
		text, err := os.ReadFile(pkg.Fset.File(f.FileStart).Name())
		if err != nil {
			return nil, "", err
		}
		p.Texts = append(p.Texts, text)
	}
	if p.Referenced, err = unit.Assembly(pkg.OtherFiles); err != nil {
		return nil, "", err
	}
	for _, i := range pkg.Imports {
		p.Archives[i.PkgPath] = i.ExportFile
	}
	if r, err = unit.Make(p, o.set); err != nil || r == nil {
		return nil, "", err
	}
	built, err := archive.Read(pkg.ExportFile, unit.PlanMember)
	if err != nil {
		return nil, "", err
	}
	digest, err := r.Digest()
	switch {
	case err != nil:
		return nil, "", err
	case built == nil:
		return nil, "", errors.New("the compiled package has no plan, although this program compiled it; this is a defect of taskinstr, please report it")
	case string(built) != digest:
		note = pkg.ID + ": the build has another plan than this list shows"
	}
	return r, note, nil
}

// noGoLine is the language version of a module whose go.mod has no line go.
const noGoLine = "1.16"

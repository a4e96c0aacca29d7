package unit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// Member is the name of the archive member that holds a package's facts.
const Member = "taskinstr.facts"

// A Package is a package as the compiler gets it: type-checked source.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Texts [][]byte // of Files
	Path  string
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	// GoVersion is the language version, as in -lang=go1.26; may be empty.
	GoVersion string
	// Archives holds the compiled imports, by package path.
	Archives map[string]string
	// Symabis is the file in which the assembler lists the symbols that the package's
	// assembly defines and refers to; "" if there is no assembly.
	Symabis string
	// Partial: some packages of the build get no checks.
	Partial bool
}

// A Result is what is known of a package by itself.
type Result struct {
	Plan  *optimize.Plan
	Facts []byte // for its archive
}

// Make analyses the package and runs those of the passes that need one package alone. A
// package without checks has no result.
func Make(p Package, passes optimize.Set) (*Result, error) {
	if !ssapass.Instrumented(p.Path) || len(p.Files) == 0 {
		return nil, nil
	}
	facts := p.facts()
	referenced, err := p.referenced()
	if err != nil {
		return nil, err
	}
	prog, err := ssapass.LoadUnit(ssapass.Unit{
		Fset: p.Fset, Files: p.Files, Texts: p.Texts, Path: p.Path, Pkg: p.Types, Info: p.Info, Sizes: p.Sizes,
		Module:     &packages.Module{Path: p.Path, GoVersion: strings.TrimPrefix(p.GoVersion, "go")},
		Referenced: referenced,
		Fact:       facts.Of,
	})
	if err != nil {
		return nil, err
	}
	a := prog.Analyze()
	plan, err := optimize.Make(a, passes.And(optimize.Local()), optimize.Options{Std: true, Partial: p.Partial})
	if err != nil {
		return nil, fmt.Errorf("the plan does not hold: %w", err)
	}
	return &Result{Plan: plan, Facts: a.Exported().Encode()}, nil
}

// facts returns the facts of the imports.
func (p *Package) facts() *ssapass.Facts {
	all := new(ssapass.Facts)
	for _, path := range slices.Sorted(maps.Keys(p.Archives)) {
		data, err := archive.Read(p.Archives[path], Member)
		if err != nil || data == nil {
			continue
		}
		if f, err := ssapass.DecodeFacts(data); err == nil {
			all.Merge(f)
		}
	}
	return all
}

// referenced returns the package-level names that the package's assembly refers to.
func (p *Package) referenced() (map[string]bool, error) {
	if p.Symabis == "" {
		return nil, nil
	}
	text, err := os.ReadFile(p.Symabis)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		// def and ref, a symbol, its calling convention
		w := strings.Fields(line)
		if len(w) < 2 || w[0] != "ref" {
			continue
		}
		for _, prefix := range []string{p.Types.Path() + ".", p.Path + ".", `"".`} {
			if name, ok := strings.CutPrefix(w[1], prefix); ok {
				names[name] = true
			}
		}
	}
	return names, nil
}

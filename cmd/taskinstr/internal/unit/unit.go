package unit

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// The names of archive members: the facts of a package, and the digest of its plan.
const (
	FactsMember = "taskinstr.facts"
	PlanMember  = "taskinstr.plan"
)

// A Package is a package as the compiler gets it: type-checked source.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Texts [][]byte // of Files
	Path  string
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	// Archives holds the compiled imports, by package path.
	Archives map[string]string
	// Module is nil in the standard library.
	Module *packages.Module
	// Referenced holds the package-level names that the package's assembly refers to.
	Referenced map[string]bool
	// Partial: some packages of the build get no checks.
	Partial bool
}

// A Result is the plan of a package and the facts for its importers.
type Result struct {
	Plan  *optimize.Plan
	Facts *ssapass.Facts
	path  string
}

// Members returns the members for the package's archive, in the order of their names.
func (r *Result) Members() ([]Bytes, error) {
	digest, err := r.Digest()
	return []Bytes{{FactsMember, r.Facts.Encode()}, {PlanMember, digest}}, err
}

// Bytes are the data of one member.
type Bytes struct {
	Name string
	Data []byte
}

// Digest identifies the plan.
func (r *Result) Digest() ([]byte, error) {
	var text []byte
	if p := r.Plan.Package(r.path); p != nil {
		var err error
		if text, err = p.Encode(); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(text)
	return sum[:], nil
}

// Make analyzes the package and runs the passes that need one package alone. A
// package without checks has no result.
func Make(p Package, passes optimize.Set) (*Result, error) {
	if !ssapass.Instrumented(p.Path) || len(p.Files) == 0 {
		return nil, nil
	}
	facts := p.facts()
	prog, err := ssapass.LoadUnit(ssapass.Unit{
		Fset: p.Fset, Files: p.Files, Texts: p.Texts, Path: p.Path, Pkg: p.Types, Info: p.Info, Sizes: p.Sizes,
		Module: p.Module, Referenced: p.Referenced, Fact: facts.Of,
	})
	if err != nil {
		return nil, err
	}
	a := prog.Analyze()
	plan, err := optimize.Make(a, passes.And(optimize.Local()), optimize.Options{Std: true, Partial: p.Partial})
	if err != nil {
		return nil, fmt.Errorf("the plan does not hold: %w", err)
	}
	return &Result{plan, a.Exported(), p.Path}, nil
}

// facts returns the facts of the imports.
func (p *Package) facts() *ssapass.Facts {
	all := new(ssapass.Facts)
	for _, path := range slices.Sorted(maps.Keys(p.Archives)) {
		data, err := archive.Read(p.Archives[path], FactsMember)
		if err != nil || data == nil {
			continue // external code
		}
		if f, err := ssapass.DecodeFacts(data); err == nil {
			all.Merge(f)
		}
	}
	return all
}

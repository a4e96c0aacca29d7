package unit

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
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
	Main  bool // see ssapass.Unit
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
	// Explain: kept checks get the reasons of all passes.
	Explain bool
}

// A Result is the plan of a package and the facts for its importers.
type Result struct {
	Plan   *optimize.Plan
	Splice *splice.Plan // Plan for the rewriter; nil if all checks stay
	Facts  *ssapass.Facts
}

// Members returns the members for the package's archive, in the order of their names.
func (r *Result) Members() ([]Bytes, error) {
	digest, err := r.Digest()
	return []Bytes{{FactsMember, r.Facts.Encode()}, {PlanMember, []byte(digest)}}, err
}

// Bytes are the data of one member.
type Bytes struct {
	Name string
	Data []byte
}

// Digest identifies the decisions of the plan. The texts of the files have no part in it: a
// new comment that moves no code must leave the archive as it is, so that the go command does
// not compile the package's importers again.
func (r *Result) Digest() (string, error) {
	if r.Splice == nil {
		return site.Digest(nil), nil
	}
	decisions := *r.Splice
	decisions.Files, decisions.Why = nil, nil
	if decisions.Empty() {
		return site.Digest(nil), nil // as without reasons
	}
	text, err := decisions.Encode()
	return site.Digest(text), err
}

// Make analyzes the package and runs the passes that need one package alone. A
// package without checks has no result. All errors are of type *Failure.
func Make(p Package, passes optimize.Set) (result *Result, err error) {
	if !ssapass.Instrumented(p.Path) || len(p.Files) == 0 {
		return nil, nil
	}
	defer fail(&result, &err)
	facts := p.facts()
	prog, err := ssapass.LoadUnit(ssapass.Unit{
		Fset: p.Fset, Files: p.Files, Texts: p.Texts, Path: p.Path, Main: p.Main, Pkg: p.Types, Info: p.Info, Sizes: p.Sizes,
		Module: p.Module, Referenced: p.Referenced, Partial: p.Partial, Fact: facts.Of,
	})
	if err != nil {
		return nil, err
	}
	a := prog.Analyze()
	plan, err := optimize.Make(a, passes.And(optimize.Local()), optimize.Options{Std: true, Explain: p.Explain})
	if err != nil {
		return nil, fmt.Errorf("the plan does not hold: %w", err)
	}
	return &Result{plan, plan.Package(p.Path), a.Exported()}, nil
}

// facts returns the facts of the imports.
func (p *Package) facts() *ssapass.Facts {
	all := new(ssapass.Facts)
	for _, file := range p.Archives {
		AddFacts(all, file)
	}
	return all
}

// AddFacts adds the facts in an archive. Without any, its functions are external code.
func AddFacts(to *ssapass.Facts, file string) {
	data, err := archive.Read(file, FactsMember)
	if err != nil || data == nil {
		return
	}
	if f, err := ssapass.DecodeFacts(data); err == nil {
		to.Merge(f)
	}
}

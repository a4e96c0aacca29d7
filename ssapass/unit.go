package ssapass

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// A Unit is one package that is analysed alone, as go vet presents it to its tools. Of
// its imports it has the types, and the facts of functions (Fact). Its imports and the
// packages that import it are external code. Such code may call the entries of the package
// (see enterUnit), at any time, and may access everything that the package exports or passes
// to it.
type Unit struct {
	Fset  *token.FileSet
	Files []*ast.File
	Texts [][]byte // contents of Files
	Other []string // names of files in other languages
	// Referenced holds the package-level functions and variables that assembly refers to,
	// where Other is not known.
	Referenced map[string]bool
	Path       string
	Main       bool // a main package that no package imports; one that has tests is imported by these
	Pkg        *types.Package
	Info       *types.Info
	Sizes      types.Sizes
	// Module is nil in the standard library.
	Module *packages.Module
	// Fact returns the fact of a function of another package.
	Fact func(*types.Func) (Fact, bool)
}

// A Fact has the effects of a function for the packages that import its Unit.
type Fact struct {
	Sync Sync
	// Memory: reads or writes memory that the caller can know, besides the memory of arguments
	// if Flow is known.
	Memory       bool
	NeverReturns bool
	Flow         *pointsto.Contract // what it does with its arguments; nil if this is unknown
}

// LoadUnit returns the program of one package.
func LoadUnit(u Unit) (prog *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			prog, err = nil, fmt.Errorf("load %s: internal error: %v", u.Path, r)
		}
	}()
	if len(u.Files) != len(u.Texts) {
		return nil, fmt.Errorf("load %s: %d files but %d texts", u.Path, len(u.Files), len(u.Texts))
	}
	if opaque(u.Path) {
		return nil, errors.New("load " + u.Path + ": it is part of the runtime")
	}
	pkg := &packages.Package{
		ID: u.Path, Name: u.Pkg.Name(), PkgPath: u.Path, Types: u.Pkg, TypesInfo: u.Info, TypesSizes: u.Sizes,
		Syntax: u.Files, Fset: u.Fset, Module: u.Module, OtherFiles: u.Other,
	}
	p := &Program{
		Fset: u.Fset, Packages: []*packages.Package{pkg}, Initial: []*packages.Package{pkg},
		sources: map[string]*source{}, unit: newUnit(u),
	}
	p.unit.models = newModels(p)
	p.SSA = ssa.NewProgram(u.Fset, ssa.InstantiateGenerics|ssa.GlobalDebug)
	done := map[*types.Package]bool{u.Pkg: true}
	var declare func(list []*types.Package)
	declare = func(list []*types.Package) {
		for _, i := range list {
			if !done[i] {
				done[i] = true
				p.SSA.CreatePackage(i, nil, nil, true)
				declare(i.Imports())
			}
		}
	}
	declare(u.Pkg.Imports())
	s := p.SSA.CreatePackage(u.Pkg, u.Files, u.Info, true)
	for i, f := range u.Files {
		name := u.Fset.File(f.FileStart).Name()
		pkg.CompiledGoFiles = append(pkg.CompiledGoFiles, name)
		p.sources[name] = &source{pkgs: []*packages.Package{pkg}, files: []*ast.File{f}, text: u.Texts[i]}
	}
	restore := shorten(u.Files, u.Info)
	s.Build()
	restore()
	p.link()
	for name := range u.Referenced {
		switch m := s.Members[name].(type) {
		case *ssa.Function:
			p.enter(m)
		case *ssa.Global:
			p.unit.open[m] = true
		}
	}
	p.findJoined(s)
	p.findInGenerics(s)
	p.Reach = p.reach()
	p.resolve()
	return p, nil
}

// A unit is the Unit of a Program of one package.
type unit struct {
	Unit
	joined     map[*ssa.Function]bool // functions declared here whose bodies are Go code elsewhere
	open       map[*ssa.Global]bool   // unexported variables that external code may name
	named      map[*types.Func]bool   // unexported generic functions that exposed ones name
	inGenerics map[string]bool        // ids of functions and methods that exposed generic functions name
	early      []*ssa.Function        // functions that packages may call that are initialized before the unit

	contracts map[*ssa.Function]*pointsto.Contract // of functions without body here; nil: has none
	models    *models
}

func newUnit(u Unit) *unit {
	return &unit{u, map[*ssa.Function]bool{}, map[*ssa.Global]bool{}, map[*types.Func]bool{}, map[string]bool{}, nil, map[*ssa.Function]*pointsto.Contract{}, nil}
}

// findJoined reads the package's go:linkname directives. The body of a function that has
// none here is Go code elsewhere, not assembly. External code may call a function, or use a
// variable, that a directive names.
func (p *Program) findJoined(s *ssa.Package) {
	for _, f := range p.unit.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				w := strings.Fields(c.Text)
				if len(w) < 2 || w[0] != "//go:linkname" {
					continue
				}
				if len(w) > 2 {
					p.enterEarly(p.symbol(s, w[2]))
				}
				switch m := s.Members[w[1]].(type) {
				case *ssa.Function:
					if m.Blocks == nil {
						p.unit.joined[m] = true
					} else {
						p.enterEarly(m)
					}
				case *ssa.Global:
					p.unit.open[m] = true
				}
			}
		}
	}
}

func generic(f *types.Func) bool {
	sig := f.Signature()
	return sig.TypeParams().Len()+sig.RecvTypeParams().Len() > 0
}

// enterEarly notes that packages call f that may be initialized before the unit.
func (p *Program) enterEarly(f *ssa.Function) {
	p.enter(f)
	if f != nil {
		p.unit.early = append(p.unit.early, f)
	}
}

// foreign reports whether the body of f is Go code outside the unit. Such code may do
// anything, while assembly and the runtime have only the effects in their tables.
func (p *Program) foreign(f *ssa.Function) bool {
	if p.unit == nil {
		return false
	}
	pkg := packageOf(f)
	switch {
	case p.unit.joined[f]:
		return true
	case pkg == nil:
		return f.Blocks == nil
	case pkg == p.unit.Pkg || opaque(pkg.Path()) || p.unit.models.is[f]:
		return false
	case pkg.Path() == "sync/atomic":
		return f.Signature.Recv() != nil // methods; its functions are operations of the machine
	}
	return true
}

// bodyless returns the effects of f, which has no body here.
func (a *Analysis) bodyless(f *ssa.Function) externalEffect {
	p := a.prog
	if !p.foreign(f) {
		return bodyless(f)
	}
	o := f
	if g := f.Origin(); g != nil {
		o = g
	}
	if pkg := packageOf(o); pkg != nil && pkg.Path() == "sync/atomic" {
		return bodyless(f) // the effects on order; its accesses are to its arguments
	}
	if s, ok := syncOf(o); ok && o.Name() != "Get" { // Get of a Pool may call New
		return externalEffect{sync: s}
	}
	if leaf(f) {
		return externalEffect{sync: MayPanic}
	}
	if x, ok := p.fact(f); ok {
		return externalEffect{x.Sync, x.Memory}
	}
	return externalEffect{anything, true}
}

// fact returns the fact of f, a function of another package.
func (p *Program) fact(f *ssa.Function) (Fact, bool) {
	if p.unit == nil || p.unit.Fact == nil || p.unit.joined[f] {
		return Fact{}, false
	}
	obj, ok := f.Object().(*types.Func)
	if !ok || f.Origin() != nil {
		return Fact{}, false
	}
	return p.unit.Fact(obj)
}

// open reports whether external code may name the variable.
func (p *Program) open(v *ssa.Global) bool {
	if v.Pkg == nil || v.Pkg.Pkg != p.unit.Pkg {
		return true
	}
	if p.unit.Main {
		return p.unit.open[v]
	}
	return p.unit.open[v] || v.Object() != nil && v.Object().Exported()
}

// Facts returns the facts of the functions of the unit for packages that import it.
func (a *Analysis) Facts() map[*types.Func]Fact {
	facts := map[*types.Func]Fact{}
	for _, f := range a.prog.funcs {
		obj, ok := f.Object().(*types.Func)
		if !ok || f.Origin() != nil || f.Synthetic != "" || obj.Pkg() != a.prog.unit.Pkg {
			continue
		}
		s := a.Summary(f)
		x := Fact{Sync: s.Sync, Memory: a.visible(&s.Reads) || a.visible(&s.Writes), NeverReturns: s.NeverReturns}
		if k := a.contractOf(f); k != nil && known(&k.Contract) {
			x.Memory = x.Memory && k.elsewhere
			x.Flow = &k.Contract
		}
		facts[obj] = x
	}
	return facts
}

// visible reports whether code outside the unit may know memory of the effect.
func (a *Analysis) visible(e *Effect) bool {
	if e.Unknown || e.Everything {
		return true
	}
	found := false
	e.Cells.Each(func(c uint32) { found = found || a.Points.Object(c).Escaped })
	return found
}

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

	"taskinstr/internal/pace"
	"taskinstr/ssapass/pointsto"
)

// A Unit is one package that is analysed alone, as go vet presents it to its tools, or a member of
// several that are analysed together. Of its other imports it has the types, and the facts of
// functions (Fact). These imports, and packages that import a unit, are external code. Such
// code may call the entries of the unit (see enterUnit), at any time, and may access everything
// that the unit exports or passes to it.
type Unit struct {
	Fset  *token.FileSet
	Files []*ast.File
	Texts [][]byte // contents of Files
	Other []string // names of files in other languages
	// Referenced holds the package-level functions and variables that assembly refers to,
	// where Other is not known.
	Referenced map[string]bool
	Path       string
	Main       bool // no package imports it; a main package that has tests is imported by these
	Pkg        *types.Package
	Info       *types.Info
	Sizes      types.Sizes
	// Module is nil in the standard library.
	Module *packages.Module
	// Partial: other packages may have no checks.
	Partial bool
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
func LoadUnit(u Unit) (*Program, error) { return LoadUnits([]*Unit{&u}) }

// LoadUnits returns the program of several packages, which are analysed together: dependencies
// first, with one Fset, and with one types.Package for each import. A package that imports one
// of them is one of them, so that nobody else imports them (Main) unless they are a library.
func LoadUnits(list []*Unit) (*Program, error) {
	p := &Program{Fset: list[0].Fset, sources: map[string]*source{}, unit: newUnit(list)}
	p.unit.models = newModels(p)
	if err := p.load(); err != nil {
		return nil, err
	}
	return p, nil
}

// load builds the program of a unit.
func (p *Program) load() (err error) {
	path := p.unit.list[0].Path
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("load %s: internal error: %v", path, r)
		}
	}()
	p.SSA = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics|ssa.GlobalDebug)
	done := map[*types.Package]bool{}
	var declare func(list []*types.Package)
	declare = func(list []*types.Package) {
		for _, i := range list {
			if !done[i] && !p.unit.has(i) {
				done[i] = true
				p.SSA.CreatePackage(i, nil, nil, true)
				declare(i.Imports())
			}
		}
	}
	for _, u := range p.unit.list {
		path = u.Path
		if len(u.Files) != len(u.Texts) {
			return fmt.Errorf("load %s: %d files but %d texts", u.Path, len(u.Files), len(u.Texts))
		}
		if opaque(u.Path) {
			return errors.New("load " + u.Path + ": it is part of the runtime")
		}
		declare(u.Pkg.Imports())
		p.build(u)
		pace.Step()
	}
	p.link()
	for _, u := range p.unit.list {
		s := p.SSA.Package(u.Pkg)
		for name := range u.Referenced {
			switch m := s.Members[name].(type) {
			case *ssa.Function:
				p.enter(m)
			case *ssa.Global:
				p.unit.open[m] = true
			}
		}
		p.findJoined(u)
		p.findInGenerics(u)
	}
	p.addOpaque()
	p.Reach = p.reach()
	if p.unit.lean {
		for _, f := range p.funcs {
			dropDebug(f)
		}
	}
	p.resolve()
	return nil
}

// build adds a member of the unit to the program.
func (p *Program) build(u *Unit) {
	pkg := &packages.Package{
		ID: u.Path, Name: u.Pkg.Name(), PkgPath: u.Path, Types: u.Pkg, TypesInfo: u.Info, TypesSizes: u.Sizes,
		Syntax: u.Files, Fset: u.Fset, Module: u.Module, OtherFiles: u.Other,
	}
	p.Packages = append(p.Packages, pkg)
	p.Initial = p.Packages
	s := p.SSA.CreatePackage(u.Pkg, u.Files, u.Info, true)
	for i, f := range u.Files {
		name := u.Fset.File(f.FileStart).Name()
		pkg.CompiledGoFiles = append(pkg.CompiledGoFiles, name)
		src := p.sources[name]
		if src == nil {
			src = &source{text: u.Texts[i]}
			p.sources[name] = src
		}
		src.pkgs, src.files = append(src.pkgs, pkg), append(src.files, f)
	}
	restore := shorten(u.Files, u.Info)
	s.Build()
	restore()
	if p.unit.lean {
		eachDeclared(s, dropDebug)
	}
}

// A unit holds the members of a Program of units.
type unit struct {
	Main  bool
	Sizes types.Sizes
	Fact  func(*types.Func) (Fact, bool)
	list  []*Unit
	of    map[*types.Package]*Unit
	lean  bool // several members: SSA loses its descriptions of the source, for their memory

	joined     map[*ssa.Function]bool // functions declared here whose bodies are Go code elsewhere
	open       map[*ssa.Global]bool   // unexported variables that external code may name
	generics   map[*types.Func]bool   // unexported generic functions that exposed ones name
	inGenerics map[string]bool        // ids of functions and methods that exposed generic functions name
	early      []*ssa.Function        // functions that packages may call that are initialized before the unit

	opaqueTypes []*types.Named         // opaque instances of generic types
	opaqueFuncs []*ssa.Function        // opaque instances of generic functions
	represented map[*ssa.Function]bool // generic functions and methods of which all opaque instances are entries

	contracts map[*ssa.Function]*pointsto.Contract // of functions without body here; nil: has none
	models    *models
}

func newUnit(list []*Unit) *unit {
	first := list[0]
	u := &unit{
		Main: first.Main, Sizes: first.Sizes, Fact: first.Fact, list: list, of: map[*types.Package]*Unit{}, lean: len(list) > 1,
		joined: map[*ssa.Function]bool{}, open: map[*ssa.Global]bool{}, generics: map[*types.Func]bool{}, inGenerics: map[string]bool{}, represented: map[*ssa.Function]bool{},
		contracts: map[*ssa.Function]*pointsto.Contract{},
	}
	for _, m := range list {
		u.of[m.Pkg] = m
	}
	return u
}

// has reports whether the package is a member of the unit.
func (u *unit) has(pkg *types.Package) bool { return u.of[pkg] != nil }

// named returns the members with a path: a package, or variants of it for tests.
func (u *unit) named(path string) (list []*Unit) {
	for _, m := range u.list {
		if m.Path == path {
			list = append(list, m)
		}
	}
	return list
}

// findJoined reads a member's go:linkname directives. The body of a function that has
// none in the unit is Go code elsewhere, not assembly. External code may call a function, or use a
// variable, that a directive names.
func (p *Program) findJoined(u *Unit) {
	s := p.SSA.Package(u.Pkg)
	for _, f := range u.Files {
		for _, g := range f.Comments {
			for _, c := range g.List {
				w := strings.Fields(c.Text)
				if len(w) < 2 || w[0] != "//go:linkname" {
					continue
				}
				if len(w) > 2 {
					for _, f := range p.symbols(w[2]) {
						p.enterEarly(f)
					}
				}
				switch m := s.Members[w[1]].(type) {
				case *ssa.Function:
					if m.Blocks == nil {
						p.unit.joined[m] = p.bodies[m] == nil
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
	p.unit.early = append(p.unit.early, f)
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
	case p.unit.has(pkg) || opaque(pkg.Path()) || p.unit.models.is[f]:
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
	o := origin(f)
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
	if v.Pkg == nil || !p.unit.has(v.Pkg.Pkg) {
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
		if !ok || f.Origin() != nil || f.Synthetic != "" || !a.prog.unit.has(obj.Pkg()) {
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
	return e.Unknown || e.Everything || e.escaped(a.Points)
}

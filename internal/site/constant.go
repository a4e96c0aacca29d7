package site

import (
	"go/ast"
	"go/types"
	"strings"
)

// A package-level variable that nobody can assign to is a constant in all but
// name, as lookup tables are: its reads race with nothing. It is not exported,
// no statement of the package assigns to it or to a part of it, nothing takes its
// address or slices it, no directive links it to another name, and its initial
// value is there before there is another task. The memory behind a pointer in it is
// another matter.

// mutable notes that the variable that id names may change.
func (p *Package) mutable(id *ast.Ident) {
	if v, ok := p.Info.ObjectOf(id).(*types.Var); ok && IsGlobal(v) {
		p.changes[v] = true
	}
}

// linked notes the variables that linker directives of f name: other
// packages may assign to these variables.
func (p *Package) linked(f *ast.File) {
	for _, g := range f.Comments {
		for _, c := range g.List {
			w := strings.Fields(c.Text)
			if len(w) < 2 || w[0] != "//go:linkname" {
				continue
			}
			if v, ok := p.Pkg.Scope().Lookup(w[1]).(*types.Var); ok {
				p.changes[v] = true
			}
		}
	}
}

// constant reports whether the package-level variable v keeps its initial value.
func (p *Package) constant(v *types.Var) bool {
	return !v.Exported() && v.Pkg() == p.Pkg && !p.changes[v] && (p.initial || !p.computed[v])
}

// initialValues notes the variables whose initial values code may make after
// tasks have started.
func (p *Package) initialValues(f *ast.File) {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			vs, ok := s.(*ast.ValueSpec)
			if !ok {
				continue
			}
			dynamic := false
			for _, x := range vs.Values {
				dynamic = dynamic || p.Dynamic(x)
			}
			for _, n := range vs.Names {
				if v, ok := p.Info.Defs[n].(*types.Var); ok && dynamic {
					p.computed[v] = true
				}
			}
		}
	}
}

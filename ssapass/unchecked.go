package ssapass

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// Unchecked returns whether code without checks may make memory at an address of a set
// known to others: code outside the program, functions marked go:norace, and the
// functions of packages that without holds for. Memory that only checked code makes
// known is safe until then: whoever reads the pointer races with the store of it, or
// is ordered after everything that came before.
func (a *Analysis) Unchecked(without func(path string) bool) func(pointsto.Set) bool {
	reached := map[uint32]bool{}
	everything := false
	for _, f := range a.prog.funcs {
		pkg := packageOf(f)
		if pkg == nil || !Instrumented(pkg.Path()) || !norace(f) && !without(pkg.Path()) {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, v := range published(in) {
					for _, s := range a.Points.Parts(v) {
						everything = everything || s.Unknown
						for _, c := range s.Cells {
							reached[uint32(a.Points.Object(c).ID)] = true
						}
					}
				}
			}
		}
	}
	return func(s pointsto.Set) bool {
		if everything || s.Unknown || len(s.Cells) == 0 {
			return true
		}
		for _, c := range s.Cells {
			if o := a.Points.Object(c); o.Escaped || reached[uint32(o.ID)] {
				return true
			}
		}
		return false
	}
}

// published returns the values that the instruction puts into memory.
func published(in ssa.Instruction) []ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return []ssa.Value{in.Val}
	case *ssa.MapUpdate:
		return []ssa.Value{in.Key, in.Value}
	case *ssa.MakeClosure:
		return in.Bindings
	}
	return nil
}

// norace reports whether the declaration around f is marked go:norace.
func norace(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	d, ok := f.Syntax().(*ast.FuncDecl)
	if !ok || d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		if directive, _, _ := strings.Cut(c.Text, " "); strings.TrimSpace(directive) == "//go:norace" {
			return true
		}
	}
	return false
}

package ssapass

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// Unchecked returns a predicate: whether code without checks may publish the memory at
// an address of a set to other tasks. Such code is external code, a function marked
// go:norace, or a function of a package for which without is true. Memory that only
// checked code publishes is safe until then: a task that reads the pointer races with
// the store of the pointer, or happens after everything that precedes the store.
//
// In a unit most external code is Go code of other packages, which has checks unless without
// is true for the empty path. Packages without checks (package site lists them) publish
// nothing but by operations that synchronize. Functions of other packages that are marked
// go:norace count as checked.
func (a *Analysis) Unchecked(without func(path string) bool) func(pointsto.Set) bool {
	reached := map[uint32]bool{}
	everything := false
	escapes := a.prog.unit == nil || without("")
	for _, f := range a.prog.funcs {
		pkg := packageOf(f)
		if pkg == nil || !Instrumented(pkg.Path()) || !norace(f) && !without(pkg.Path()) {
			continue
		}
		for in := range instrs.Of(f) {
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
	return func(s pointsto.Set) bool {
		if everything || s.Unknown || len(s.Cells) == 0 {
			return true
		}
		for _, c := range s.Cells {
			if o := a.Points.Object(c); escapes && o.Opened || reached[uint32(o.ID)] {
				return true
			}
		}
		return false
	}
}

// published returns the values that the instruction stores into memory.
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

// norace reports whether the declaration of f, or of the function around it, is marked
// go:norace.
func norace(f *ssa.Function) bool {
	d, ok := outermost(f).Syntax().(*ast.FuncDecl)
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

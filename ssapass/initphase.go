package ssapass

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// The initializers of a unit run in its init phase, before any other task can run code of
// the unit or reach its memory. The init phase ends
//
//   - at a go statement;
//   - when the unit hands out a value through which external code can call it: an argument
//     of a foreign call, or a value stored to a foreign variable, that may hold an interface, a
//     function, or a value of a type of the unit with methods that are entries.
//
// The entries of the unit can run only behind that, since packages that import the unit are
// initialized after it. The exceptions are functions that a go:linkname directive names
// (enterEarly): other packages may call them before, so the memory that they access is
// not safe in the init phase. A task that learns of the unit's functions in any other way
// does so by a synchronization, or by a race that is reported at the pointer to the function.
//
// What runs in the init phase happens before everything else in the unit. So a variable that
// only the init phase writes is read-only, unless it escapes: external code may write
// what it knows.

// handsOut reports whether the instruction of an initializer ends the init phase, apart from
// go statements.
func (a *Analysis) handsOut(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return a.prog.callable(in.Val.Type()) && a.foreignMemory(in.Addr)
	case *ssa.MapUpdate:
		return (a.prog.callable(in.Key.Type()) || a.prog.callable(in.Value.Type())) && a.foreignMemory(in.Map)
	case *ssa.Send:
		return a.prog.callable(in.X.Type()) && a.foreignMemory(in.Chan)
	case *ssa.Select:
		for _, s := range in.States {
			if s.Send != nil && a.prog.callable(s.Send.Type()) && a.foreignMemory(s.Chan) {
				return true
			}
		}
	case ssa.CallInstruction:
		return a.callHandsOut(in)
	}
	return false
}

// callHandsOut is handsOut for the call itself, not for the bodies of callees in the unit.
func (a *Analysis) callHandsOut(c ssa.CallInstruction) bool {
	cc := c.Common()
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" || b.Name() == "copy" { // stores to elements
			return a.prog.callable(cc.Args[0].Type()) && a.foreignMemory(cc.Args[0])
		}
		return false
	}
	if f := cc.StaticCallee(); f != nil && keepsNothing(f) {
		return false
	}
	list, foreign := a.Callees(c)
	if !foreign && !slices.ContainsFunc(list, func(f *ssa.Function) bool { return len(f.Blocks) == 0 }) {
		return false
	}
	var k pointsto.Contract
	if f := cc.StaticCallee(); f != nil {
		if slices.ContainsFunc(f.TypeArgs(), a.prog.callable) {
			return true
		}
		if _, task := c.(*ssa.Go); !task && len(f.Blocks) == 0 {
			k, _ = a.prog.contract(f)
		}
	}
	for i, v := range cc.Args {
		if (i >= len(k.Params) || k.Params[i]&(pointsto.Keeps|pointsto.KeepsInner|pointsto.Stores|pointsto.Calls) != 0) && a.prog.callableValue(v) {
			return true
		}
	}
	return false
}

// keepsNothing reports whether f is a function of the standard library that calls no
// functions through its arguments, or only before it returns, and keeps them in its result
// alone.
func keepsNothing(f *ssa.Function) bool {
	f = origin(f)
	pkg := packageOf(f)
	if pkg == nil || f.Signature.Recv() != nil {
		return false
	}
	switch pkg.Path() {
	case "reflect":
		return f.Name() == "TypeOf" || f.Name() == "TypeFor" || f.Name() == "ValueOf"
	case "sync":
		return strings.HasPrefix(f.Name(), "Once")
	case "fmt":
		return f.Name() == "Errorf" || strings.HasPrefix(f.Name(), "Sprint")
	}
	return false
}

// foreignMemory reports whether an object at address v may be known to packages that are
// initialized before the unit: it belongs to external code, or a directive names it.
func (a *Analysis) foreignMemory(v ssa.Value) bool {
	s := a.Points.Points(v)
	if s.Unknown || len(s.Cells) == 0 {
		return true
	}
	for _, c := range s.Cells {
		g, ok := a.Points.Object(c).Site.(*ssa.Global)
		if ok && (g.Pkg == nil || !a.prog.unit.has(g.Pkg.Pkg) || a.prog.unit.open[g]) {
			return true
		}
	}
	return false
}

// callableValue is callable for the type of v or, if v is a new interface value, of the value in it.
func (p *Program) callableValue(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return !v.IsNil() && p.callable(v.Type())
	case *ssa.MakeInterface:
		return p.callableValue(v.X)
	case *ssa.ChangeInterface:
		return p.callableValue(v.X)
	}
	return p.callable(v.Type())
}

// callable reports whether external code that gets a value of type t may call functions of
// the unit through it, or through anything that it leads to. Unexported fields of foreign
// types hold only values that external code stored there itself, but a reflect.Value may hold any value.
func (p *Program) callable(t types.Type) bool { return p.callableIn(t, map[types.Type]bool{}) }

func (p *Program) callableIn(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	own := true
	if n, ok := types.Unalias(t).(*types.Named); ok {
		own = p.unit.has(n.Obj().Pkg())
		if o := n.Obj(); !own && o.Pkg() != nil && o.Pkg().Path() == "reflect" && o.Name() == "Value" {
			return true
		}
		for m := range n.Methods() {
			if own && (generic(m) || p.isEntry[p.SSA.FuncValue(m)]) {
				return true
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Map:
		return p.callableIn(u.Key(), seen) || p.callableIn(u.Elem(), seen)
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		return p.callableIn(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if (own || f.Exported()) && p.callableIn(f.Type(), seen) {
				return true
			}
		}
		return false
	}
	return true // interfaces, functions, type parameters
}

// findEarly adds the memory that early functions access to a.outside.
func (a *Analysis) findEarly() {
	reach := map[*ssa.Function]bool{}
	for _, f := range a.prog.unit.early {
		a.addReachable(f, reach)
	}
	for f := range reach {
		for in := range instrs.Of(f) {
			a.memory(in, func(s pointsto.Set, _ bool) { a.outside.add(s) })
		}
	}
}

// besideInits returns the initializers that may run while tasks of another package's
// initializers are live. The calls of initializers in SSA are in the order in which packages name
// their imports; a program follows the order of import paths, where neither of two packages
// imports the other.
func (a *Analysis) besideInits() (list []*ssa.Function) {
	inits := map[*types.Package]*ssa.Function{}
	below := map[*types.Package]map[*types.Package]bool{} // of initializers that leave tasks: the package's imports
	for _, pkg := range a.prog.Packages {
		s := a.prog.SSA.Package(pkg.Types)
		if s == nil {
			continue
		}
		f := s.Func("init")
		if f == nil {
			continue
		}
		inits[pkg.Types] = f
		if len(f.Blocks) > 0 && a.leavesTasks(f) {
			below[pkg.Types] = imported(pkg.Types)
		}
	}
	if len(below) == 0 {
		return nil
	}
	for p, f := range inits {
		own := imported(p)
		for leaving, imports := range below {
			if leaving != p && !own[leaving] && !imports[p] {
				list = append(list, f)
				break
			}
		}
	}
	return list
}

// imported returns the packages that p imports, and that these import.
func imported(p *types.Package) map[*types.Package]bool {
	all := map[*types.Package]bool{}
	work := []*types.Package{p}
	for p := range drain(&work) {
		for _, i := range p.Imports() {
			if !all[i] {
				all[i] = true
				work = append(work, i)
			}
		}
	}
	return all
}

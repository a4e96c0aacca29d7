package ssapass

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// Machines keep their state in a field of function type: s.step(s, c) calls the state, which
// stores the next one. In a unit all stores to an unexported field are in sight. If each
// stores a declared function, a function literal or nil, a call of the field's value calls one of
// these, whichever struct the program has.
//
// Copies of whole structs, in any package, only move values from one struct to another.
// Other ways to give the field a value are excluded: an address of the field that is not just
// loaded and stored, a conversion from another type, and assembly.

// fieldCallees returns the functions that a call of a field's value may call. ok is false if
// the called value is no such field, or may be another function.
func (a *Analysis) fieldCallees(c *ssa.CallCommon) (list []*ssa.Function, ok bool) {
	if a.prog.unit == nil || c.IsInvoke() {
		return nil, false
	}
	f := fieldOf(c.Value)
	if f == nil {
		return nil, false
	}
	if a.fieldFuncs == nil {
		a.findFieldFuncs()
	}
	list, ok = a.fieldFuncs[f]
	return list, ok
}

// fieldOf returns the field whose value v is, or nil.
func fieldOf(v ssa.Value) *types.Var {
	switch v := v.(type) {
	case *ssa.UnOp:
		if x, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return fieldAt(x.X.Type(), x.Field)
		}
	case *ssa.Field:
		return fieldAt(v.X.Type(), v.Field)
	}
	return nil
}

// fieldAt returns field i of the struct type t, or of the struct type to which t points.
func fieldAt(t types.Type, i int) *types.Var {
	s, ok := site.Elem(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(i)
}

// findFieldFuncs collects, for the unexported fields of function type of the unit's struct
// types, the functions that are stored in them.
func (a *Analysis) findFieldFuncs() {
	a.fieldFuncs = map[*types.Var][]*ssa.Function{}
	for _, m := range a.prog.unit.list {
		if len(m.Other) == 0 {
			a.addFieldFuncs(m)
		}
	}
	if len(a.fieldFuncs) > 0 {
		a.findStoredFuncs()
	}
}

// addFieldFuncs adds the fields of a member of the unit, without functions.
func (a *Analysis) addFieldFuncs(u *Unit) {
	for _, name := range u.Pkg.Scope().Names() {
		n, ok := u.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		named, ok := n.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if _, isFunc := f.Type().Underlying().(*types.Signature); isFunc && !f.Exported() && f.Pkg() == u.Pkg {
				a.fieldFuncs[f] = nil
			}
		}
	}
}

// findStoredFuncs adds the functions to the fields, and takes away the fields that may have others.
func (a *Analysis) findStoredFuncs() {
	for _, u := range a.prog.unit.list {
		a.loseGeneric(u)
	}
	seen := map[types.Type]bool{}
	for _, f := range a.prog.funcs {
		if !a.prog.unit.has(packageOf(f)) {
			continue
		}
		for in := range instrs.Of(f) {
			switch in := in.(type) {
			case *ssa.FieldAddr:
				f := fieldAt(in.X.Type(), in.Field)
				if list, ok := a.fieldFuncs[f]; ok {
					if list, ok = storedFuncs(in, list); ok {
						a.fieldFuncs[f] = list
					} else {
						delete(a.fieldFuncs, f)
					}
				}
			case *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert:
				a.loseConverted(in.(ssa.Value).Type(), seen)
			}
		}
	}
}

// loseGeneric takes away the fields that generic functions use: other packages may instantiate
// them, and their bodies are not in sight then.
func (a *Analysis) loseGeneric(u *Unit) {
	for _, d := range u.generics() {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				if f, ok := u.Info.Uses[n].(*types.Var); ok {
					delete(a.fieldFuncs, f)
				}
			case *ast.CompositeLit:
				if s, ok := site.Elem(u.Info.TypeOf(n)).Underlying().(*types.Struct); ok {
					for f := range s.Fields() {
						delete(a.fieldFuncs, f)
					}
				}
			}
			return true
		})
	}
}

// loseConverted takes away the fields of all structs to which a value of type t leads.
func (a *Analysis) loseConverted(t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.Underlying().(type) {
	case *types.Map, *types.Chan:
	case interface{ Elem() types.Type }: // pointers, slices and arrays
		a.loseConverted(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			delete(a.fieldFuncs, f)
			a.loseConverted(f.Type(), seen)
		}
	}
}

// storedFuncs adds the functions that are stored at x, the address of a field, to a list. ok
// is false if x is used in another way, or if other values are stored.
func storedFuncs(x *ssa.FieldAddr, list []*ssa.Function) (all []*ssa.Function, ok bool) {
	for u := range instrs.Uses(x) {
		switch u := u.(type) {
		case *ssa.UnOp:
			if u.Op != token.MUL {
				return nil, false
			}
		case *ssa.Store:
			if u.Addr != x {
				return nil, false
			}
			v := u.Val
			for {
				t, ok := v.(*ssa.ChangeType)
				if !ok {
					break
				}
				v = t.X
			}
			if _, null := v.(*ssa.Const); null {
				continue
			}
			f := closureOf(v)
			if f == nil {
				return nil, false
			}
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		default:
			return nil, false
		}
	}
	return list, true
}

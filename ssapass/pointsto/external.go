package pointsto

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// external adds the constraints of a call of function f, which has no body. External
// code may keep, change and return everything that its arguments reach. Assembly and
// system calls use memory that holds no pointers (bytes, numbers) only while they run.
func (g *generator) external(in *instance, c ssa.CallInstruction, f *ssa.Function) {
	if k, ok := g.contract(c, f); ok {
		g.obey(in, c, k)
		return
	}
	args := c.Common().Args
	n := g.resultNode(in, c)
	foreign := g.Foreign != nil && g.Foreign(f)
	if !foreign && f.Pkg != nil && f.Pkg.Pkg.Path() == "sync/atomic" && len(args) > 0 {
		g.atomic(in, f.Name(), args, n)
		return
	}
	if !harmless[f.String()] {
		for _, a := range args {
			if foreign || !pointsToFlat(a.Type()) {
				g.escapeValue(g.val(in, a), a.Type())
			}
		}
	}
	if n != noNode {
		g.unknownValue(n, c.Value().Type())
	}
}

// Target returns the type of the memory to which a pointer or slice of type t points; t itself if
// it is neither.
func Target(t types.Type) types.Type {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return elem(t)
	}
	return t
}

// pointsToFlat reports whether t points to memory without pointers.
func pointsToFlat(t types.Type) bool {
	u := Target(t)
	return u != t && flat(u)
}

func flat(t types.Type) bool {
	return Consists(t, func(b *types.Basic) bool { return b.Kind() != types.UnsafePointer && b.Kind() != types.Uintptr })
}

// Consists reports whether values of type t consist of values of basic types that ok accepts.
func Consists(t types.Type, ok func(*types.Basic) bool) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return ok(u)
	case *types.Array:
		return Consists(u.Elem(), ok)
	case *types.Struct:
		for f := range u.Fields() {
			if !Consists(f.Type(), ok) {
				return false
			}
		}
		return true
	}
	return false
}

// harmless lists functions of the runtime that neither keep nor change memory of their
// arguments.
var harmless = map[string]bool{
	"runtime.KeepAlive":                true,
	"runtime.ReadMemStats":             true,
	"internal/race.Acquire":            true,
	"internal/race.Release":            true,
	"internal/race.ReleaseMerge":       true,
	"internal/race.Read":               true,
	"internal/race.ReadRange":          true,
	"internal/race.Write":              true,
	"internal/synctest.associate":      true,
	"internal/synctest.disassociate":   true,
	"internal/synctest.isAssociated":   true,
	"sync.runtime_registerPoolCleanup": true,
}

// atomic adds the constraints of a function of sync/atomic that loads or stores a
// pointer.
func (g *generator) atomic(in *instance, name string, args []ssa.Value, n uint32) {
	if !strings.HasSuffix(name, "Pointer") {
		return
	}
	t := types.Typ[types.UnsafePointer]
	addr := g.val(in, args[0])
	if n != noNode && !strings.HasPrefix(name, "CompareAndSwap") {
		g.load(n, addr, 0, t)
	}
	if len(args) > 1 {
		g.store(addr, 0, g.val(in, args[len(args)-1]), t)
	}
}

// modelled adds the constraints of functions whose model is more precise than their
// bodies. It reports whether the model replaces the body.
func (g *generator) modelled(in *instance) bool {
	f := in.fn
	if f.Pkg == nil && f.Object() == nil {
		return false
	}
	name := f.String()
	field, ok := modelledField[name]
	if !ok {
		return void[name]
	}
	off, ok := g.fieldOf(f, field)
	if !ok {
		return false // the standard library of another version
	}
	eface := types.NewInterfaceType(nil, nil)
	recv := in.vals[f.Params[0]]
	switch f.Name() {
	case "Load", "Get":
		g.load(in.results, recv, off, eface)
	case "Store", "Put":
		g.store(recv, off, in.vals[f.Params[1]], eface)
	case "Swap":
		g.load(in.results, recv, off, eface)
		g.store(recv, off, in.vals[f.Params[1]], eface)
	case "CompareAndSwap":
		g.store(recv, off, in.vals[f.Params[2]], eface)
	}
	return f.Name() != "Get" // the body of Get calls New
}

// modelledField maps methods that load or store an interface in one field of the
// receiver to the name of the field.
var modelledField = map[string]string{
	"(*sync/atomic.Value).Load":           "v",
	"(*sync/atomic.Value).Store":          "v",
	"(*sync/atomic.Value).Swap":           "v",
	"(*sync/atomic.Value).CompareAndSwap": "v",
	"(*sync.Pool).Put":                    "local",
	"(*sync.Pool).Get":                    "local",
}

// void lists functions that only move the values of modelledField; they have no
// constraints.
var void = map[string]bool{
	"(*sync.Pool).pin":     true,
	"(*sync.Pool).pinSlow": true,
	"(*sync.Pool).getSlow": true,
	"sync.poolCleanup":     true,
	"sync.indexLocal":      true,
}

// fieldOf returns the offset of the named field in the receiver of method f.
func (g *generator) fieldOf(f *ssa.Function, name string) (int32, bool) {
	t := elem(f.Params[0].Type())
	st := t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Name() == name {
			return g.ls.of(t).field[i], true
		}
	}
	return 0, false
}

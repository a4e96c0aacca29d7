package pointsto

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// external generates the effects of a function whose body is not seen. It may
// keep what its arguments point to, change it, and return it; but where that
// holds no pointers (bytes, numbers), assembly and system calls only work on it
// while they run.
func (g *generator) external(in *instance, c ssa.CallInstruction, f *ssa.Function) {
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

// pointsToFlat reports whether t points to memory without pointers.
func pointsToFlat(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return flat(u.Elem())
	case *types.Slice:
		return flat(u.Elem())
	}
	return false
}

func flat(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer && u.Kind() != types.Uintptr
	case *types.Array:
		return flat(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !flat(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// harmless lists functions of the runtime that neither keep nor change what
// they are given.
var harmless = map[string]bool{
	"runtime.KeepAlive":                true,
	"runtime.ReadMemStats":             true,
	"internal/race.Acquire":            true,
	"internal/race.Release":            true,
	"internal/race.ReleaseMerge":       true,
	"sync.runtime_registerPoolCleanup": true,
}

// atomic generates a function of sync/atomic: loads and stores of pointers.
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

// modelled generates the effects of functions whose bodies are known better
// than they can be read, and reports whether that was all.
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
		return false // another version of the standard library
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
	return f.Name() != "Get" // whose body calls New
}

// modelledField names the methods whose effect is that of a load or store of an
// interface in one field of the receiver, and the field.
var modelledField = map[string]string{
	"(*sync/atomic.Value).Load":           "v",
	"(*sync/atomic.Value).Store":          "v",
	"(*sync/atomic.Value).Swap":           "v",
	"(*sync/atomic.Value).CompareAndSwap": "v",
	"(*sync.Pool).Put":                    "local",
	"(*sync.Pool).Get":                    "local",
}

// void lists functions that only move what modelledField accounts for.
var void = map[string]bool{
	"(*sync.Pool).pin":     true,
	"(*sync.Pool).pinSlow": true,
	"(*sync.Pool).getSlow": true,
	"sync.poolCleanup":     true,
	"sync.indexLocal":      true,
}

// fieldOf returns the offset of a field of the method's receiver.
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

package ssapass

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// memory calls f for each set of addresses that the instruction itself reads or writes.
// It omits the effects of callees, except of functions without body.
func (a *Analysis) memory(in ssa.Instruction, f func(s pointsto.Set, write bool)) {
	r := a.Points
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			f(r.Points(in.X), false)
		}
	case *ssa.Store:
		f(r.Points(in.Addr), true)
	case *ssa.MapUpdate:
		f(r.Elems(in.Map), true)
	case *ssa.Lookup:
		if _, ok := in.X.Type().Underlying().(*types.Map); ok {
			f(r.Elems(in.X), false)
		}
	case *ssa.Next:
		if g, ok := in.Iter.(*ssa.Range); ok && !in.IsString {
			f(r.Elems(g.X), false)
		}
	case *ssa.Convert:
		if isSlice(in.X.Type()) {
			f(r.Elems(in.X), false)
		}
	case ssa.CallInstruction:
		a.callMemory(in, f)
	}
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// callMemory is memory for calls of builtins and of functions without body.
func (a *Analysis) callMemory(in ssa.CallInstruction, f func(s pointsto.Set, write bool)) {
	r := a.Points
	c := in.Common()
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			// append writes behind the length, and reads if it has to grow.
			f(r.Elems(c.Args[0]), true)
			if len(c.Args) > 1 && isSlice(c.Args[1].Type()) {
				f(r.Elems(c.Args[1]), false)
			}
		case "copy":
			f(r.Elems(c.Args[0]), true)
			if isSlice(c.Args[1].Type()) {
				f(r.Elems(c.Args[1]), false)
			}
		case "clear", "delete":
			f(r.Elems(c.Args[0]), true)
		case "len":
			if _, ok := c.Args[0].Type().Underlying().(*types.Map); ok {
				f(r.Elems(c.Args[0]), false)
			}
		}
		return
	}
	list, outside := a.Callees(in)
	bare := outside
	for _, g := range list {
		if g.Blocks == nil && a.prog.Body(g) == nil {
			if a.argumentMemory(in, g, f) {
				if a.bodyless(g).memory {
					f(pointsto.Set{Unknown: true, Width: 1}, true)
				}
				continue
			}
			bare = true
			outside = outside || a.bodyless(g).memory
		}
	}
	if !bare {
		return
	}
	if outside {
		f(pointsto.Set{Unknown: true, Width: 1}, true)
	}
	for _, arg := range c.Args {
		switch arg.Type().Underlying().(type) {
		case *types.Pointer:
			f(r.Points(arg), true)
		case *types.Slice:
			f(r.Elems(arg), true)
		}
	}
}

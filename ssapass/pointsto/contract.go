package pointsto

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A Contract says how a function without body treats the memory of its arguments. The
// receiver is the first of the arguments.
type Contract struct {
	Params  []Use
	Results []Source
}

// A Use says how a function may use the memory that one argument reaches.
type Use uint8

const (
	Keeps  Use = 1 << iota // keeps a pointer to it, or passes it on
	Reads                  // reads it
	Writes                 // writes it
	Links                  // stores pointers to this memory in this memory, and no other pointers; implies Writes
	// Uses of a pointer, slice, map or channel that leave its direct memory to the caller, and concern only the inner
	// memory, to which pointers in the direct memory lead. Arguments of other types have Keeps and Links in place of these uses.
	KeepsInner // keeps pointers to inner memory, or passes them on
	Stores     // is KeepsInner, and stores pointers, but none to direct memory; implies Writes
	Moves      // is Links, but stores no pointers to direct memory
	Calls      // calls functions to which it leads, in the same task
)

// A Source says where the pointers of a result of pointer or slice type come from.
type Source struct {
	// Known: only from the sources below. The sources of other results are kept (Keeps) or
	// were known to other code before.
	Known bool
	// Fresh: memory that the function allocates and that nobody else knows. The pointers in
	// this memory are unknown.
	Fresh bool
	// Deep, of a Fresh source of a type that IsDeep: the slices in this memory lead to memory
	// that the function allocates, too, and to which nothing else leads.
	Deep bool
	// From has the arguments that lead to the memory, bit k for argument k.
	From uint32
}

// String lists the uses of the parameters and, behind them, the sources of the results, for
// tests. The letters of krwlismc are the bits of a Use, and numbers are From in binary.
func (k *Contract) String() string {
	var b strings.Builder
	b.WriteString("(")
	for i, u := range k.Params {
		if i > 0 {
			b.WriteString(" ")
		}
		for j, c := range "krwlismc" {
			if u>>j&1 != 0 {
				b.WriteRune(c)
			}
		}
		if u == 0 {
			b.WriteString("-")
		}
	}
	b.WriteString(")")
	for _, s := range k.Results {
		switch {
		case !s.Known:
			b.WriteString(" ?")
		case s.Fresh && s.Deep:
			fmt.Fprintf(&b, " deep|%b", s.From)
		case s.Fresh:
			fmt.Fprintf(&b, " fresh|%b", s.From)
		default:
			fmt.Fprintf(&b, " %b", s.From)
		}
	}
	return b.String()
}

// contract returns the contract of the function that the call runs, if there is one.
func (g *generator) contract(c ssa.CallInstruction, f *ssa.Function) (Contract, bool) {
	if _, task := c.(*ssa.Go); task || g.Contract == nil || c.Common().IsInvoke() {
		return Contract{}, false
	}
	return g.Contract(f)
}

// obey adds the constraints of a call under a contract.
func (g *generator) obey(in *instance, c ssa.CallInstruction, k Contract) {
	args := c.Common().Args
	for i, a := range args {
		n := g.val(in, a)
		if n == noNode {
			continue
		}
		if i >= len(k.Params) || k.Params[i]&Keeps != 0 {
			g.escapeValue(n, a.Type())
			continue
		}
		if k.Params[i]&Calls != 0 {
			r := g.reach(n, a.Type(), false)
			g.constrain(r, constraint{kind: enter, node: r})
		}
		if k.Params[i]&Links != 0 {
			g.reach(n, a.Type(), true)
		}
		if k.Params[i]&(KeepsInner|Stores|Moves) != 0 {
			g.useInner(n, a.Type(), k.Params[i])
		}
	}
	n := g.resultNode(in, c)
	if n == noNode {
		return
	}
	results := c.Common().Signature().Results()
	for j := range results.Len() {
		t, to := results.At(j).Type(), n
		if results.Len() > 1 {
			to += uint32(g.ls.of(results).field[j])
		}
		if len(g.ls.of(t).ptr) == 0 {
			continue
		}
		if j >= len(k.Results) || !k.Results[j].Known {
			g.unknownValue(to, t)
			continue
		}
		for i, a := range args {
			if k.Results[j].From>>i&1 != 0 {
				if from := g.val(in, a); from != noNode {
					g.fill(to, t, g.reach(from, a.Type(), false))
				}
			}
		}
		if k.Results[j].Fresh {
			g.freshResult(in, c, to, t, k.Results[j].Deep)
		}
	}
}

// freshResult lets a result of type t at node to point to memory of its own.
func (g *generator) freshResult(in *instance, c ssa.CallInstruction, to uint32, t types.Type, deep bool) {
	var o *Object
	switch u := t.Underlying().(type) {
	case *types.Slice:
		o = g.newArray(in, c.Value(), u.Elem())
	case *types.Pointer:
		o = g.newObject(Variable, u.Elem(), c.Value(), in.fn, g.ls.of(u.Elem()))
	default:
		g.unknownValue(to, t)
		return
	}
	g.point(to, o.Base)
	base, size := o.Base, o.Size
	if deep {
		// Slices of one type may share an array.
		arrays := map[int32]uint32{}
		at := base + size - g.ls.of(elem(t)).width()
		slicesIn(g.ls, elem(t), func(offset int32, e types.Type) {
			key := g.ls.arrayKey(e)
			if arrays[key] == 0 {
				arrays[key] = g.newArray(in, c.Value(), e).Base
			}
			g.point(at+uint32(offset), arrays[key])
		})
		return
	}
	for i := range size {
		if g.flags[base+i]&cellPtr != 0 {
			g.copy(base+i, unkNode)
		}
	}
}

// IsDeep reports whether t is a pointer or slice type, and all pointers in the memory to which a
// value of it leads are slices without pointers in their elements.
func IsDeep(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Slice, *types.Pointer:
		found := false
		return slicesIn(nil, elem(t), func(int32, types.Type) { found = true }) && found
	}
	return false
}

// slicesIn calls visit for each slice in a value of type t, with the offset of its cell if ls is not
// nil. It returns false if t holds other pointers, or slices of pointers.
func slicesIn(ls *layouts, t types.Type, visit func(offset int32, elem types.Type)) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		if !flat(u.Elem()) {
			return false
		}
		visit(0, u.Elem())
	case *types.Array:
		return slicesIn(ls, u.Elem(), func(o int32, e types.Type) { visit(o+1, e) })
	case *types.Struct:
		for i := range u.NumFields() {
			at := int32(0)
			if ls != nil {
				at = ls.of(t).field[i]
			}
			if !slicesIn(ls, u.Field(i).Type(), func(o int32, e types.Type) { visit(at+o, e) }) {
				return false
			}
		}
	default:
		return flat(t)
	}
	return true
}

// useInner adds the constraints of the uses KeepsInner, Stores and Moves of an argument of type t at node n.
func (g *generator) useInner(n uint32, t types.Type, use Use) {
	list := g.direct(t)
	keeps, stored := use&(KeepsInner|Stores) != 0, unkNode
	if !keeps {
		stored = g.node() // points to all memory that pointers in the argument's memory reach
		g.constrain(stored, constraint{kind: reach, node: stored, off: 1})
	}
	for _, d := range list {
		v := g.valueNodes(d.t)
		g.load(v, n, d.off, d.t)
		if keeps {
			g.escapeValue(v, d.t)
			continue
		}
		for _, o := range g.ls.of(d.t).ptr {
			g.copy(stored, v+uint32(o))
		}
	}
	if use&(Stores|Moves) == 0 {
		return
	}
	for _, d := range list {
		v := g.valueNodes(d.t)
		g.fill(v, d.t, stored)
		g.store(n, d.off, v, d.t)
	}
}

// A part of the memory to which a value points: a value of type t, off cells behind the first cell.
type part struct {
	off int32
	t   types.Type
}

// direct returns the parts of the memory to which a pointer, slice, map or channel of type t points.
func (g *generator) direct(t types.Type) []part {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return []part{{0, u.Elem()}}
	case *types.Map:
		return []part{{1, u.Key()}, {1 + int32(g.ls.of(u.Key()).width()), u.Elem()}}
	}
	return []part{{1, elem(t)}}
}

// reach returns a node that points to all memory which a value of type t at node n reaches.
// If moves is set, external code stores pointers to that memory in the same memory.
func (g *generator) reach(n uint32, t types.Type, moves bool) uint32 {
	r := g.node()
	off := int32(0)
	if moves {
		off = 1
	}
	g.constrain(r, constraint{kind: reach, node: r, off: off})
	for _, o := range g.ls.of(t).ptr {
		g.copy(r, n+uint32(o))
	}
	return r
}

// applyReach adds the whole object of cell p, and all that its pointers lead to, to node r.
func (s *solver) applyReach(r, p uint32, moves bool) {
	ob := &s.objs[s.object[p]]
	if ob.Escaped {
		s.setUnknown(r)
		return
	}
	if ob.Kind == Func { // external code cannot look into a closure
		s.point(r, p)
		return
	}
	base, size := ob.Base, ob.Size
	for c := base; c < base+size; c++ {
		s.point(r, c)
		if s.flags[c]&cellPtr == 0 {
			continue
		}
		s.copy(r, c)
		if moves {
			s.copy(c, r)
		}
	}
}

package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An object is returned if external code gets it with the result of a call alone. Such an object has two
// lives. Until the call returns, only the task of the call knows it, and reaches it through pointers that point to it. Behind that, external code
// may do anything with it, and the program sees it again through unknown pointers alone: parameters,
// results of external code, and pointers in their memory. So returned objects do not escape: the points-to sets have their first life.
//
// The task and the call would know the object in its second life if they had another way to it than external code. remembered finds
// these ways: package-level variables, operands of go statements, and variables that closures capture which external
// code knows, or which it calls for the object. Objects that lie on them escape. So do functions and what an unsafe.Pointer points to.

// returnValue notes that external code gets a value of type t as the result of a call.
func (g *generator) returnValue(n uint32, t types.Type) {
	if !g.Ordered {
		g.escapeValue(n, t)
		return
	}
	l := g.ls.of(t)
	for _, o := range l.ptr {
		g.copy(g.getter(l.key[o]), n+uint32(o))
	}
}

// getter returns the node of pointers with this key that external code gets with results.
func (s *solver) getter(key int32) uint32 {
	if key == s.unsafe {
		return allNode
	}
	return retNode
}

// returns notes that external code gets pointers to the cells in d with results, and all pointers in the objects that have these cells.
func (s *solver) returns(d *set) {
	d.Each(func(p uint32) {
		o := s.object[p]
		if o < 0 || s.objs[o].Escaped || s.objs[o].returned {
			return
		}
		ob := &s.objs[o]
		ob.returned = true
		if ob.Kind == Func {
			s.point(escNode, ob.Base)
			return
		}
		for c := ob.Base; c < ob.Base+ob.Size; c++ {
			if s.flags[c]&cellPtr != 0 {
				s.copy(s.getter(s.key[c]), c)
			}
		}
	})
}

// remembered lets the returned objects escape to which the program has another way. It reports whether there are any.
func (g *generator) remembered() (found bool) {
	if !g.Ordered {
		return false // nothing is returned
	}
	t := g.newTour()
	for i := range g.objs {
		if o := &g.objs[i]; o.Kind == Global || o.Kind == Func && o.Escaped {
			t.visit(int32(i))
		}
	}
	for _, s := range g.tasks {
		t.value(s.in, s.site.Call.Value)
		for _, v := range s.site.Call.Args {
			t.value(s.in, v)
		}
	}
	t.walk()
	captured, results := g.newTour(), g.newTour() // of all closures, since a tour of each takes long
	for f := range g.res.EscapedFuncs {
		if len(f.FreeVars) > 0 && f.Signature.Results().Len() > 0 {
			captured.captured(f)
			for _, in := range g.insts[f] {
				results.nodes(in.results, f.Signature.Results())
			}
		}
	}
	captured.walk()
	results.walk()
	for i := range g.objs {
		if o := &g.objs[i]; o.returned && !o.Escaped && (t.seen[i] || captured.seen[i] && results.seen[i]) {
			g.point(escNode, o.Base)
			found = true
		}
	}
	return found
}

// A tour visits objects and all to which they lead.
type tour struct {
	g    *generator
	seen []bool // by Object.ID
	work []int32
}

func (g *generator) newTour() *tour { return &tour{g: g, seen: make([]bool, len(g.objs))} }

func (t *tour) visit(o int32) {
	if !t.seen[o] {
		t.seen[o] = true
		t.work = append(t.work, o)
	}
}

// node visits the objects to which a node points.
func (t *tour) node(n uint32) {
	t.g.pts[t.g.find(n)].Each(func(c uint32) {
		if o := t.g.object[c]; o >= 0 {
			t.visit(o)
		}
	})
}

// nodes visits the objects to which a value of type typ points, whose nodes begin at n.
func (t *tour) nodes(n uint32, typ types.Type) {
	if n == noNode {
		return
	}
	for _, o := range t.g.ls.of(typ).ptr {
		t.node(n + uint32(o))
	}
}

// value visits the objects to which v points. Variables and functions of packages have no node of the instance.
func (t *tour) value(in *instance, v ssa.Value) { t.nodes(in.vals[v], v.Type()) }

// captured visits the objects to which the variables lead that f captures.
func (t *tour) captured(f *ssa.Function) {
	for _, in := range t.g.insts[f] {
		for _, v := range f.FreeVars {
			t.value(in, v)
		}
	}
}

func (t *tour) walk() {
	for len(t.work) > 0 {
		o := &t.g.objs[t.work[len(t.work)-1]]
		t.work = t.work[:len(t.work)-1]
		if o.Kind == Func {
			t.captured(o.Fn)
			continue
		}
		for c := o.Base; c < o.Base+o.Size; c++ {
			if t.g.flags[c]&cellPtr != 0 {
				t.node(c)
			}
		}
	}
}

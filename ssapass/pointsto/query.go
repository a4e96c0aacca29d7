package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Set is the set of cells to which an address may point.
type Set struct {
	Cells []uint32 // sorted
	// Unknown: the address may also lie in all memory that escaped.
	Unknown bool
	// Width is the number of cells of a value at the address.
	Width uint32
}

// Points returns the cells to which v may point in any context; v is a pointer, slice,
// map, channel, interface or function. The cell of a slice is the cell of its array,
// and the elements are in the next cells.
func (r *Result) Points(v ssa.Value) Set {
	g := r.g
	out := Set{Width: 1}
	if p, ok := v.Type().Underlying().(*types.Pointer); ok {
		out.Width = max(1, g.ls.of(p.Elem()).width())
	}
	add := func(n uint32) {
		if n != noNode {
			g.addTargets(&out, n)
		}
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Builtin:
		return out
	case *ssa.Global, *ssa.Function:
		if n, ok := g.globals[v]; ok {
			add(n)
		} else {
			out.Unknown = true
		}
		return out
	}
	f := v.Parent()
	insts := g.insts[f]
	if len(insts) == 0 {
		out.Unknown = true // the function is not part of the program
	}
	for _, in := range insts {
		if n, ok := in.vals[v]; ok {
			add(n)
		}
	}
	if len(insts) > 1 {
		slices.Sort(out.Cells)
		out.Cells = slices.Compact(out.Cells)
	}
	return out
}

// addTargets adds the cells to which node n may point.
func (s *solver) addTargets(to *Set, n uint32) {
	n = s.find(n)
	to.Unknown = to.Unknown || s.unk[n]
	s.pts[n].Each(func(c uint32) {
		if s.object[c] >= 0 {
			to.Cells = append(to.Cells, c)
		}
	})
}

// Elems returns the set of the elements of v, which is a slice, a pointer to an array,
// a channel, or a map (whose elements are its keys and values).
func (r *Result) Elems(v ssa.Value) Set {
	s := r.Points(v)
	out := Set{Unknown: s.Unknown, Width: 1}
	var off uint32 = 1
	switch u := v.Type().Underlying().(type) {
	case *types.Slice, *types.Chan:
		out.Width = max(1, r.g.ls.of(elem(u)).width())
	case *types.Pointer:
		if e := elem(u.Elem()); e != nil {
			out.Width = max(1, r.g.ls.of(e).width())
		}
	case *types.Map:
		out.Width = r.g.ls.of(u.Key()).width() + r.g.ls.of(u.Elem()).width()
	}
	for _, c := range s.Cells {
		if o := r.Object(c); o.has(c + off) {
			out.Cells = append(out.Cells, c+off)
		}
	}
	return out
}

// Object returns the object that has cell c.
func (r *Result) Object(c uint32) *Object { return &r.Objects[r.g.object[c]] }

// Overlap reports whether values at addresses of the two sets may share memory.
func (r *Result) Overlap(a, b Set) bool {
	if len(a.Cells) == 0 && !a.Unknown || len(b.Cells) == 0 && !b.Unknown {
		return true // the pointer is always nil, or the analysis lost it
	}
	if a.Unknown && (b.Unknown || r.AnyEscaped(b)) || b.Unknown && r.AnyEscaped(a) {
		return true
	}
	i, j := 0, 0
	for i < len(a.Cells) && j < len(b.Cells) {
		switch x, y := a.Cells[i], b.Cells[j]; {
		case x+a.Width <= y:
			i++
		case y+b.Width <= x:
			j++
		default:
			return true
		}
	}
	return false
}

// AnyEscaped reports whether a value at an address of s is in memory that escaped.
func (r *Result) AnyEscaped(s Set) bool {
	return slices.ContainsFunc(s.Cells, func(c uint32) bool {
		o := r.Object(c)
		if o.Escaped || !o.Opened {
			return o.Escaped
		}
		for i := range s.Width {
			if r.EscapedCell(c + i) {
				return true
			}
		}
		return false
	})
}

// EscapedCell reports whether a cell has escaped, with its object or a part of it.
func (r *Result) EscapedCell(c uint32) bool { return r.g.escaped.has(c) }

// Targets calls f for each object to which a pointer in object o may point. It reports
// whether one of these pointers is unknown.
func (r *Result) Targets(o *Object, f func(*Object)) (unknown bool) {
	g := r.g
	for c := o.Base; c < o.Base+o.Size; c++ {
		if g.flags[c]&cellPtr == 0 {
			continue
		}
		n := g.find(c)
		unknown = unknown || g.unk[n]
		last := int32(-1)
		g.pts[n].Each(func(x uint32) {
			if t := g.object[x]; t >= 0 && t != last {
				last = t
				f(&r.Objects[t])
			}
		})
	}
	return unknown
}

// Parts returns the points-to set of each pointer in v, if v is a struct, array or
// tuple, and the points-to set of v otherwise.
func (r *Result) Parts(v ssa.Value) (list []Set) {
	switch v.Type().Underlying().(type) {
	case *types.Struct, *types.Array, *types.Tuple:
	default:
		return []Set{r.Points(v)}
	}
	g := r.g
	for _, in := range g.insts[v.Parent()] {
		n, ok := in.vals[v]
		if !ok || n == noNode {
			continue
		}
		for _, o := range g.ls.of(v.Type()).ptr {
			s := Set{Width: 1}
			g.addTargets(&s, n+uint32(o))
			list = append(list, s)
		}
	}
	return list
}

package dominate

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// A view is a value of one function, seen from another function that leads to it by
// calls: the function around the last call. A view without calls is seen from the value's
// own function.
type view struct {
	v  ssa.Value
	in []*ssa.Call // the calls, innermost first
}

// within returns the value as the function around the call sees it.
func (x view) within(call *ssa.Call) view { return view{x.v, append(slices.Clip(x.in), call)} }

// resolve goes outwards as long as the value was handed in: a parameter is the argument
// of the call, a free variable the value with which the closure was made.
func (x view) resolve() view {
	for len(x.in) > 0 {
		c := &x.in[0].Call
		switch v := x.v.(type) {
		case *ssa.Parameter:
			x.v = c.Args[slices.Index(v.Parent().Params, v)]
		case *ssa.FreeVar:
			m, ok := c.Value.(*ssa.MakeClosure)
			if !ok {
				return x
			}
			x.v = m.Bindings[slices.Index(v.Parent().FreeVars, v)]
		case *ssa.Global:
			return view{v, nil}
		default:
			return x
		}
		x.in = x.in[1:]
	}
	return x
}

// outer returns the struct or array that contains the field or element at the address.
func (x view) outer() (view, bool) {
	x = x.resolve()
	c := container(x.v)
	return view{c, x.in}, c != nil
}

// view returns the number that the function gives the value, as if it had computed the
// value itself.
func (n *numbering) view(x view) int {
	if x = x.resolve(); len(x.in) == 0 {
		return n.number(x.v)
	}
	if k, ok := n.key(x.v, func(v ssa.Value) int { return n.view(view{v, x.in}) }); ok {
		if i, ok := n.keys[k]; ok {
			return i
		}
		n.next++
		n.keys[k] = n.next
		return n.next
	}
	n.next++ // equal to no other value
	return n.next
}

// parts calls f for the value and the values that it is computed from, as far as numbers
// tell, until f returns false.
func (x view) parts(f func(view) bool) bool {
	if x = x.resolve(); !f(x) {
		return false
	}
	if keyed(x.v) {
		for _, v := range operands(x.v) {
			if !(view{v, x.in}).parts(f) {
				return false
			}
		}
	}
	return true
}

// knownToCaller reports whether the value is computed only from values that a caller
// knows as well, and from at most maxParts of them.
func (x view) knownToCaller() bool {
	n := 0
	return x.parts(func(y view) bool {
		if n++; n > maxParts {
			return false
		}
		switch v := y.v.(type) {
		case *ssa.Parameter, *ssa.Global:
			return true
		case *ssa.FreeVar:
			return v.Parent().Synthetic == ""
		}
		return keyed(y.v)
	})
}

// loads returns the memory that the computation of the value, which callers know, loads
// from.
func (d *dominator) loads(x view) (list []pointsto.Set) {
	x.parts(func(y view) bool {
		if u, ok := isLoad(y.v); ok {
			list = append(list, d.a.Points.Points(u.X))
		}
		return true
	})
	return list
}

// used notes that the address can be used, and so can the addresses that the function
// itself computes it from.
func (x view) used(can *safe) {
	x = x.resolve()
	if len(x.in) == 0 {
		can.used(x.v)
		return
	}
	switch v := x.v.(type) {
	case *ssa.FieldAddr:
		view{v.X, x.in}.used(can)
	case *ssa.IndexAddr:
		view{v.X, x.in}.used(can)
	}
}

package ssapass

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// External code finds the methods of a value in an interface if it gets the interface. An
// interface type of the unit that it cannot name stays in the unit: a value of it reaches
// external code only behind a conversion to another interface type, or inside of a type that
// external code gets and that leads to the interface type.

// handed collects the types of the values that external code may find in interfaces.
type handed struct {
	u     *unit
	types []types.Type
	added map[types.Type]bool
	// By interface type of the unit that external code does not know so far: the types of the
	// values converted to it.
	inside map[*types.Named][]types.Type
	shown  map[*types.Named]bool
	known  bool // external code knows all interface types
}

func newHanded(u *unit) *handed {
	h := &handed{u: u, added: map[types.Type]bool{}, inside: map[*types.Named][]types.Type{}, shown: map[*types.Named]bool{}}
	// Other packages may have instances of generic functions with conversions that are not in
	// sight.
	for _, m := range u.list {
		for _, o := range m.Info.Defs {
			if f, ok := o.(*types.Func); ok && generic(f) {
				h.known = h.known || !u.Main
			}
		}
	}
	return h
}

// add notes that external code may find values of type t. h may be nil.
func (h *handed) add(t types.Type) {
	if h != nil && !h.added[t] {
		h.added[t] = true
		h.types = append(h.types, t)
	}
}

// conversion notes the instruction if its result is an interface. h may be nil.
func (h *handed) conversion(in ssa.Instruction) {
	if h == nil {
		return
	}
	switch in := in.(type) {
	case *ssa.MakeInterface:
		h.convert(in.X.Type(), in.Type())
	case *ssa.ChangeInterface:
		h.convert(in.X.Type(), in.Type())
	case *ssa.ChangeType:
		h.convert(in.X.Type(), in.Type())
	case *ssa.TypeAssert:
		h.convert(in.X.Type(), in.AssertedType)
	}
}

// convert notes that values of type from are converted to type to.
func (h *handed) convert(from, to types.Type) {
	if !types.IsInterface(to) {
		return
	}
	n := h.own(to)
	if n == nil || h.shown[n] {
		h.add(from)
		return
	}
	h.inside[n] = append(h.inside[n], from)
}

// own returns t if it is an interface type of the unit, and otherwise nil.
func (h *handed) own(t types.Type) *types.Named {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || h.known || !types.IsInterface(n) || !h.u.has(n.Obj().Pkg()) || n.TypeParams().Len()+n.TypeArgs().Len() > 0 {
		return nil
	}
	return n
}

// show notes that external code knows interface type n.
func (h *handed) show(n *types.Named) {
	if h.shown[n] {
		return
	}
	h.shown[n] = true
	for _, t := range h.inside[n] {
		h.add(t)
	}
	delete(h.inside, n)
}

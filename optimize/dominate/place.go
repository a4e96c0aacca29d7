package dominate

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/layout"
)

// A place is the memory of an access: size bytes at an offset from a root. If the access
// is of an element with a variable index, the offset is from the element whose index is
// the variable part of that index.
type place struct {
	root      ssa.Value // a pointer or a slice
	term      ssa.Value // the variable part of the index, nil if there is none
	scale     int64     // the size of the elements that term counts
	off, size int64
}

// A group names the places with the same root and variable part, by their numbers.
type group struct {
	root, term int
	scale      int64
}

func (p *place) group(n *numbering) group {
	g := group{root: n.number(p.root), scale: p.scale}
	if p.term != nil {
		g.term = n.number(p.term)
	}
	return g
}

// placeOf returns the memory at addr. ok is false if the address selects no field or
// element, or if the size is not known.
func placeOf(addr ssa.Value) (p place, ok bool) {
	t, ok := addr.Type().Underlying().(*types.Pointer)
	if !ok || !layout.Concrete(t.Elem()) {
		return p, false
	}
	p.size = layout.Size(t.Elem())
	p.root = addr
	for p.out() {
	}
	return p, p.root != addr && p.size > 0
}

// out replaces the root by the pointer or slice from which it selects a field or an
// element. It returns false if the root is no such address.
func (p *place) out() bool {
	switch v := p.root.(type) {
	case *ssa.FieldAddr:
		st := v.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
		for i := range v.Field + 1 {
			if !layout.Concrete(st.Field(i).Type()) {
				return false
			}
		}
		p.off += layout.Offset(st, v.Field)
		p.root = v.X
		return true
	case *ssa.IndexAddr:
		elem, ok := elementOf(v.X.Type())
		if !ok || !layout.Concrete(elem) {
			return false
		}
		term, c := splitIndex(v.Index)
		scale := layout.Size(elem)
		if scale == 0 || term != nil && p.term != nil || c > maxIndex || c < -maxIndex {
			return false
		}
		if term != nil {
			p.term, p.scale = term, scale
		}
		p.off += c * scale
		p.root = v.X
		_, slice := v.X.Type().Underlying().(*types.Slice)
		return !slice
	}
	return false
}

// maxIndex bounds the constant part of an index, so that offsets do not overflow.
const maxIndex = 1 << 20

// elementOf returns the type of the elements of a slice or of the array behind a pointer.
func elementOf(t types.Type) (types.Type, bool) {
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem(), true
	case *types.Pointer:
		if a, ok := t.Elem().Underlying().(*types.Array); ok {
			return a.Elem(), true
		}
	}
	return nil, false
}

// splitIndex returns the variable part of an integer, nil if there is none, and its
// constant part. The sum is exact for valid indexes: the parts are added in 64 bits, and two
// valid indexes with one variable part differ by the difference of their constant parts.
func splitIndex(v ssa.Value) (term ssa.Value, c int64) {
	for {
		if k, ok := v.(*ssa.Const); ok {
			return nil, c + k.Int64()
		}
		b, ok := v.(*ssa.BinOp)
		if !ok || b.Op != token.ADD && b.Op != token.SUB || !word(b.Type()) {
			return v, c
		}
		if k, ok := b.Y.(*ssa.Const); ok && small(k) {
			if b.Op == token.SUB {
				c -= k.Int64()
			} else {
				c += k.Int64()
			}
			v = b.X
		} else if k, ok := b.X.(*ssa.Const); ok && small(k) && b.Op == token.ADD {
			c += k.Int64()
			v = b.Y
		} else {
			return v, c
		}
	}
}

// small reports whether a constant is at most maxIndex.
func small(k *ssa.Const) bool {
	return k.Value != nil && k.Int64() >= -maxIndex && k.Int64() <= maxIndex
}

// word reports whether values of type t are integers of 64 bits, on targets of 64 bits.
func word(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && layout.Size(t) == 8
}

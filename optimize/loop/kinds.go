package loop

import (
	"go/types"

	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// A store of numbers changes no pointer, slice or number of another size, even if the
// analysis does not know which memory it reaches: the elements of dst.Pix are bytes, dst.Pix
// itself is a slice, and dst.Stride is an int. Code that views memory as another type through
// unsafe keeps to this, unless it writes the very fields that lead to the memory.

// kinds is a set of kinds of memory.
type kinds uint16

const (
	integer1 kinds = 1 << iota // integers of one byte, and bool
	integer2
	integer4
	integer8
	float4
	float8
	reference // pointers, slices, strings, interfaces, maps, channels, functions
	anyKind   = 1<<iota - 1
)

// A store is a write of the loop to memory.
type store struct {
	pointsto.Set
	kinds kinds
}

// kindsOf returns the kinds of the memory of an access.
func kindsOf(s *ssapass.Site, c ssapass.Access) kinds {
	t := c.Addr.Type()
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		t = u.Elem()
		if a, ok := t.Underlying().(*types.Array); ok && s.Key.Elems {
			t = a.Elem()
		}
	case *types.Slice:
		t = u.Elem()
	default:
		return anyKind
	}
	return kindsIn(t)
}

// kindsIn returns the kinds in a variable of type t.
func kindsIn(t types.Type) kinds {
	switch t := t.(type) {
	case *types.TypeParam:
		return anyKind
	case *types.Named, *types.Alias:
		return kindsIn(t.Underlying())
	case *types.Array:
		return kindsIn(t.Elem())
	case *types.Struct:
		var k kinds
		for i := range t.NumFields() {
			k |= kindsIn(t.Field(i).Type())
		}
		return k
	case *types.Basic:
		switch t.Kind() {
		case types.Bool, types.Int8, types.Uint8:
			return integer1
		case types.Int16, types.Uint16:
			return integer2
		case types.Int32, types.Uint32:
			return integer4
		case types.Int64, types.Uint64, types.Int, types.Uint:
			return integer4 | integer8
		case types.Uintptr:
			return integer4 | integer8 | reference
		case types.Float32, types.Complex64:
			return float4
		case types.Float64, types.Complex128:
			return float8
		case types.String, types.UnsafePointer:
			return reference
		}
		return anyKind
	case *types.Pointer, *types.Slice, *types.Interface, *types.Map, *types.Chan, *types.Signature:
		return reference
	}
	return anyKind
}

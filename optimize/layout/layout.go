// Package layout says where the parts of a value lie in memory: the sizes of types and
// the offsets of fields, on the 64-bit targets, which agree. Passes ask it which fields
// and elements are neighbours.
package layout

import (
	"go/types"

	"taskinstr/ssapass"
)

var sizes = types.SizesFor("gc", "amd64")

// WordSize is the size of a pointer and of an int, in bytes.
const WordSize = 8

// Size returns the size of t in bytes, 0 if type arguments decide it.
func Size(t types.Type) int64 {
	if !Concrete(t) {
		return 0
	}
	return sizes.Sizeof(t)
}

// Offset returns the offset of field k of a struct, in bytes. The types of the fields up
// to k are concrete.
func Offset(s *types.Struct, k int) int64 {
	var list []*types.Var
	for i := range k + 1 {
		list = append(list, s.Field(i))
	}
	return sizes.Offsetsof(list)[k]
}

// Concrete reports whether the size of t does not depend on type arguments.
func Concrete(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Array:
		return Concrete(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !Concrete(u.Field(i).Type()) {
				return false
			}
		}
	case *types.Named:
		if ssapass.Opaque(u) {
			return false
		}
		switch u.Underlying().(type) {
		case *types.Struct, *types.Array:
			return Concrete(u.Underlying())
		}
	}
	return true
}

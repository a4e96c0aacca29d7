package pointsto

import (
	"go/types"
	"sort"

	"golang.org/x/tools/go/types/typeutil"
)

// A layout describes how values of one type flatten into cells: one for each scalar,
// and one for each struct and array in front of the cells of its parts, so that its
// address differs from the address of its first part. All elements of an array share
// the cells of one.
type layout struct {
	key   []int32 // type of each cell, up to conversions between pointers to it
	ptr   []int32 // the cells that may hold pointers
	field []int32 // offsets of the fields of a struct, the components of a tuple, or the one element of an array
	aggr  []bool  // whether a cell represents a struct or array
}

func (l *layout) width() uint32 { return uint32(len(l.key)) }

type layouts struct {
	ids    typeutil.Map // types to ids
	fast   map[types.Type]int32
	byType map[types.Type]*layout
	keys   map[types.Type]int32
	scalar map[int32]*layout // of types without parts, by key
	bare   bool              // layouts have no keys
}

func newLayouts() *layouts {
	return &layouts{fast: map[types.Type]int32{}, byType: map[types.Type]*layout{}, keys: map[types.Type]int32{}, scalar: map[int32]*layout{}}
}

// id returns the number of type t, from 1. Identical types have the same number.
func (ls *layouts) id(t types.Type) int32 {
	if n, ok := ls.fast[t]; ok {
		return n
	}
	h := hashable(t)
	n, ok := ls.ids.At(h).(int32)
	if !ok {
		n = int32(ls.ids.Len()) + 1
		ls.ids.Set(h, n)
	}
	ls.fast[t] = n
	return n
}

// hashable returns a type that typeutil.Map accepts in place of t. Package ssa defines
// types that go/types does not know, for values that no expression of the program has:
// the iterator of a range loop, and a pointer to the deferred calls of a function whose
// range-over-func bodies defer calls. All of them map to the invalid type, which no
// value of a program has.
func hashable(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		if e := hashable(p.Elem()); e != p.Elem() {
			return types.NewPointer(e)
		}
		return t
	}
	if synthetic(t) {
		return types.Typ[types.Invalid]
	}
	return t
}

// synthetic reports whether package ssa, and not go/types, defines the type.
func synthetic(t types.Type) bool {
	switch t.(type) {
	case *types.Alias, *types.Array, *types.Basic, *types.Chan, *types.Interface, *types.Map, *types.Named,
		*types.Pointer, *types.Signature, *types.Slice, *types.Struct, *types.Tuple, *types.TypeParam, *types.Union:
		return false
	}
	return true
}

// key identifies the types to which a pointer to t converts without unsafe: types with
// the same underlying type. Arrays of one element type have the same key whatever their
// length, since a slice converts to a pointer to any of them.
func (ls *layouts) key(t types.Type) int32 {
	if ls.bare {
		return 0
	}
	if n, ok := ls.keys[t]; ok {
		return n
	}
	var n int32
	if a, ok := t.Underlying().(*types.Array); ok {
		n = ls.arrayKey(a.Elem())
	} else {
		n = ls.id(t.Underlying())
	}
	ls.keys[t] = n
	return n
}

// arrayKey returns the key of arrays. The sign distinguishes an array from a slice.
func (ls *layouts) arrayKey(elem types.Type) int32 { return -ls.id(types.NewSlice(elem)) }

func (ls *layouts) of(t types.Type) *layout {
	if l := ls.byType[t]; l != nil {
		return l
	}
	u := t.Underlying()
	if !composite(u) {
		if ls.bare {
			if holdsPointer(u) {
				return barePointer
			}
			return bareNumber
		}
		key := ls.key(t)
		l := ls.scalar[key]
		if l == nil {
			l = new(layout)
			l.add(key, holdsPointer(u), false)
			ls.scalar[key] = l
		}
		ls.byType[t] = l
		return l
	}
	l := new(layout)
	switch u := u.(type) {
	case *types.Struct:
		l.add(ls.key(t), false, true)
		for f := range u.Fields() {
			l.part(ls.of(f.Type()))
		}
	case *types.Array:
		l.add(ls.key(t), false, true)
		l.part(ls.of(u.Elem()))
	case *types.Tuple:
		for v := range u.Variables() {
			l.part(ls.of(v.Type()))
		}
	}
	ls.byType[t] = l
	return l
}

// widthAt returns the number of cells of the part that begins at cell off of a value of type t.
func (ls *layouts) widthAt(t types.Type, off uint32) uint32 {
	for off != 0 {
		l, at := ls.of(t), uint32(0)
		switch u := t.Underlying().(type) {
		case *types.Struct:
			i := sort.Search(len(l.field), func(i int) bool { return uint32(l.field[i]) > off }) - 1
			t, at = u.Field(i).Type(), uint32(l.field[i])
		case *types.Array:
			t, at = u.Elem(), uint32(l.field[0])
		}
		off -= at
	}
	return ls.of(t).width()
}

// The layouts of types without parts where no keys are wanted.
var (
	bareNumber  = &layout{key: []int32{0}, aggr: []bool{false}}
	barePointer = &layout{key: []int32{0}, aggr: []bool{false}, ptr: []int32{0}}
)

func composite(u types.Type) bool {
	switch u.(type) {
	case *types.Struct, *types.Array, *types.Tuple:
		return true
	}
	return false
}

func holdsPointer(u types.Type) bool {
	switch u := u.(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		return !synthetic(u.Elem()) // the list of deferred calls is no memory of the program
	case *types.Slice, *types.Map, *types.Chan, *types.Interface, *types.Signature, *types.TypeParam:
		return true
	}
	return false
}

func (l *layout) add(key int32, ptr, aggr bool) {
	if ptr {
		l.ptr = append(l.ptr, int32(len(l.key)))
	}
	l.key, l.aggr = append(l.key, key), append(l.aggr, aggr)
}

func (l *layout) part(p *layout) {
	at := int32(len(l.key))
	l.field = append(l.field, at)
	l.key, l.aggr = append(l.key, p.key...), append(l.aggr, p.aggr...)
	for _, o := range p.ptr {
		l.ptr = append(l.ptr, at+o)
	}
}

// headed returns the layout of a map, channel, box or made slice: one cell for the
// whole in front of the cells of the parts.
func (ls *layouts) headed(key int32, parts ...types.Type) *layout {
	l := new(layout)
	l.add(key, false, true)
	for _, t := range parts {
		l.part(ls.of(t))
	}
	return l
}

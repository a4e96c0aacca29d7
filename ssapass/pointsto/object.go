package pointsto

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// Kind is the kind of an object.
type Kind uint8

const (
	Variable Kind = iota // a local variable, or new(T)
	Global               // a package-level variable
	Array                // an array that make([]T) or append allocates
	Map                  // a map, with one key and one value
	Channel              // a channel, with one element
	Box                  // a value in an interface that is not a pointer
	Func                 // a function or closure
)

func (k Kind) String() string {
	return [...]string{"variable", "global", "array", "map", "channel", "box", "func"}[k]
}

// An Object represents all memory that one instruction allocates in one calling
// context, one package-level variable, or one function.
type Object struct {
	ID   int
	Kind Kind
	Type types.Type    // type of the contents; of an Array or Channel, the element type
	Site ssa.Value     // the allocating instruction, Global or Function; nil if it has none
	Fn   *ssa.Function // the allocating function; nil for globals; the function itself for Func objects
	Base uint32        // its first cell
	Size uint32        // number of cells
	// Escaped: external code may read and write the object, at any time, in any task.
	Escaped bool
	// Opened: the same holds for the object, or for parts of it.
	Opened bool

	returned bool // external code gets the object with the result of a call
}

func (o *Object) has(c uint32) bool { return c-o.Base < o.Size }

// newObject makes an object with layout l.
func (s *solver) newObject(k Kind, t types.Type, site ssa.Value, fn *ssa.Function, l *layout) *Object {
	w := l.width()
	base := s.nodes(w)
	s.objs = append(s.objs, Object{ID: len(s.objs), Kind: k, Type: t, Site: site, Fn: fn, Base: base, Size: w})
	for i := range w {
		c := base + i
		s.object[c] = int32(len(s.objs) - 1)
		s.key[c] = l.key[i]
		if l.aggr[i] {
			s.flags[c] |= cellAggr
		}
	}
	for _, i := range l.ptr {
		s.flags[base+uint32(i)] |= cellPtr
	}
	switch {
	case k == Box:
		s.flags[base] = s.flags[base]&^cellAggr | cellBox
		if s.isData(t) {
			s.flags[base] |= cellData
		}
	case (k == Variable || k == Global || k == Array) && s.isData(t):
		for i := range w {
			s.flags[base+i] |= cellData
		}
	}
	return &s.objs[len(s.objs)-1]
}

// printsAsData reports whether package fmt only reads data when it prints an operand
// that points to cell p. An interface that holds a pointer does not tell several types
// with the same contents apart. So the answer is no for all of them once any interface
// holds a pointer to such a type that has methods.
func (s *solver) printsAsData(p uint32) bool {
	return s.flags[p]&cellData != 0 && (s.flags[p]&cellBox != 0 || !s.methodKeys[s.key[p]])
}

// noteMethods collects the types that are not data, where functions put a pointer to
// them into an interface.
func (s *solver) noteMethods(funcs []*ssa.Function) {
	for i := range instrs.All(funcs) {
		if i, ok := i.(*ssa.MakeInterface); ok && site.IsPointer(i.X.Type()) && !s.isData(elem(i.X.Type())) {
			s.methodKeys[s.ls.key(elem(i.X.Type()))] = true
		}
	}
}

func (s *solver) isData(t types.Type) bool {
	is, ok := s.dataTypes[t]
	if !ok {
		is = isDataType(t, map[types.Type]bool{})
		s.dataTypes[t] = is
	}
	return is
}

// isDataType reports whether package fmt treats a value of type t, and everything the
// value reaches, as data: printing calls no method of it and finds nothing in it to
// call. Parameter seen has the types that the walk has met. One that is no data ends the
// whole walk, so a type that is met again, in a recursive type or by another way, needs no
// second look.
func isDataType(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return true
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		for m := range n.Methods() {
			switch m.Name() {
			case "Error", "String", "GoString", "Format":
				return false
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Pointer, *types.Slice, *types.Array:
		return isDataType(elem(u), seen)
	case *types.Map:
		return isDataType(u.Key(), seen) && isDataType(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			// A struct has the methods of its embedded fields.
			if !isDataType(f.Type(), seen) {
				return false
			}
		}
		return true
	}
	return false
}

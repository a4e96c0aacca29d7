package pointsto

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
)

// Kind says what an object is.
type Kind uint8

const (
	Variable Kind = iota // a local variable, or new(T)
	Global               // a package-level variable
	Array                // what make([]T) or append made
	Map                  // its one key and one value
	Channel              // its one element
	Box                  // a value that is no pointer, in an interface
	Func                 // a function or closure
)

func (k Kind) String() string {
	return [...]string{"variable", "global", "array", "map", "channel", "box", "func"}[k]
}

// An Object stands for all memory that one instruction allocates (in one
// calling context), or one package-level variable.
type Object struct {
	ID   int
	Kind Kind
	Type types.Type    // of the contents: the element type of an Array or Channel
	Site ssa.Value     // the allocating instruction, Global or Function; nil if it has none
	Fn   *ssa.Function // the function that allocates; nil for globals. For Func objects, the function itself
	Base uint32        // its first cell
	Size uint32        // in cells
	// Escaped: code that is not seen may read and write it, at any time, in
	// any task.
	Escaped bool
}

func (o *Object) has(c uint32) bool { return c-o.Base < o.Size }

// newObject makes an object with this layout.
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

// printsAsData reports whether printing the operand at cell p is to read data and no more. An
// interface that holds a pointer does not tell here which of several types with the same
// contents it is of; if a pointer to one with methods is ever put into an interface, all
// may be.
func (s *solver) printsAsData(p uint32) bool {
	return s.flags[p]&cellData != 0 && (s.flags[p]&cellBox != 0 || !s.methodKeys[s.key[p]])
}

// tell notes the types with methods of which pointers are put into interfaces.
func (s *solver) noteMethods(funcs []*ssa.Function) {
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if i, ok := i.(*ssa.MakeInterface); ok && site.IsPointer(i.X.Type()) && !s.isData(elem(i.X.Type())) {
					s.methodKeys[s.ls.key(elem(i.X.Type()))] = true
				}
			}
		}
	}
}

func (s *solver) isData(t types.Type) bool {
	is, ok := s.dataTypes[t]
	if !ok {
		is = isDataType(t, nil)
		s.dataTypes[t] = is
	}
	return is
}

// plain reports whether a value of type t, with all that can be reached from it, is data
// to package fmt: no part of it has methods that are called in printing, or can be
// called. in are the types around it.
func isDataType(t types.Type, in []types.Type) bool {
	t = types.Unalias(t)
	if slices.Contains(in, t) {
		return true // a list or tree of what is being looked at
	}
	in = append(in, t)
	if n, ok := t.(*types.Named); ok {
		for i := range n.NumMethods() {
			switch n.Method(i).Name() {
			case "Error", "String", "GoString", "Format":
				return false
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Pointer:
		return isDataType(u.Elem(), in)
	case *types.Slice:
		return isDataType(u.Elem(), in)
	case *types.Array:
		return isDataType(u.Elem(), in)
	case *types.Map:
		return isDataType(u.Key(), in) && isDataType(u.Elem(), in)
	case *types.Struct:
		for i := range u.NumFields() {
			// An embedded field's methods are the struct's too.
			if !isDataType(u.Field(i).Type(), in) {
				return false
			}
		}
		return true
	}
	return false
}

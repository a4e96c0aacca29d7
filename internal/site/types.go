package site

import (
	"go/ast"
	"go/types"
)

// IsPointer reports whether t is a pointer type.
func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// IsArray reports whether t is an array type; it is false for nil.
func IsArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// Elem returns the element type of a pointer, and t itself otherwise.
func Elem(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// IsTypeParam reports whether t is a type parameter.
func IsTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// Textual reports whether t is a type parameter whose types are strings and slices of
// bytes.
func Textual(t types.Type) bool { return IsTypeParam(t) && types.Satisfies(t, bytestring) }

// bytestring is ~string | ~[]byte.
var bytestring = types.NewInterfaceType(nil, []types.Type{types.NewUnion([]*types.Term{
	types.NewTerm(true, types.Typ[types.String]), types.NewTerm(true, types.NewSlice(types.Typ[types.Byte])),
})})

// Core returns the underlying type of t; for a type parameter the one that all
// types of its type set share, or nil.
func Core(t types.Type) types.Type {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	var c types.Type
	same := true
	add := func(u types.Type) { same, c = same && (c == nil || types.Identical(c, u)), u }
	var visit func(i *types.Interface)
	visit = func(i *types.Interface) {
		for etyp := range i.EmbeddedTypes() {
			if e, ok := etyp.(*types.Union); ok {
				for term := range e.Terms() {
					add(term.Type().Underlying())
				}
			} else if n, ok := etyp.Underlying().(*types.Interface); ok {
				visit(n)
			} else {
				add(etyp.Underlying())
			}
		}
	}
	visit(tp.Constraint().Underlying().(*types.Interface))
	if !same {
		return nil
	}
	return c
}

// TypeOf returns the type of e, the invalid type where the source has no type for it.
func (p *Package) TypeOf(e ast.Expr) types.Type {
	if e == nil {
		return types.Typ[types.Invalid]
	}
	if tv, ok := p.Info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := p.Info.ObjectOf(id); o != nil {
			return o.Type()
		}
	}
	return types.Typ[types.Invalid]
}

// Size returns the size of t in bytes, or -1 where it depends on a type
// argument.
func (p *Package) Size(t types.Type) int64 {
	if n, ok := p.sizes[t]; ok {
		return n
	}
	n := int64(-1)
	if !p.parametric(t) {
		n = p.std.Sizeof(t)
	}
	p.sizes[t] = n
	return n
}

// parametric reports whether the layout of t depends on a type parameter.
func (p *Package) parametric(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for t := range t.TypeArgs().Types() {
			if mentions(t, map[types.Type]bool{}) {
				return true
			}
		}
		// A type declared inside a generic function may mention its parameters.
		if t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope() {
			return p.parametric(t.Underlying())
		}
		return false
	case *types.Array:
		return p.parametric(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if p.parametric(field.Type()) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a type argument contains a type parameter.
func mentions(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for t := range t.TypeArgs().Types() {
			if mentions(t, seen) {
				return true
			}
		}
		if t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope() {
			return mentions(t.Underlying(), seen)
		}
	case *types.Map:
		return mentions(t.Key(), seen) || mentions(t.Elem(), seen)
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return mentions(t.Elem(), seen)
	case *types.Signature:
		return mentions(t.Params(), seen) || mentions(t.Results(), seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if mentions(v.Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for field := range t.Fields() {
			if mentions(field.Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for method := range t.Methods() {
			if mentions(method.Type(), seen) {
				return true
			}
		}
		for etyp := range t.EmbeddedTypes() {
			if mentions(etyp, seen) {
				return true
			}
		}
	case *types.Union:
		for term := range t.Terms() {
			if mentions(term.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// isBasic reports whether t is a basic type of this kind.
func isBasic(t types.Type, kind types.BasicKind) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == kind
}

// IsUnsafePointer reports whether the underlying type of t is unsafe.Pointer.
func IsUnsafePointer(t types.Type) bool { return isBasic(t.Underlying(), types.UnsafePointer) }

// IsUintptr reports whether the underlying type of t is uintptr.
func IsUintptr(t types.Type) bool { return isBasic(t.Underlying(), types.Uintptr) }

// IsString reports whether the underlying type t is string.
func IsString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// IsBytes reports whether the underlying type t is a slice of bytes.
func IsBytes(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && isBasic(s.Elem().Underlying(), types.Byte)
}

// IsNil reports whether t is the type of nil.
func IsNil(t types.Type) bool { return isBasic(t, types.UntypedNil) }

// SharesBytes reports whether t is a string type, or a type parameter for strings and
// perhaps slices of bytes.
func SharesBytes(t types.Type) bool {
	if IsTypeParam(t) {
		return Core(t) == nil || IsString(Core(t))
	}
	return IsString(t.Underlying())
}

package splice

import (
	"go/ast"
	"go/types"
)

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// elem returns the element type of a pointer, and t itself otherwise.
func elem(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// textual reports whether t is a type parameter whose types are strings and slices of
// bytes.
func textual(t types.Type) bool { return isTypeParam(t) && types.Satisfies(t, bytestring) }

// bytestring is ~string | ~[]byte.
var bytestring = types.NewInterfaceType(nil, []types.Type{types.NewUnion([]*types.Term{
	types.NewTerm(true, types.Typ[types.String]), types.NewTerm(true, types.NewSlice(types.Typ[types.Byte])),
})})

// core returns the underlying type of t; for a type parameter the one that all
// types of its type set share, or nil.
func core(t types.Type) types.Type {
	tp, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	var c types.Type
	same := true
	var visit func(i *types.Interface)
	visit = func(i *types.Interface) {
		for k := range i.NumEmbeddeds() {
			switch e := i.EmbeddedType(k).(type) {
			case *types.Union:
				for j := range e.Len() {
					u := e.Term(j).Type().Underlying()
					if c != nil && !types.Identical(c, u) {
						same = false
					}
					c = u
				}
			default:
				u := e.Underlying()
				if n, ok := u.(*types.Interface); ok {
					visit(n)
					continue
				}
				if c != nil && !types.Identical(c, u) {
					same = false
				}
				c = u
			}
		}
	}
	visit(tp.Constraint().Underlying().(*types.Interface))
	if !same {
		return nil
	}
	return c
}

func (p *pkg) typeOf(e ast.Expr) types.Type {
	if e == nil {
		return types.Typ[types.Invalid]
	}
	if tv, ok := p.cfg.Info.Types[e]; ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := p.cfg.Info.ObjectOf(id); o != nil {
			return o.Type()
		}
	}
	return types.Typ[types.Invalid]
}

// size returns the size of t in bytes, or -1 where it depends on a type
// argument.
func (p *pkg) size(t types.Type) int64 {
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
func (p *pkg) parametric(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		if args := t.TypeArgs(); args != nil {
			for i := range args.Len() {
				if mentions(args.At(i), map[types.Type]bool{}) {
					return true
				}
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
		for i := range t.NumFields() {
			if p.parametric(t.Field(i).Type()) {
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
		if a := t.TypeArgs(); a != nil {
			for i := range a.Len() {
				if mentions(a.At(i), seen) {
					return true
				}
			}
		}
		if t.Obj().Pkg() != nil && t.Obj().Parent() != t.Obj().Pkg().Scope() {
			return mentions(t.Underlying(), seen)
		}
	case *types.Pointer:
		return mentions(t.Elem(), seen)
	case *types.Slice:
		return mentions(t.Elem(), seen)
	case *types.Array:
		return mentions(t.Elem(), seen)
	case *types.Chan:
		return mentions(t.Elem(), seen)
	case *types.Map:
		return mentions(t.Key(), seen) || mentions(t.Elem(), seen)
	case *types.Signature:
		return mentions(t.Params(), seen) || mentions(t.Results(), seen)
	case *types.Tuple:
		for i := range t.Len() {
			if mentions(t.At(i).Type(), seen) {
				return true
			}
		}
	case *types.Struct:
		for i := range t.NumFields() {
			if mentions(t.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			if mentions(t.Method(i).Type(), seen) {
				return true
			}
		}
		for i := range t.NumEmbeddeds() {
			if mentions(t.EmbeddedType(i), seen) {
				return true
			}
		}
	case *types.Union:
		for i := range t.Len() {
			if mentions(t.Term(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

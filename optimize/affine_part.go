package optimize

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/polyhedral"
)

// Fields of elements, bodies[i].pos.x, are parts of them. Where the elements are
// pointers, the field is part of what they point to: the pointers are read on the
// way, and must stay what they are.

// A part is size bytes at an offset from the start of an element.
type part struct{ off, size int64 }

// A location is a part of an element, or of what the element points to.
type location struct {
	array *array
	subs  []polyhedral.Expr
	part  part
	path  string // from the element to the part, as source
}

func (l *location) key() string { return l.array.key() }

// sizeOf returns the size of t, 0 where that depends on type arguments.
func sizeOf(t types.Type) int64 {
	if !concrete(t) {
		return 0
	}
	return sizes.Sizeof(t)
}

// in returns what is found at an offset of l, of type t.
func (l location) in(off int64, t types.Type, path string) (location, bool) {
	size := sizeOf(t)
	if l.array.elem == 0 || size == 0 {
		return l, false
	}
	l.part = part{l.part.off + off, size}
	l.path += path
	return l, true
}

// locate finds the element that place e is, or is a part of.
func (n *nest) locate(e ast.Expr) (l location, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		a, subs, ok := n.resolve(e.X, e.Index)
		if !ok {
			return l, false
		}
		return location{array: a, subs: subs, part: part{0, a.elem}}, true
	case *ast.SelectorExpr:
		sel := n.info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal || embeddedPointer(sel) {
			return l, false
		}
		t := n.info.TypeOf(e.X)
		if p, isPtr := t.Underlying().(*types.Pointer); isPtr {
			t = p.Elem()
			l, ok = n.pointee(e.X)
		} else {
			l, ok = n.locate(e.X)
		}
		if !ok || !concrete(t) {
			return l, false
		}
		off := int64(0)
		for _, k := range sel.Index() {
			st := t.Underlying().(*types.Struct)
			var list []*types.Var
			for i := range k + 1 {
				list = append(list, st.Field(i))
			}
			off += sizes.Offsetsof(list)[k]
			t = st.Field(k).Type()
		}
		return l.in(off, t, "."+e.Sel.Name)
	case *ast.StarExpr:
		return n.pointee(e.X)
	}
	return l, false
}

// pointee finds what pointer e points to: the address of an element or of a part of
// one, an element that is a pointer, or a variable of the nest that holds either.
func (n *nest) pointee(e ast.Expr) (l location, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return n.locate(e.X)
		}
	case *ast.Ident:
		v, isVar := n.info.Uses[e].(*types.Var)
		if !isVar || !n.inside(v) {
			break
		}
		if el, isElem := n.elems[v]; isElem && !n.moving(el.x) && n.unwritten(el.x, true) {
			a, subs, ok := n.resolveAt(el.x, polyhedral.Iter(el.iter))
			return behind(a, subs, v.Type(), ok)
		}
		if d := n.definition(v); d != nil && !n.moving(d) {
			return n.pointee(d)
		}
	case *ast.CallExpr:
		if r := n.result(e); r != nil {
			return n.pointee(r)
		}
	case *ast.IndexExpr:
		t := n.info.TypeOf(e)
		if !isPointer(t) || !n.unwritten(e, false) {
			break
		}
		switch n.info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			a, subs, ok := n.resolve(e.X, e.Index)
			return behind(a, subs, t, ok)
		}
	}
	return l, false
}

// behind is what an element of type t, a pointer, points to.
func behind(a *array, subs []polyhedral.Expr, t types.Type, ok bool) (location, bool) {
	p, isPtr := t.Underlying().(*types.Pointer)
	if !ok || !isPtr || a.opaque || a.through {
		return location{}, false
	}
	b := *a
	b.through, b.memory, b.elem = true, true, sizeOf(p.Elem())
	return location{array: &b, subs: subs, part: part{0, b.elem}}, true
}

// field notes what e, a field or what a pointer points to, does in state st.
func (n *nest) field(e ast.Expr, st state, read, write bool) {
	if n.flat || !read && !write {
		return // neighbouring fields are checked together by the pass dominate
	}
	if l, ok := n.locate(e); ok && l.part.size > 0 {
		n.note(e, l, st, read, write)
		return
	}
	n.header(e, st, read, write)
}

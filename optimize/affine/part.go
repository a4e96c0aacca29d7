package affine

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/optimize/layout"
	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// Fields of elements, such as bodies[i].pos.x, are parts of them. If the elements are
// pointers, the field is a part of the variable that an element points to: the nest reads
// the pointers on the way, and must not change them.

// A part is size bytes at an offset from the start of an element.
type part struct{ off, size int64 }

// A location is a part of an element, or of the variable that the element points to.
type location struct {
	array *array
	subs  []polyhedral.Expr
	part  part
	path  string // from the element to the part, as source
}

func (l *location) key() string { return l.array.key() }

// in returns the part of type t at an offset of l.
func (l location) in(off int64, t types.Type, path string) (location, bool) {
	size := layout.Size(t)
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
		sel := n.Info.Selection(e)
		if sel == nil || sel.Kind() != types.FieldVal || loop.EmbeddedPointer(sel) {
			return l, false
		}
		t := n.Info.TypeOf(e.X)
		if p, isPtr := t.Underlying().(*types.Pointer); isPtr {
			t = p.Elem()
			l, ok = n.pointee(e.X)
		} else {
			l, ok = n.locate(e.X)
		}
		if !ok || !layout.Concrete(t) {
			return l, false
		}
		off := int64(0)
		for _, k := range sel.Index() {
			st := t.Underlying().(*types.Struct)
			off += layout.Offset(st, k)
			t = st.Field(k).Type()
		}
		return l.in(off, t, "."+e.Sel.Name)
	case *ast.StarExpr:
		return n.pointee(e.X)
	}
	return l, false
}

// pointee finds the variable that pointer e points to. The pointer is the address of an
// element or of a part, an element itself, or a variable of the nest that holds one of
// these.
func (n *nest) pointee(e ast.Expr) (l location, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return n.locate(e.X)
		}
	case *ast.Ident:
		v, isVar := n.Info.Use(e).(*types.Var)
		if !isVar || !n.Inside(v) {
			break
		}
		if el, isElem := n.elems[v]; isElem && !n.moving(el.x) && n.unwritten(el.x, true) {
			a, subs, ok := n.resolveAt(el.x, polyhedral.Iter(el.iter))
			return behind(a, subs, v.Type(), ok)
		}
		if d := n.Definition(v); d != nil && !n.moving(d) {
			return n.pointee(d)
		}
	case *ast.CallExpr:
		if r := n.Result(e); r != nil {
			return n.pointee(r)
		}
	case *ast.IndexExpr:
		t := n.Info.TypeOf(e)
		if !loop.IsPointer(t) || !n.unwritten(e, false) {
			break
		}
		switch n.Info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			a, subs, ok := n.resolve(e.X, e.Index)
			return behind(a, subs, t, ok)
		}
	}
	return l, false
}

// behind returns the variable that an element of type t, a pointer, points to.
func behind(a *array, subs []polyhedral.Expr, t types.Type, ok bool) (location, bool) {
	p, isPtr := t.Underlying().(*types.Pointer)
	if !ok || !isPtr || a.opaque || a.through {
		return location{}, false
	}
	b := *a
	b.through, b.memory, b.elem = true, true, layout.Size(p.Elem())
	return location{array: &b, subs: subs, part: part{0, b.elem}}, true
}

// field notes the accesses of e, a field or the variable that a pointer points to, in
// state st.
func (n *nest) field(e ast.Expr, st state, read, write bool) {
	if n.flat || !read && !write {
		return // neighbouring fields are checked together by other means
	}
	defer n.in0(st)()
	if l, ok := n.locate(e); ok && l.part.size > 0 {
		n.note(e, l, st, read, write)
		return
	}
	n.notePlace(e, st, read, write)
}

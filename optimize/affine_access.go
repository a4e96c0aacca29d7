package optimize

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"taskinstr/polyhedral"
)

// A level is one subscript's operand.
type level struct {
	via   string // the fields between the element that it is in and it
	array int64  // its length; -1: a slice or string
}

// An array is what subscripts are applied to: a path that stays the same all
// through the nest, and how many subscripts follow.
type array struct {
	base    string
	levels  []level
	one     bool  // it is no array, but one place
	through bool  // what is meant is not the elements, but what they point to
	memory  bool  // others may reach its elements
	opaque  bool  // base is no more than a name for it
	elem    int64 // size of an element, or of what it points to; 0: it depends on type arguments
	// What the last level is a part of, and where; nil where it is found by reading
	// a slice.
	outer *array
	at    int64
}

func (a *array) key() string { return fmt.Sprint(a.base, a.levels, a.through) }

// in describes the array to package polyhedral.
func (a *array) in() polyhedral.Array {
	return polyhedral.Array{Name: a.base, Rows: len(a.levels) - 1}
}

// row returns what the last subscript is applied to.
func (a *array) row(subs []string) string {
	var b strings.Builder
	b.WriteString(a.base)
	for i, s := range subs {
		b.WriteString("[" + s + "]" + a.levels[i+1].via)
	}
	return b.String()
}

// A reference is an access with when it happens.
type reference struct {
	location
	st    state
	sites []int // that its check stands for; none: its subscripts need to be in range, no more
	write bool
	in    *inlined // the call in the nest that makes it; nil: the nest itself does
}

// resolve finds array and subscripts of e.
func (n *nest) resolve(e ast.Expr, index ast.Expr) (a *array, subs []polyhedral.Expr, ok bool) {
	i, ok := n.affine(index)
	if !ok {
		return nil, nil, false
	}
	return n.resolveAt(e, i)
}

func (n *nest) resolveAt(e ast.Expr, sub polyhedral.Expr) (a *array, subs []polyhedral.Expr, ok bool) {
	e = ast.Unparen(e)
	lev := level{array: -1}
	t := n.info.TypeOf(e)
	elem := types.Type(types.Typ[types.Uint8])
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		lev.array, elem = u.Len(), u.Elem()
	case *types.Pointer:
		x, isArray := u.Elem().Underlying().(*types.Array)
		if !isArray {
			return nil, nil, false
		}
		lev.array, elem = x.Len(), x.Elem()
	case *types.Basic:
		if !isString(u) {
			return nil, nil, false
		}
	default:
		return nil, nil, false
	}
	size := sizeOf(elem)
	if r := n.result(e); r != nil {
		return n.resolveAt(r, sub)
	}
	if isPointer(t) {
		if y := n.addressed(e); y != nil {
			return n.resolveAt(y, sub)
		}
	}
	// A row that a local variable of the nest holds.
	if id, isIdent := e.(*ast.Ident); isIdent && lev.array < 0 {
		if v, isVar := n.info.Uses[id].(*types.Var); isVar && n.inside(v) {
			if el, isElem := n.elems[v]; isElem && !n.moving(el.x) {
				a, subs, ok = n.resolveAt(el.x, polyhedral.Iter(el.iter))
				if !ok || !n.unwritten(el.x, true) {
					return nil, nil, false
				}
				return location{array: a, subs: subs}.deeper(lev, size, sub)
			}
			if d := n.definition(v); d != nil && !n.moving(d) {
				return n.resolveAt(d, sub)
			}
		}
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		if isPointer(t) {
			break // below
		}
		switch n.info.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			if a, subs, ok = n.resolve(x.X, x.Index); ok && (lev.array >= 0 || n.unwritten(x, false)) {
				return location{array: a, subs: subs}.deeper(lev, size, sub)
			}
		}
	case *ast.SelectorExpr, *ast.StarExpr:
		// A row in a field of an element.
		if l, isPart := n.locate(x); isPart && !isPointer(t) && (lev.array >= 0 || n.unwritten(x, false)) {
			return l.deeper(lev, size, sub)
		}
	}
	if isPointer(t) {
		if l, isPart := n.pointee(e); isPart {
			return l.deeper(lev, size, sub)
		}
	}
	if lev.array >= 0 && !isPointer(t) && !n.reached(e) {
		// What it holds may change; its length does not.
		a := &array{base: n.words(e), levels: []level{lev}, opaque: true, elem: size}
		if v, fixed := n.place(e); fixed {
			n.require(v.pre)
			a.base, a.opaque = v.text, false
		}
		return a, []polyhedral.Expr{sub}, true
	}
	var v value
	if lev.array >= 0 && !isPointer(t) {
		v, ok = n.place(e)
	} else {
		v, ok = n.value(e)
	}
	if !ok {
		return nil, nil, false
	}
	if isPointer(t) {
		v = v.when(v.text + " != nil")
	}
	n.require(v.pre)
	return &array{base: v.text, levels: []level{lev}, memory: !isString(t), elem: size}, []polyhedral.Expr{sub}, true
}

// deeper adds a subscript of a row in l.
func (l location) deeper(lev level, elem int64, sub polyhedral.Expr) (*array, []polyhedral.Expr, bool) {
	a := l.array
	if a.opaque && lev.array < 0 || a.through && l.path == "" && lev.array < 0 {
		return nil, nil, false // [] does not follow a pointer to a slice
	}
	lev.via = l.path
	b := &array{base: a.base, opaque: a.opaque, elem: elem}
	b.levels = append(a.levels[:len(a.levels):len(a.levels)], lev)
	b.memory = a.memory || lev.array < 0
	if lev.array >= 0 && elem > 0 && a.elem > 0 {
		b.outer, b.at = a, l.part.off
	}
	return b, append(l.subs[:len(l.subs):len(l.subs)], sub), true
}

// unwritten reports whether the nest leaves the rows at e as they are.
func (n *nest) unwritten(e ast.Expr, elems bool) bool {
	if !elems && !n.reached(e) {
		v := rootVar(n.info, e)
		return !n.assigned[v] && !n.inside(v)
	}
	return !n.mayWrite(n.site(e, false, elems))
}

// access notes what e, an element, does in state st.
func (n *nest) access(e *ast.IndexExpr, st state, read, write bool) {
	l, ok := n.locate(e)
	if !ok {
		if n.inRange(e, st) {
			n.unknown(e, read, write)
			return
		}
		n.fail("the index of " + n.words(e) + " is not affine, and may be out of range")
	}
	if isPointer(n.info.TypeOf(e.X)) {
		n.nonNil(e.X, st)
	}
	n.note(e, l, st, read, write)
}

// note notes an access of e at l. Whether the check of it is a part of the scan or
// not, its element has to exist.
func (n *nest) note(e ast.Expr, l location, st state, read, write bool) {
	if n.in != nil {
		n.noteInlined(e, l, st, read, write)
		return
	}
	if st.exact && l.array.memory {
		noted := false
		for _, w := range []bool{true, false} {
			if w && !write || !w && !read {
				continue
			}
			if i := n.open(n.site(e, w, false)); i >= 0 {
				n.refs = append(n.refs, reference{location: l, st: st, sites: []int{i}, write: w})
				noted = true
			}
		}
		if noted {
			return
		}
	}
	n.bound(l, st)
}

// bound notes that the element at l has to exist, and what it points to.
func (n *nest) bound(l location, st state) {
	l.part = part{}
	for _, r := range n.refs {
		if len(r.sites) == 0 && r.key() == l.key() && fmt.Sprint(r.subs, r.st.doms) == fmt.Sprint(l.subs, st.doms) {
			return
		}
	}
	n.refs = append(n.refs, reference{location: l, st: st})
}

// rangeElems notes the elements that a range clause reads.
func (n *nest) rangeElems(s *ast.RangeStmt, h header, affine bool, st state) {
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	t := n.info.TypeOf(s.X).Underlying()
	if isPointer(t) {
		n.nonNil(s.X, st)
	}
	if _, isSlice := t.(*types.Slice); !isSlice || !affine {
		return // arrays are copied whole
	}
	a, subs, ok := n.resolveAt(s.X, polyhedral.Iter(h.loop.Var))
	if !ok {
		return
	}
	if id, isIdent := s.Value.(*ast.Ident); isIdent {
		if v, isVar := n.info.Defs[id].(*types.Var); isVar && !n.inMemory(v) && n.assignments(s.Body, v) == 0 {
			n.elems[v] = element{s.X, h.loop.Var}
		}
	}
	// The clause reads before the body can leave the loop; the iterations then
	// are those of the body.
	l := location{array: a, subs: subs, part: part{0, a.elem}}
	if i := n.open(n.site(s.X, false, true)); i >= 0 && st.exact {
		n.refs = append(n.refs, reference{location: l, st: st, sites: []int{i}})
		return
	}
	n.bound(l, st)
}

// inRange reports whether an index is below the length of an array for all values
// of its type.
func (n *nest) inRange(e *ast.IndexExpr, st state) bool {
	t := n.info.TypeOf(e.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		n.nonNil(e.X, st)
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	return ok && (n.info.Types[e.Index].Value != nil || fits(n.info.TypeOf(e.Index), a.Len()))
}

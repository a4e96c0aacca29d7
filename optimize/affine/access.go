package affine

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"taskinstr/optimize/layout"
	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// A level is the operand of one subscript.
type level struct {
	via   string // the fields between the element of the level before and this operand
	array int64  // the length of an array; -1: a slice or string
}

// An array is the operand of a sequence of subscripts: a path that stays the same all
// through the nest, with a level for each subscript.
type array struct {
	base    string
	levels  []level
	isPlace bool  // a single place, which is no array
	through bool  // the accesses are not to the elements, but to the variables that these point to
	memory  bool  // statements of other functions or tasks may reach the elements
	opaque  bool  // base is only a name; the contents of the array may change
	ends    bool  // the position behind the last element counts as an element
	elem    int64 // size of an element, or of the variable that it points to; 0: type arguments decide it
	// outer is the array that contains the operand of the last level, offset bytes behind
	// the start of an element; nil if that operand is found by reading a slice.
	outer  *array
	offset int64
}

// key is equal for arrays whose subscripts select the same elements.
func (a *array) key() string { return fmt.Sprint(a.base, a.levels, a.through, a.ends) }

// in describes the array to package polyhedral.
func (a *array) in() polyhedral.Array {
	return polyhedral.Array{Name: a.base, Rows: len(a.levels) - 1}
}

// row returns the source of the operand of the last subscript.
func (a *array) row(subs []string) string {
	var b strings.Builder
	b.WriteString(a.base)
	for i, s := range subs {
		b.WriteString("[" + s + "]" + a.levels[i+1].via)
	}
	return b.String()
}

// A reference is an access with the state in which it happens.
type reference struct {
	location
	st    state
	sites []int // the sites, or calls of accessors (nest.accessed), whose checks it makes; none: only its subscripts need to be in range
	write bool
	run   *run     // the elements that a call of an accessor reaches; nil: the reference is of one element
	in    *inlined // the call in the nest that makes the access; nil: the nest itself does
}

// resolve finds the array and the subscripts of the element with this index of e.
func (n *nest) resolve(e ast.Expr, index ast.Expr) (a *array, subs []polyhedral.Expr, ok bool) {
	i, ok := n.affine(index)
	if !ok {
		return nil, nil, false
	}
	return n.resolveAt(e, i)
}

// resolveAt is resolve for a subscript that is known as a polynomial.
func (n *nest) resolveAt(e ast.Expr, sub polyhedral.Expr) (a *array, subs []polyhedral.Expr, ok bool) {
	e = ast.Unparen(e)
	t := n.Info.TypeOf(e)
	lev, size, ok := levelOf(t)
	if !ok {
		return nil, nil, false
	}
	if r := n.Result(e); r != nil {
		return n.resolveAt(r, sub)
	}
	if w, isWindow := n.windowOf(e); isWindow {
		return n.element(w, t, sub)
	}
	if loop.IsPointer(t) {
		if y := n.Addressed(e); y != nil {
			return n.resolveAt(y, sub)
		}
	}
	// A local variable of the nest holds a row.
	if id, isIdent := e.(*ast.Ident); isIdent && lev.array < 0 {
		if v, isVar := n.Info.Use(id).(*types.Var); isVar && n.Inside(v) {
			if el, isElem := n.elems[v]; isElem && !n.moving(el.x) {
				a, subs, ok = n.resolveAt(el.x, polyhedral.Iter(el.iter))
				if !ok || !n.unwritten(el.x, true) {
					return nil, nil, false
				}
				return location{array: a, subs: subs}.deeper(lev, size, sub)
			}
			if d := n.Definition(v); d != nil && !n.moving(d) {
				return n.resolveAt(d, sub)
			}
		}
	}
	switch x := e.(type) {
	case *ast.IndexExpr:
		if loop.IsPointer(t) {
			break // it is a pointee, see below
		}
		switch n.Info.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			if a, subs, ok = n.resolve(x.X, x.Index); ok && (lev.array >= 0 || n.unwritten(x, false)) {
				return location{array: a, subs: subs}.deeper(lev, size, sub)
			}
		}
	case *ast.SelectorExpr, *ast.StarExpr:
		// A row in a field of an element.
		if l, isPart := n.locate(x); isPart && !loop.IsPointer(t) && (lev.array >= 0 || n.unwritten(x, false)) {
			return l.deeper(lev, size, sub)
		}
	}
	if loop.IsPointer(t) {
		if l, isPart := n.pointee(e); isPart {
			return l.deeper(lev, size, sub)
		}
	}
	if a, ok = n.invariant(e, lev, size); !ok {
		return nil, nil, false
	}
	return a, []polyhedral.Expr{sub}, true
}

// levelOf returns the level of an operand of type t, and the size of its elements. Result ok is false if
// the type has no elements.
func levelOf(t types.Type) (lev level, size int64, ok bool) {
	lev.array = -1
	elem := types.Type(types.Typ[types.Uint8])
	switch u := t.Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		lev.array, elem = u.Len(), u.Elem()
	case *types.Pointer:
		x, isArray := u.Elem().Underlying().(*types.Array)
		if !isArray {
			return lev, 0, false
		}
		lev.array, elem = x.Len(), x.Elem()
	case *types.Basic:
		if !loop.IsString(u) {
			return lev, 0, false
		}
	default:
		return lev, 0, false
	}
	return lev, layout.Size(elem), true
}

// invariant returns e as an array of one level, if it stays the same all through the nest.
func (n *nest) invariant(e ast.Expr, lev level, size int64) (a *array, ok bool) {
	t := n.Info.TypeOf(e)
	if lev.array >= 0 && !loop.IsPointer(t) && !n.Reached(e) {
		// The contents of the array may change, but not its length.
		a := &array{base: n.Text(e), levels: []level{lev}, opaque: true, elem: size}
		if v, fixed := n.Place(e); fixed {
			n.require(v.Conds)
			a.base, a.opaque = v.Text, false
		}
		return a, true
	}
	var v loop.Invariant
	if lev.array >= 0 && !loop.IsPointer(t) {
		v, ok = n.Place(e)
	} else {
		v, ok = n.Value(e)
	}
	if !ok {
		return nil, false
	}
	if loop.IsPointer(t) {
		v = v.When(v.Text + " != nil")
	}
	n.require(v.Conds)
	return &array{base: v.Text, levels: []level{lev}, memory: !loop.IsString(t), elem: size}, true
}

// deeper adds a subscript of the row at l.
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
		b.outer, b.offset = a, l.part.off
	}
	return b, append(l.subs[:len(l.subs):len(l.subs)], sub), true
}

// unwritten reports whether the nest writes no row at e.
func (n *nest) unwritten(e ast.Expr, elems bool) bool {
	if !elems && !n.Reached(e) {
		v := loop.RootVar(n.Info, e)
		return !n.Assigned[v] && !n.Inside(v)
	}
	return !n.MayWrite(n.Site(e, false, elems))
}

// access notes the reads and writes of e, an element, in state st.
func (n *nest) access(e *ast.IndexExpr, st state, read, write bool) {
	defer n.in0(st)()
	l, ok := n.locate(e)
	if !ok {
		if n.inRange(e, st) {
			n.unknown(e, read, write)
			return
		}
		n.fail("the index of " + n.Text(e) + " is not affine, and may be out of range")
	}
	if loop.IsPointer(n.Info.TypeOf(e.X)) {
		n.nonNil(e.X, st)
	}
	n.note(e, l, st, read, write)
}

// note notes an access of e at l. Its element has to exist, also if the scan does not
// replace its check.
func (n *nest) note(e ast.Expr, l location, st state, read, write bool) {
	if n.in != nil {
		n.noteInlined(e, l, st, read, write)
		return
	}
	if st.exact && l.array.memory {
		noted := false
		for _, w := range kinds(read, write) {
			if i := n.Open(n.Site(e, w, false)); i >= 0 {
				r := n.reference(l, st)
				r.sites, r.write = []int{i}, w
				n.refs = append(n.refs, r)
				noted = true
			}
		}
		if noted {
			return
		}
	}
	n.mustExist(l, st)
}

// kinds returns the kinds of an access, as whether they write.
func kinds(read, write bool) (list []bool) {
	if write {
		list = append(list, true)
	}
	if read {
		list = append(list, false)
	}
	return list
}

// mustExist notes that the element at l has to exist, and so has the variable that it points
// to.
func (n *nest) mustExist(l location, st state) {
	l.part = part{}
	x := n.reference(l, st)
	for _, r := range n.refs {
		if len(r.sites) == 0 && r.key() == l.key() && fmt.Sprint(r.subs, r.st.doms) == fmt.Sprint(l.subs, x.st.doms) {
			return
		}
	}
	n.refs = append(n.refs, x)
}

// rangeElems notes the elements that a range clause reads.
func (n *nest) rangeElems(s *ast.RangeStmt, h header, affine bool, st state) {
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	defer n.in0(st)()
	t := n.Info.TypeOf(s.X).Underlying()
	if loop.IsPointer(t) {
		n.nonNil(s.X, st)
	}
	if _, isSlice := t.(*types.Slice); !isSlice || !affine {
		return // arrays are copied as a whole
	}
	a, subs, ok := n.resolveAt(s.X, polyhedral.Iter(h.loop.Var))
	if !ok {
		return
	}
	if id, isIdent := s.Value.(*ast.Ident); isIdent {
		if v, isVar := n.Info.Def(id).(*types.Var); isVar && !n.InMemory(v) && n.assignments(s.Body, v) == 0 {
			n.elems[v] = element{s.X, h.loop.Var}
		}
	}
	// The clause reads an element before the body can leave the loop. So its iterations
	// are exactly those of the body.
	l := location{array: a, subs: subs, part: part{0, a.elem}}
	if i := n.Open(n.Site(s.X, false, true)); i >= 0 && st.exact {
		r := n.reference(l, st)
		r.sites = []int{i}
		n.refs = append(n.refs, r)
		return
	}
	n.mustExist(l, st)
}

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
	array int64 // its length; -1: a slice or string
}

// An array is what subscripts are applied to: a path that stays the same all
// through the nest, and how many subscripts follow.
type array struct {
	base   string
	levels []level
	memory bool // others may reach its elements
}

func (a *array) key() string { return fmt.Sprint(a.base, a.levels) }

// in describes the array to package polyhedral.
func (a *array) in() polyhedral.Array {
	return polyhedral.Array{Name: a.base, Rows: len(a.levels) - 1}
}

// row returns what the last subscript is applied to.
func (a *array) row(subs []string) string {
	if len(subs) == 0 {
		return a.base
	}
	return a.base + "[" + strings.Join(subs, "][") + "]"
}

// A reference is an access with when it happens.
type reference struct {
	array *array
	subs  []polyhedral.Expr
	st    state
	sites []int // that its check stands for; none: its subscripts need to be in range, no more
	write bool
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
	lev := level{-1}
	t := n.info.TypeOf(e)
	switch u := t.Underlying().(type) {
	case *types.Slice:
	case *types.Array:
		lev.array = u.Len()
	case *types.Pointer:
		x, isArray := u.Elem().Underlying().(*types.Array)
		if !isArray {
			return nil, nil, false
		}
		lev.array = x.Len()
	case *types.Basic:
		if !isString(u) {
			return nil, nil, false
		}
	default:
		return nil, nil, false
	}
	// A row that a local variable of the nest holds.
	if id, isIdent := e.(*ast.Ident); isIdent && lev.array < 0 {
		if v, isVar := n.info.Uses[id].(*types.Var); isVar && n.inside(v) {
			if el, isElem := n.elems[v]; isElem && !n.moving(el.x) {
				a, subs, ok = n.resolveAt(el.x, polyhedral.Iter(el.iter))
				return n.deeper(a, subs, lev, sub, ok && n.unwritten(el.x, true))
			}
			if d := n.definition(v); d != nil && !n.moving(d) {
				return n.resolveAt(d, sub)
			}
		}
	}
	if x, isIndex := e.(*ast.IndexExpr); isIndex && !isPointer(t) {
		switch n.info.TypeOf(x.X).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Pointer:
			if a, subs, ok = n.resolve(x.X, x.Index); ok && (lev.array >= 0 || n.unwritten(x, false)) {
				return n.deeper(a, subs, lev, sub, true)
			}
		}
	}
	if lev.array >= 0 && !isPointer(t) && !n.reached(e) {
		// What it holds may change; its length does not.
		return &array{n.words(e), []level{lev}, false}, []polyhedral.Expr{sub}, true
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
	return &array{v.text, []level{lev}, !isString(t)}, []polyhedral.Expr{sub}, true
}

// deeper adds a subscript.
func (n *nest) deeper(a *array, subs []polyhedral.Expr, lev level, sub polyhedral.Expr, ok bool) (*array, []polyhedral.Expr, bool) {
	if !ok {
		return nil, nil, false
	}
	return &array{a.base, append(a.levels[:len(a.levels):len(a.levels)], lev), a.memory || lev.array < 0},
		append(subs[:len(subs):len(subs)], sub), true
}

// unwritten reports whether the nest leaves the rows at e as they are.
func (n *nest) unwritten(e ast.Expr, elems bool) bool {
	if !elems && !n.reached(e) {
		v := rootVar(n.info, e)
		return !n.assigned[v] && !n.inside(v)
	}
	return !n.mayWrite(n.site(e, false, elems))
}

// access notes what e does in state st.
func (n *nest) access(e *ast.IndexExpr, st state, read, write bool) {
	a, subs, ok := n.resolve(e.X, e.Index)
	if !ok {
		if n.inRange(e) {
			return
		}
		n.fail("the index of " + n.words(e) + " is not affine, and may be out of range")
	}
	none := reference{array: a, subs: subs, st: st}
	if !st.exact || !a.memory || !read && !write {
		n.refs = append(n.refs, none)
		return
	}
	noted := false
	for _, w := range []bool{true, false} {
		if w && !write || !w && !read {
			continue
		}
		if i := n.open(n.site(e, w, false)); i >= 0 {
			n.refs = append(n.refs, reference{a, subs, st, []int{i}, w})
			noted = true
		}
	}
	if !noted {
		n.refs = append(n.refs, none)
	}
}

// rangeElems notes the elements that a range clause reads.
func (n *nest) rangeElems(s *ast.RangeStmt, h header, affine bool, st state) {
	if id, ok := s.Value.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	t := n.info.TypeOf(s.X).Underlying()
	if isPointer(t) {
		n.nonNil(s.X)
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
	r := reference{array: a, subs: subs, st: st}
	if i := n.open(n.site(s.X, false, true)); i >= 0 && st.exact {
		r.sites = []int{i}
	}
	n.refs = append(n.refs, r)
}

// inRange reports whether an index is below the length of an array for all values
// of its type.
func (n *nest) inRange(e *ast.IndexExpr) bool {
	t := n.info.TypeOf(e.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		n.nonNil(e.X)
		t = p.Elem().Underlying()
	}
	a, ok := t.(*types.Array)
	return ok && (n.info.Types[e.Index].Value != nil || fits(n.info.TypeOf(e.Index), a.Len()))
}

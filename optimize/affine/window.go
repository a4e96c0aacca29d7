package affine

import (
	"go/ast"
	"go/types"
	"math"

	"taskinstr/optimize/layout"
	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// A window is a part of an array that a slice expression selects: d := dst[j : j+4 : j+4],
// row := pix[y*stride:][:w], or a slice that moves along its array, p = p[8:]. Element k of
// the window is element off+k of the array.
//
// A slice expression panics if its bounds are not ascending numbers up to the capacity of its
// operand. The code in front of the nest tests this for all iterations. It tests against the
// length of the array, and so leaves the nest alone if a window reaches beyond that.
type window struct {
	x     ast.Expr // the array; nil: the value of the variable name in front of the nest
	name  string
	off   polyhedral.Expr
	len   polyhedral.Expr // if known
	known bool
	toEnd bool // the window ends with the array
}

// windowOf returns the window that e is, with the values known at present. It does not test
// the bounds of slice expressions.
func (n *nest) windowOf(e ast.Expr) (w window, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, isVar := n.Info.Use(x).(*types.Var); isVar {
			w, ok = n.now.windows[v]
		}
	case *ast.SliceExpr:
		base, isWindow := n.baseOf(x.X)
		if !isWindow {
			return w, false
		}
		lo := polyhedral.Const(0)
		if x.Low != nil {
			if lo, ok = n.affine(x.Low); !ok {
				return w, false
			}
		}
		w = base
		w.off = base.off.Add(lo)
		if x.High == nil {
			w.len = base.len.Sub(lo)
			return w, true
		}
		hi, ok := n.affine(x.High)
		if !ok {
			return w, false
		}
		w.len, w.known, w.toEnd = hi.Sub(lo), true, false
		return w, true
	case *ast.CallExpr: // (*[4]byte)(b)
		if tv := n.Info.Type(x.Fun); tv.IsType() && len(x.Args) == 1 && isSlice(n.Info.TypeOf(x.Args[0])) {
			p, isPtr := tv.Type.Underlying().(*types.Pointer)
			if !isPtr {
				return w, false
			}
			if w, ok = n.baseOf(x.Args[0]); ok {
				w.len, w.known, w.toEnd = polyhedral.Const(p.Elem().Underlying().(*types.Array).Len()), true, false
			}
		}
	}
	return w, ok
}

// baseOf returns the operand of a slice expression as a window.
func (n *nest) baseOf(e ast.Expr) (w window, ok bool) {
	e = ast.Unparen(e)
	if w, ok = n.windowOf(e); ok {
		return w, true
	}
	if _, isSlice := e.(*ast.SliceExpr); isSlice {
		return w, false
	}
	w = window{x: e, toEnd: true}
	switch t := n.Info.TypeOf(e).Underlying().(type) {
	case *types.Slice:
		w.len, w.known = n.lengthOf(e)
	case *types.Array:
		w.len, w.known = polyhedral.Const(t.Len()), true
	case *types.Pointer:
		a, isArray := t.Elem().Underlying().(*types.Array)
		if !isArray {
			return w, false
		}
		w.len, w.known = polyhedral.Const(a.Len()), true
	case *types.Basic:
		if !loop.IsString(t) {
			return w, false
		}
		w.len, w.known = n.lengthOf(e)
	default:
		return w, false
	}
	return w, true
}

// lengthOf returns the length of a slice or string.
func (n *nest) lengthOf(e ast.Expr) (x polyhedral.Expr, ok bool) {
	if w, isWindow := n.windowOf(e); isWindow {
		return w.len, w.known
	}
	if n.moving(e) {
		return x, false
	}
	v, ok := n.Value(e)
	if !ok {
		return x, false
	}
	n.require(v.Conds)
	return polyhedral.Sym("len(" + v.Text + ")"), true
}

// element finds the array and the subscripts of element sub of a window.
func (n *nest) element(w window, t types.Type, sub polyhedral.Expr) (a *array, subs []polyhedral.Expr, ok bool) {
	n.atLeast0(sub)
	if !w.toEnd {
		n.atLeast0(w.len.Sub(sub).Plus(-1))
	}
	at := n.named(w.off.Add(sub))
	if w.x != nil {
		if n.moving(w.x) {
			return nil, nil, false
		}
		return n.resolveAt(w.x, at)
	}
	if p, isPtr := t.Underlying().(*types.Pointer); isPtr {
		t = p.Elem()
	}
	size := layout.Size(t.Underlying().(interface{ Elem() types.Type }).Elem())
	return &array{base: w.name, levels: []level{{array: -1}}, memory: true, elem: size}, []polyhedral.Expr{at}, true
}

// sliced tests, for state st, the bounds of a slice expression that is evaluated.
func (n *nest) sliced(e *ast.SliceExpr, st state) {
	defer n.in0(st)()
	if loop.IsPointer(n.Info.TypeOf(e.X)) {
		n.nonNil(e.X, st)
	}
	if e.Low == nil && e.High == nil {
		return
	}
	base, ok := n.baseOf(e.X)
	if !ok {
		n.fail("a slice expression of unknown bounds")
	}
	at := polyhedral.Const(0)
	for _, b := range []ast.Expr{e.Low, e.High, e.Max} {
		if b == nil {
			continue
		}
		x, ok := n.affine(b)
		if !ok {
			n.fail("a slice expression whose bounds are not affine")
		}
		n.atLeast0(x.Sub(at))
		at = x
	}
	if base.known {
		n.atLeast0(base.len.Sub(at))
		return
	}
	a, subs, ok := n.resolveAt(base.x, base.off.Add(at))
	if !ok {
		n.fail("a slice expression of an unknown slice")
	}
	b := *a
	b.ends = true
	n.mustExist(location{array: &b, subs: subs}, st)
}

// longEnough tests, for state st, that slice e has as many elements.
func (n *nest) longEnough(e ast.Expr, length int64, st state) {
	if length == 0 {
		return
	}
	defer n.in0(st)()
	a, subs, ok := n.resolveAt(e, polyhedral.Const(length-1))
	if !ok {
		n.fail("an unknown slice, which may be too short")
	}
	n.mustExist(location{array: a, subs: subs}, st)
}

// in0 sets the state of atLeast0, and returns a function that sets it back.
func (n *nest) in0(st state) (back func()) {
	old := n.st
	n.st = st
	return func() { n.st = old }
}

// atLeast0 has the code in front of the nest test that x is not negative in any iteration.
// The test is an element of an array without end.
func (n *nest) atLeast0(x polyhedral.Expr) {
	if k, ok := x.IsConst(); ok {
		if k < 0 {
			n.fail("a subscript or slice expression out of range")
		}
		return
	}
	a := &array{base: "$bounds " + x.String(), levels: []level{{array: math.MaxInt64}}, elem: 1}
	n.mustExist(location{array: a, subs: []polyhedral.Expr{n.named(x)}}, n.st)
}

// never has the code in front of the nest test that the conditions hold in no iteration. The
// test is an element of an array without elements.
func (n *nest) never(st state, conds ...polyhedral.Cond) {
	st = n.where(st, [][]polyhedral.Cond{conds})
	a := &array{base: "$empty", levels: []level{{array: 0}}, elem: 1}
	n.mustExist(location{array: a, subs: []polyhedral.Expr{polyhedral.Const(0)}}, st)
}

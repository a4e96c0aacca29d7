package affine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// The walk over a nest keeps the values of local variables that the nest assigns to: of
// integers as polynomials over iterators and symbols, of slices as windows (window.go). A
// variable without such a value is unknown.
//
// A variable to which a loop adds an invariant amount once in each iteration (k += 6 in the
// body, or i, k = i+1, k+6 in the loop's header) is affine in the number of finished
// iterations. The variables that a loop changes in any other way are unknown at the start of
// its body. Behind a loop or a branch, the variables that it assigns to are unknown.

// values are the known values at one point of the nest.
type values struct {
	ints    map[*types.Var]polyhedral.Expr
	windows map[*types.Var]window
}

func (v values) clone() values { return values{maps.Clone(v.ints), maps.Clone(v.windows)} }

// drop makes a variable unknown.
func (v values) drop(x *types.Var) {
	delete(v.ints, x)
	delete(v.windows, x)
}

// initial returns the values in front of the nest.
func (n *nest) initial() values {
	v := values{map[*types.Var]polyhedral.Expr{}, map[*types.Var]window{}}
	for x := range n.Assigned {
		switch {
		case n.Inside(x) || n.InMemory(x):
		case isWide(x.Type()):
			v.ints[x] = polyhedral.Sym(x.Name())
		case isSlice(x.Type()):
			v.windows[x] = window{name: x.Name(), len: polyhedral.Sym("len(" + x.Name() + ")"), known: true, toEnd: true}
		}
	}
	return v
}

// named notes the symbols of a value, which the code in front of the nest has to compute.
func (n *nest) named(x polyhedral.Expr) polyhedral.Expr {
	for _, v := range x.Vars() {
		if v.Kind == polyhedral.Symbol && !n.isSymbol[v.Name] {
			n.isSymbol[v.Name] = true
			n.symbols = append(n.symbols, v.Name)
		}
	}
	return x
}

// local returns the variable that e names, nil if it is no variable whose values the walk
// keeps.
func (n *nest) local(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := n.Info.Object(id).(*types.Var)
	if !ok || v.IsField() || n.InMemory(v) {
		return nil
	}
	return v
}

// assigned notes the effect of v, ... = x, ... on the known values.
func (n *nest) assigned(lhs, rhs []ast.Expr) {
	type value struct {
		v     *types.Var
		x     polyhedral.Expr
		isInt bool
		w     window
		isWin bool
	}
	var list []value
	for i, l := range lhs {
		x := value{v: n.local(l)}
		if x.v == nil {
			if v := loop.RootVar(n.Info, l); v != nil {
				n.now.drop(v)
			}
			continue
		}
		if len(lhs) == len(rhs) {
			switch {
			case isExact(x.v.Type()):
				x.x, x.isInt = n.affine(rhs[i])
			case isSlice(x.v.Type()) || loop.IsPointer(x.v.Type()):
				x.w, x.isWin = n.windowOf(rhs[i])
			}
		}
		list = append(list, x)
	}
	for _, x := range list {
		n.now.drop(x.v)
		switch {
		case x.isInt:
			n.now.ints[x.v] = x.x
		case x.isWin:
			n.now.windows[x.v] = x.w
		}
	}
}

// added notes the effect of v += x, or v -= x.
func (n *nest) added(l ast.Expr, x polyhedral.Expr, ok bool) {
	v := n.local(l)
	if v == nil {
		if v := loop.RootVar(n.Info, l); v != nil {
			n.now.drop(v)
		}
		return
	}
	old, known := n.now.ints[v]
	n.now.drop(v)
	if ok && known && isWide(v.Type()) {
		n.now.ints[v] = old.Add(x)
	}
}

// forget makes the variables unknown that parts of the nest assign to.
func (n *nest) forget(parts ...ast.Node) {
	for v := range n.assignedIn(parts...) {
		n.now.drop(v)
	}
}

// assignedIn returns the variables that parts of the nest assign to.
func (n *nest) assignedIn(parts ...ast.Node) map[*types.Var]bool {
	set := map[*types.Var]bool{}
	for _, p := range parts {
		n.eachAssigned(p, func(v *types.Var) { set[v] = true })
	}
	return set
}

// A stride is the change of a variable in each iteration of a loop: of an integer, or of the
// start of a slice.
type stride struct {
	v  *types.Var
	by polyhedral.Expr
}

// strides returns the strides of a loop, for the variables that have one. The known values
// are the values in front of the loop.
func (n *nest) strides(post ast.Stmt, body *ast.BlockStmt) (list []stride) {
	a := additions{n: n, changed: n.assignedIn(body), sum: map[*types.Var]polyhedral.Expr{}, count: map[*types.Var]int{}}
	if post != nil {
		maps.Copy(a.changed, n.assignedIn(post))
	}
	if !n.skips(body) {
		for _, s := range body.List {
			a.statement(s)
		}
	}
	if post != nil {
		a.statement(post)
	}
	for _, v := range a.order {
		total := n.assignments(body, v)
		if post != nil {
			total += n.assignments(post, v)
		}
		if total == a.count[v] && (isWide(v.Type()) || isSlice(v.Type()) || isExact(v.Type())) {
			list = append(list, stride{v, a.sum[v]})
		}
	}
	return list
}

// additions collects the numbers that the statements of a loop add to variables once in each iteration.
type additions struct {
	n       *nest
	changed map[*types.Var]bool // the variables that the loop assigns to
	sum     map[*types.Var]polyhedral.Expr
	count   map[*types.Var]int // the assignments that add to a variable
	order   []*types.Var       // the variables of sum
}

// statement notes the additions that a statement makes.
func (a *additions) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		c := int64(1)
		if s.Tok == token.DEC {
			c = -1
		}
		a.add(s.X, polyhedral.Const(c))
	case *ast.AssignStmt:
		if len(s.Lhs) != len(s.Rhs) {
			return
		}
		for i, l := range s.Lhs {
			amount, neg, ok := a.n.amount(s.Tok, l, s.Rhs[i])
			if !ok || !a.fixed(amount) {
				continue
			}
			x, ok := a.n.affine(amount)
			if !ok {
				continue
			}
			if neg {
				x = x.Neg()
			}
			a.add(l, x)
		}
	}
}

// add notes that x is added to the variable that place l names.
func (a *additions) add(l ast.Expr, x polyhedral.Expr) {
	if v := a.n.local(l); v != nil {
		if a.count[v] == 0 {
			a.order = append(a.order, v)
		}
		a.count[v]++
		a.sum[v] = a.sum[v].Add(x)
	}
}

// fixed reports whether e has one value all through the loop.
func (a *additions) fixed(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(x ast.Node) bool {
		if id, isIdent := x.(*ast.Ident); isIdent {
			if v, isVar := a.n.Info.Object(id).(*types.Var); isVar && a.changed[v] {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// amount returns the amount that an assignment adds to l, which is v += amount, v = v +
// amount, v = v[amount:] or v = v[amount:len(v):m]; neg: it subtracts the amount.
func (n *nest) amount(tok token.Token, l, r ast.Expr) (amount ast.Expr, neg, ok bool) {
	v := n.local(l)
	if v == nil {
		return nil, false, false
	}
	is := func(e ast.Expr) bool { return n.local(e) == v }
	switch tok {
	case token.ADD_ASSIGN:
		return r, false, isWide(v.Type())
	case token.SUB_ASSIGN:
		return r, true, isWide(v.Type())
	case token.ASSIGN:
		switch r := ast.Unparen(r).(type) {
		case *ast.BinaryExpr:
			switch {
			case !isExact(v.Type()):
			case r.Op == token.ADD && is(r.X):
				return r.Y, false, true
			case r.Op == token.ADD && is(r.Y):
				return r.X, false, true
			case r.Op == token.SUB && is(r.X):
				return r.Y, true, true
			}
		case *ast.SliceExpr:
			if isSlice(v.Type()) && is(r.X) && r.Low != nil && (r.High == nil && !r.Slice3 || n.isLength(r.High, v)) {
				return r.Low, false, true
			}
		}
	}
	return nil, false, false
}

// isLength reports whether e is len(v).
func (n *nest) isLength(e ast.Expr, v *types.Var) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && len(c.Args) == 1 && n.Info.Type(c.Fun).IsBuiltin() && loop.BuiltinName(c) == "len" && n.local(c.Args[0]) == v
}

// skips reports whether a continue may skip the rest of a loop's body.
func (n *nest) skips(body ast.Node) (found bool) {
	ast.Inspect(body, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.ForStmt:
			found = found || labelled(x)
			return false
		case *ast.RangeStmt:
			found = found || labelled(x)
			return false
		case *ast.BranchStmt:
			found = found || x.Tok == token.CONTINUE
		}
		return !found
	})
	return found
}

// labelled reports whether a loop contains a continue with a label, which may be the label
// of a loop around.
func labelled(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(x ast.Node) bool {
		b, ok := x.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.CONTINUE && b.Label != nil
		return !found
	})
	return found
}

// enter sets the values at the start of a loop's body, in its iteration with this number. Of
// variables narrower than 64 bits, whose additions may wrap, it sets those that the loop's
// condition keeps from wrapping.
func (n *nest) enter(entry values, list []stride, number polyhedral.Expr, narrow map[*types.Var]bool) {
	for _, s := range list {
		if !isWide(s.v.Type()) && !isSlice(s.v.Type()) && !narrow[s.v] {
			continue
		}
		by := s.by.Mul(number)
		if x, ok := entry.ints[s.v]; ok {
			n.now.ints[s.v] = x.Add(by)
		}
		if w, ok := entry.windows[s.v]; ok {
			w.off = w.off.Add(by)
			w.len = w.len.Sub(by)
			n.now.windows[s.v] = w
		}
	}
}

// constantOf returns the value of a constant integer expression.
func (n *nest) constantOf(e ast.Expr) (k int64, ok bool) {
	c := n.Info.Type(e).Value
	if c == nil || c.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c)
}

// isSlice reports whether t is a slice type.
func isSlice(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// moving reports whether e, which was evaluated earlier, may have another value here.
// That is so if e names a variable that the nest assigns to, since the assignment may be
// between the two points, or the iterator of a loop that e stands outside of.
func (n *nest) moving(e ast.Expr) (found bool) {
	ast.Inspect(e, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		if !ok {
			return !found
		}
		v, ok := n.Info.Use(id).(*types.Var)
		if !ok || v.IsField() {
			return !found
		}
		if l := n.around[v]; l != nil {
			// The iterator has another value in its loop than in front of it.
			found = found || !(l.Pos() <= id.Pos() && id.Pos() < l.End())
		} else if n.Assigned[v] && !n.InMemory(v) {
			found = true
		}
		// The variable's initial value may move as well.
		if d := n.Definition(v); d != nil && n.Inside(v) && !found {
			found = n.moving(d)
		}
		return !found
	})
	return found
}

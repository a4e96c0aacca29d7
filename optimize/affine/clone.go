package affine

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"taskinstr/internal/splice"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/layout"
	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// Other callers of a simple function (inline.go) need its checks. So the checks stay, and
// calls in the nest go to a clone of the function without checks, if the scan replaces
// all checks that such a call would make. These are the checks of elements, and of the
// places that lead to them and that the call reads itself, such as m.data and m.cols. To
// the scan such a place is an array of one element, which the nest accesses if the call
// takes place at all.

// visitCallee visits the statements of a simple function in place of a call of it, and reports
// whether that was possible.
func (n *nest) visitCallee(c *ast.CallExpr, st state) bool {
	x := n.inline(c)
	if x == nil {
		if f, _ := static(n.Info, c); n.in != nil && f != nil && n.file.simpleOf(f) != nil {
			n.in.keep("it calls " + f.Name())
		}
		return false
	}
	if n.file.cloned[x.name] {
		x.keep("it is one of a loop around")
	}
	refs, conds, symbols, count, outer := len(n.refs), len(n.conds), len(n.symbols), n.count, n.in
	err := n.try(func() {
		n.operands(c, st)
		for i, p := range x.params {
			// The argument may be a variable whose value the walk keeps.
			if isWide(p.Type()) && n.moving(c.Args[i]) {
				if e, ok := n.affine(c.Args[i]); ok {
					n.now.ints[p] = e
				}
			}
			if w, ok := n.windowOf(c.Args[i]); ok {
				n.now.windows[p] = w
			}
		}
		n.in = x
		for _, s := range x.stmts {
			n.stmts(st, s)
		}
		for _, r := range x.results {
			n.expr(r, st)
		}
	})
	n.in = outer
	for _, p := range x.params {
		n.now.drop(p)
	}
	if err == "" {
		x.walked = true
		return true
	}
	x.keep(string(err))
	n.refs, n.conds, n.count = n.refs[:refs], n.conds[:conds], count
	for _, s := range n.symbols[symbols:] {
		delete(n.isSymbol, s)
	}
	n.symbols = n.symbols[:symbols]
	return false
}

// tests visits the calls in the condition of a loop. The other operands of the condition
// stay the same, so that the calls take place if the loop is reached.
func (n *nest) tests(cond ast.Expr, st state) {
	ast.Inspect(cond, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.BinaryExpr:
			if x.Op == token.LAND {
				n.tests(x.X, st)
				st.exact = false
				n.tests(x.Y, st)
				return false
			}
		case *ast.CallExpr:
			if tv := n.Info.Type(x.Fun); !tv.IsType() && !tv.IsBuiltin() {
				n.call(x, st)
				return false
			}
		}
		return true
	})
}

// ready reports whether each call in e, which the loop evaluates before its first
// iteration, only computes a value from operands that stay the same.
func (n *nest) ready(e ast.Node) bool {
	ok := true
	still := func(e ast.Expr) {
		v, is := n.Value(e)
		if !is {
			v, is = n.Place(e)
		}
		n.require(v.Conds)
		ok = ok && is
	}
	ast.Inspect(e, func(y ast.Node) bool {
		c, isCall := y.(*ast.CallExpr)
		if !isCall {
			return ok
		}
		if tv := n.Info.Type(c.Fun); tv.IsType() || tv.IsBuiltin() {
			return ok
		}
		x := n.inline(c)
		if x == nil || len(x.stmts) > 0 {
			ok = false
			return false
		}
		for _, a := range c.Args {
			still(a)
		}
		if f, isMethod := ast.Unparen(c.Fun).(*ast.SelectorExpr); isMethod {
			still(f.X)
		}
		return ok
	})
	return ok
}

// notePlace notes an access of place e by the statements of a simple function. The place is
// no element. If it does not stay the same all through the nest, the function keeps its
// checks.
func (n *nest) notePlace(e ast.Expr, st state, read, write bool) {
	if n.in == nil || !read && !write {
		return
	}
	if id, isIdent := ast.Unparen(e).(*ast.Ident); isIdent {
		if _, isVar := n.Info.Object(id).(*types.Var); !isVar {
			return
		}
	}
	if !n.Reached(e) {
		return
	}
	if l, ok := n.single(e); ok {
		n.noteInlined(e, l, st, read, write)
	} else {
		n.unknown(e, read, write)
	}
}

// receiver notes that the nest itself copies place e, as the receiver of a method.
func (n *nest) receiver(e ast.Expr, st state) {
	if n.in != nil || n.inl == nil || !n.Reached(e) {
		return // the access is noted with the others of a simple function, or has no check
	}
	defer n.in0(st)()
	if _, isElem := n.locate(e); isElem {
		return // the access is noted as one of an element
	}
	i := n.Open(n.Site(e, false, false))
	if l, ok := n.single(e); ok && i >= 0 && st.exact {
		n.refs = append(n.refs, reference{location: l, st: st, sites: []int{i}})
	}
}

// single returns place e, which is the same all through the nest, as an array.
func (n *nest) single(e ast.Expr) (l location, ok bool) {
	v, ok := n.Place(e)
	size := layout.Size(n.Info.TypeOf(e))
	if !ok || size == 0 {
		return l, false
	}
	n.require(v.Conds)
	a := &array{base: "$one(&" + v.Text + ")", levels: []level{{array: 1}}, isPlace: true, memory: true, elem: size}
	return location{array: a, subs: []polyhedral.Expr{polyhedral.Const(0)}, part: part{0, size}}, true
}

// unknown has the present call keep its checks if the access of e has one.
func (n *nest) unknown(e ast.Expr, read, write bool) {
	if n.in == nil {
		return
	}
	for _, w := range kinds(read, write) {
		if i, ok := n.checkOf(e, w); !ok || i >= 0 {
			n.in.keep("it accesses " + n.Text(e))
		}
	}
}

// checkOf returns the site of the check of an access of e; -1 if it has none, or cannot
// race. ok is false if that is not certain.
func (n *nest) checkOf(e ast.Expr, write bool) (site int, ok bool) {
	if !n.Reached(e) {
		return -1, true
	}
	if x, isIndex := e.(*ast.IndexExpr); isIndex && loop.IsString(n.Info.TypeOf(x.X)) {
		return -1, true
	}
	t := n.Site(e, write, false)
	if t == nil {
		return -1, false
	}
	i := n.Builder.Index(t)
	switch {
	case n.Builder.Fate(i).Kind == builder.Removed && n.Builder.Fate(i).By < 0:
		return -1, true
	case n.Builder.Checked(i):
		return i, !n.Builder.Part(i) && n.Builder.InScope(t.Pkg.Path())
	}
	// The read shares the check of the write.
	w := n.Builder.Twin(i)
	return -1, !write && w >= 0 && n.Builder.Checked(w)
}

// noteInlined is note for the statements of a simple function.
func (n *nest) noteInlined(e ast.Expr, l location, st state, read, write bool) {
	noted := false
	for _, w := range kinds(read, write) {
		i, ok := n.checkOf(e, w)
		if i < 0 && ok {
			continue
		}
		if !ok || !st.exact || !l.array.memory || l.part.size == 0 {
			n.in.keep("it accesses " + n.Text(e))
			continue
		}
		r := n.reference(l, st)
		r.sites, r.write, r.in = []int{i}, w, n.in.root()
		r.in.checks = true
		n.refs = append(n.refs, r)
		noted = true
	}
	if !noted && !l.array.isPlace {
		n.mustExist(l, st)
	}
}

// cloneCalls returns the calls that make no checks while the flag of the nest is set:
// calls in the nest, and calls in their callees.
func (n *nest) cloneCalls() (list []splice.Call) {
	if n.inl == nil {
		return nil
	}
	seen := map[splice.Call]bool{}
	var add func(x *inlined)
	add = func(x *inlined) {
		c := splice.Call{At: n.Builder.At(x.name), Accessor: x.accessor}
		if x.accessor == "" {
			c.Func = n.Builder.At(x.fn.decl.Name.Pos())
		}
		if !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
		for _, y := range x.inner {
			add(y)
		}
	}
	calls := slices.Collect(maps.Values(n.inl.calls))
	calls = slices.AppendSeq(calls, maps.Values(n.inl.accessors))
	for _, x := range calls {
		if x != nil && x.outer == nil && x.walked && x.checks && x.kept == "" {
			n.file.cloned[x.name] = true
			add(x)
		}
	}
	slices.SortFunc(list, func(a, b splice.Call) int {
		return cmp.Or(cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col))
	})
	return list
}

// anyCalls reports whether a call in the loop may make checks that a scan can replace.
func (s *file) anyCalls(stmt ast.Stmt) (found bool) {
	ast.Inspect(stmt, func(x ast.Node) bool {
		if c, ok := x.(*ast.CallExpr); ok && !found {
			if f, name := static(s.Info, c); f != nil && !s.cloned[name.Pos()] {
				x := s.simpleOf(f)
				k, ok := s.Info.Contract(c)
				found = x != nil && x.needs || ok && k.Accessor != ""
			}
		}
		return !found
	})
	return found
}

package splice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A write check must describe a store that really happens, so it must not come
// before anything that may call, block or panic instead of the store. Three
// forms are exact:
//
//   - before, in place: *check(&x.f) = v, when evaluating v can do none of that;
//   - behind: x.f = v; check(&x.f), when x.f still names the same place then;
//   - before, with the value (or the calls in it) moved into a temporary.

// assign rewrites an assignment.
func (f *file) assign(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		f.rvalues(s.Rhs)
		for _, l := range s.Lhs {
			if id := l.(*ast.Ident); f.pkg.cfg.Info.Defs[id] == nil && f.writable(l) {
				f.checkBehind(l)
			} else if f.seq.canAfter {
				f.firstBehind(id)
			}
		}
		return
	}
	quiet := true
	for _, r := range s.Rhs {
		quiet = quiet && f.quiet(r)
	}
	assigned := map[types.Object]bool{}
	for _, l := range s.Lhs {
		if id := f.pkg.root(l); id != nil {
			assigned[f.pkg.cfg.Info.ObjectOf(id)] = true
		}
	}
	if !f.fn.nosplit && !f.seq.canAfter && !f.seq.canHoist && !quiet && s.Tok == token.ASSIGN && len(s.Lhs) == 1 && f.writable(s.Lhs[0]) {
		f.setter(s)
		return
	}
	force := false
	decided := len(f.pkg.decided)
	var behind []ast.Expr
	for _, l := range s.Lhs {
		if isBlank(l) {
			continue
		}
		if len(s.Lhs) > 1 && f.pinned(s, l, assigned) {
			continue
		}
		f.address(l)
		if !f.writable(l) {
			continue
		}
		stable := f.seq.canAfter && !f.multiline(f.offset(l.Pos()), f.offset(l.End())) && f.stable(l, assigned)
		switch {
		case stable && (!quiet || len(s.Lhs) > 1 || f.ownVariable(l) && !f.tellsOld(s.Tok, l)):
			// In a tuple a place that does not exist panics only after the
			// places before it are assigned.
			behind = append(behind, l)
		default:
			f.checkBefore(l)
			force = force || !quiet
		}
	}
	for _, r := range s.Rhs {
		m := f.seq.mark()
		f.rvalue(r)
		if force && !f.quiet(r) {
			f.moveValue(r, m)
		}
	}
	for _, l := range behind {
		f.checkBehind(l)
	}
	if f.pkg.early { // such a check is not made where its access is
		f.pkg.decided, f.pkg.early = f.pkg.decided[:decided], false
	}
}

// pinned handles a place of a tuple assignment behind a pointer or slice that
// is itself in memory. The pointer is loaded before anything is assigned, but a
// nil one panics only when it is this place's turn; so the pointer goes into a
// temporary, and the check behind the statement.
func (f *file) pinned(s *ast.AssignStmt, l ast.Expr, assigned map[types.Object]bool) bool {
	for _, e := range append(append([]ast.Expr(nil), s.Lhs...), s.Rhs...) {
		if f.calls(e) { // it may change the pointer first
			return false
		}
	}
	l = ast.Unparen(l)
	if !f.seq.canHoist || !f.seq.canAfter || f.storageOf(l) != reachable || f.pkg.size(f.pkg.typeOf(l)) == 0 ||
		f.skip || f.multiline(f.offset(l.Pos()), f.offset(l.End())) || f.stable(l, assigned) {
		return false
	}
	var base, index ast.Expr
	switch x := l.(type) {
	case *ast.StarExpr:
		base = x.X
	case *ast.SelectorExpr:
		if sel := f.pkg.cfg.Info.Selections[x]; sel != nil && isPointer(sel.Recv()) && len(sel.Index()) == 1 {
			base = x.X
		}
	case *ast.IndexExpr:
		if _, ok := core(f.pkg.typeOf(x.X)).(*types.Array); !ok {
			base = x.X
		}
		if f.constFree(x.Index) {
			index = x.Index
		}
	}
	if base == nil || !f.nameable(base) || index != nil && !f.nameable(index) {
		return false
	}
	f.seq.pending = 0 // loaded into the temporaries
	m := f.seq.mark()
	f.rvalue(base)
	f.seq.forget(m)
	b := &unit{node: base}
	f.hoist(b)
	place := string(f.src[f.offset(base.End()):f.offset(l.End())])
	if index != nil {
		m := f.seq.mark()
		f.rvalue(index)
		f.seq.forget(m)
		i := &unit{node: index}
		f.hoist(i)
		place = "[" + i.names[0] + "]"
	}
	if _, ok := l.(*ast.StarExpr); ok {
		place = ""
	}
	f.seq.pending = 0
	star := ""
	if place == "" {
		star = "*"
	}
	if t := f.fate(l, true, false); !t.Omit {
		f.seq.after = append(f.seq.after, f.guard("_ti_w", t), text("&"+star+b.names[0]+place+","+f.siteWith(l, t, f.what(l))+")"))
		f.pkg.stats.Writes++
	}
	return true
}

// moveValue moves the operand r of an assignment whose store is checked first
// into a temporary.
func (f *file) moveValue(r ast.Expr, m mark) {
	s := f.seq
	if !s.canHoist || !f.nameable(r) {
		f.pkg.stats.EarlyCheck++
		f.pkg.early = true
		return
	}
	s.forget(m)
	f.hoist(&unit{node: r})
}

// incDec rewrites x++ and x--.
func (f *file) incDec(s *ast.IncDecStmt) {
	f.address(s.X)
	if !f.writable(s.X) {
		return
	}
	if f.ownVariable(s.X) && !f.tellsOld(s.Tok, s.X) && f.seq.canAfter && f.stable(s.X, nil) {
		f.checkBehind(s.X)
		return
	}
	f.checkBefore(s.X)
}

// writable reports whether a store to l is to be checked.
func (f *file) writable(l ast.Expr) bool {
	if f.skip || isBlank(l) {
		return false
	}
	switch f.storageOf(l) {
	case temporary: // a map entry: the runtime checks it
		return false
	case local:
		f.pkg.stats.Local++
		return false
	}
	if f.pkg.size(f.pkg.typeOf(l)) == 0 {
		f.pkg.stats.ZeroSize++
		return false
	}
	return true
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

// ownVariable reports whether l lies in a local variable. A store through a
// pointer to it would make what is stored escape.
func (f *file) ownVariable(l ast.Expr) bool {
	id := f.pkg.root(l)
	if id == nil {
		return false
	}
	v, ok := f.pkg.cfg.Info.ObjectOf(id).(*types.Var)
	return ok && !isGlobal(v)
}

func (f *file) checkBefore(l ast.Expr) {
	f.seq.pending++
	t := f.fate(l, true, false)
	if t.Omit {
		return
	}
	a, b := f.offset(l.Pos()), f.offset(l.End())
	c := f.add(a, b, layerWrite, text("*"), f.guard("_ti_w", t), text("&"), source(a, b), text(","+f.siteWith(l, t, f.what(l))+")"))
	c.flag = t.tested()
	f.storeAt[l] = store{site: len(f.pkg.sites) - 1, before: true}
	f.pkg.stats.Writes++
}

func (f *file) checkBehind(l ast.Expr) {
	t := f.fate(l, true, false)
	if t.Omit {
		return
	}
	src := f.src[f.offset(l.Pos()):f.offset(l.End())]
	f.seq.after = append(f.seq.after, f.guard("_ti_w", t), text("&"+string(src)+","+f.siteWith(l, t, f.what(l))+")"))
	f.storeAt[l] = store{site: len(f.pkg.sites) - 1}
	f.pkg.stats.Writes++
}

// setter rewrites lhs = rhs where no statement can be added, as in the post
// statement of a loop: set(&lhs)(rhs).
func (f *file) setter(s *ast.AssignStmt) {
	l, r := s.Lhs[0], s.Rhs[0]
	f.address(l)
	f.seq.pending = 0 // the operands' loads are executed by the first call
	f.rvalue(r)
	la, lb, ra, rb := f.offset(l.Pos()), f.offset(l.End()), f.offset(r.Pos()), f.offset(r.End())
	f.add(la, rb, layerHost, f.helper("_ti_set"), text("&"), source(la, lb), text(","+f.site(l, f.what(l))+")("), source(ra, rb), text(")"))
	f.pkg.stats.Writes++
}

// stable reports whether place l can be named again after the assignment that
// assigns to assigned: evaluating it loads nothing but local variables that the
// statement cannot have changed.
func (f *file) stable(l ast.Expr, assigned map[types.Object]bool) bool {
	info := f.pkg.cfg.Info
	fixed := func(e ast.Expr) bool { // a local variable that keeps its value
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || isGlobal(v) || f.pkg.shared(v) || assigned[v] {
			return false
		}
		i := f.pkg.vars[v]
		return i != nil && (!i.nested || !i.assigned)
	}
	switch l := l.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return f.stable(l.X, assigned)
	case *ast.StarExpr:
		return fixed(l.X)
	case *ast.SelectorExpr:
		sel := info.Selections[l]
		if sel == nil {
			return true
		}
		path := sel.Index()
		t := sel.Recv()
		if isPointer(t) {
			return fixed(l.X) && !throughPointer(elem(t), path[:len(path)-1])
		}
		return !throughPointer(t, path[:len(path)-1]) && f.stable(l.X, assigned)
	case *ast.IndexExpr:
		if info.Types[l.Index].Value == nil && !fixed(l.Index) {
			return false
		}
		switch core(f.pkg.typeOf(l.X)).(type) {
		case *types.Array:
			return f.stable(l.X, assigned)
		case *types.Slice, *types.Pointer:
			return fixed(l.X)
		}
	}
	return false
}

// quiet reports whether evaluating e can neither call, nor block, nor panic,
// apart from units that have been moved in front of the statement.
func (f *file) quiet(e ast.Expr) bool {
	info := f.pkg.cfg.Info
	tv := info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsNil() || f.moved[e] {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.FuncLit, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return f.quiet(e.X)
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil {
			return true
		}
		path := sel.Index()
		switch sel.Kind() {
		case types.FieldVal:
			return !throughPointer(sel.Recv(), path[:len(path)-1]) && f.quiet(e.X)
		case types.MethodExpr:
			return true
		}
		return false
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
			return lit && f.quiet(e.X) || !lit && f.quiet(e.X) && f.storageOf(e.X) != temporary
		}
		return e.Op != token.ARROW && f.quiet(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			// Only an integer divisor of unknown value can panic.
			if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger != 0 {
				if v := info.Types[e.Y].Value; v == nil || constant.Sign(v) == 0 {
					return false
				}
			}
		case token.SHL, token.SHR:
			if info.Types[e.Y].Value == nil {
				if b, ok := f.pkg.typeOf(e.Y).Underlying().(*types.Basic); !ok || b.Info()&types.IsUnsigned == 0 {
					return false
				}
			}
		case token.EQL, token.NEQ:
			if !f.comparesQuietly(e.X) || !f.comparesQuietly(e.Y) {
				return false
			}
		}
		return f.quiet(e.X) && f.quiet(e.Y)
	case *ast.CompositeLit:
		if _, ok := core(f.pkg.typeOf(e)).(*types.Map); ok {
			return len(e.Elts) == 0
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !f.quiet(x) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		return f.quietCall(e)
	}
	return false
}

// comparesQuietly reports whether == on e cannot panic: it does on interfaces
// with values that are not comparable.
func (f *file) comparesQuietly(e ast.Expr) bool {
	t := f.pkg.typeOf(e)
	if isTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan, *types.Slice, *types.Map, *types.Signature:
		return true
	}
	return false
}

// quietCall reports whether the conversion or builtin call c is quiet.
func (f *file) quietCall(c *ast.CallExpr) bool {
	tv := f.pkg.cfg.Info.Types[c.Fun]
	if tv.IsType() {
		from := f.pkg.typeOf(c.Args[0])
		_, slice := core(from).(*types.Slice)
		_, basic := core(tv.Type).(*types.Basic)
		return (!slice || basic || types.Identical(from.Underlying(), tv.Type.Underlying())) && f.quiet(c.Args[0])
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || !tv.IsBuiltin() {
		return false
	}
	switch id.Name {
	case "len", "cap", "min", "max", "real", "imag", "complex":
		for _, a := range c.Args {
			if !f.quiet(a) {
				return false
			}
		}
		return true
	case "new":
		return f.pkg.cfg.Info.Types[c.Args[0]].IsType()
	}
	return false
}

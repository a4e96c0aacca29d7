package splice

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// The check of a write describes a store that really happens. So it must not come before an
// operation that may call, block or panic instead of the store. Three forms are exact:
//
//   - in place, before the store: *check(&x.f) = v, if evaluating v can do none of these;
//   - behind the store: x.f = v; check(&x.f), if x.f still denotes the same place there;
//   - before the store, after the value, or the calls in it, has moved into a temporary.

// assign rewrites an assignment.
func (f *file) assign(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		f.rvalues(s.Rhs)
		for _, l := range s.Lhs {
			if id := l.(*ast.Ident); f.Info.Defs[id] == nil && f.writable(l) {
				f.checkBehind(l)
			} else if f.seq.canAfter {
				f.seq.after = append(f.seq.after, f.firstValue(id)...)
			}
		}
		return
	}
	quiet := true
	for _, r := range s.Rhs {
		quiet = quiet && f.quiet(r)
	}
	assigned := f.AssignedBy(s)
	if !f.fn.nosplit && !f.seq.canAfter && !f.seq.canHoist && !quiet && s.Tok == token.ASSIGN && len(s.Lhs) == 1 && f.writable(s.Lhs[0]) {
		f.setter(s)
		return
	}
	force := false
	var behind []ast.Expr
	for _, l := range s.Lhs {
		if site.IsBlank(l) {
			continue
		}
		if len(s.Lhs) > 1 && f.pinned(s, l, assigned) {
			continue
		}
		f.address(l)
		if !f.writable(l) {
			continue
		}
		stable := f.seq.canAfter && f.Renameable(l, assigned)
		switch {
		case stable && (!quiet || len(s.Lhs) > 1 || f.ownVariable(l) && !f.tellsOld(s.Tok, l)):
			// In a tuple, a place that does not exist panics only after the assignments to
			// the places before it.
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
}

// pinned visits place l of a tuple assignment if its pointer or slice goes into a temporary
// ([site.Pin]). It reports whether l is such a place.
func (f *file) pinned(s *ast.AssignStmt, l ast.Expr, assigned map[types.Object]bool) bool {
	if f.skip || !f.seq.canHoist || !f.seq.canAfter {
		return false
	}
	p := f.Pinned(s, l, assigned)
	if p == nil {
		return false
	}
	f.seq.pending = 0 // the temporaries load the operands
	address := f.pinnedValue(p.Base)
	_, star := p.Place.(*ast.StarExpr)
	switch {
	case star:
		address = "*" + address
	case p.Index != nil:
		address += "[" + f.pinnedValue(p.Index) + "]"
	default:
		address += string(f.Text[f.Offset(p.Base.End()):f.Offset(p.Place.End())])
	}
	f.seq.pending = 0
	if t := f.fate(p.Place, true, false); !t.Omit {
		f.seq.after = append(f.seq.after, f.statement(f.opening("_ti_w", t).of(f.TypeOf(p.Place)), "&"+address, f.siteWith(p.Place, t, f.What(p.Place), site.Write))...)
		f.pkg.stats.Writes++
	}
	return true
}

// pinnedValue moves e into a temporary and returns its name.
func (f *file) pinnedValue(e ast.Expr) string {
	m := f.seq.mark()
	f.rvalue(e)
	f.seq.forget(m)
	u := &unit{node: e}
	f.hoist(u)
	return u.names[0]
}

// moveValue moves the operand r of an assignment into a temporary. The check of the store
// comes before the store.
func (f *file) moveValue(r ast.Expr, m mark) {
	s := f.seq
	if !s.canHoist || !f.Nameable(r) {
		f.pkg.stats.EarlyCheck++
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
	if f.ownVariable(s.X) && !f.tellsOld(s.Tok, s.X) && f.seq.canAfter && f.Stable(s.X, nil) {
		f.checkBehind(s.X)
		return
	}
	f.checkBefore(s.X)
}

// writable reports whether a store to l needs a check.
func (f *file) writable(l ast.Expr) bool {
	if f.skip || site.IsBlank(l) {
		return false
	}
	switch f.Storage(l) {
	case site.Temporary: // a map entry, which the runtime checks
		return false
	case site.Local:
		f.pkg.stats.Local++
		return false
	}
	if f.Size(f.TypeOf(l)) == 0 {
		f.pkg.stats.ZeroSize++
		return false
	}
	return true
}

// ownVariable reports whether l lies in a local variable. A store through a pointer to the
// variable would let the stored value escape.
func (f *file) ownVariable(l ast.Expr) bool {
	id := f.Root(l)
	if id == nil {
		return false
	}
	v, ok := f.Info.ObjectOf(id).(*types.Var)
	return ok && !site.IsGlobal(v)
}

// quiet reports whether evaluating e can neither call, nor block, nor panic, except in
// units that stand in front of the statement.
func (f *file) quiet(e ast.Expr) bool {
	return f.Quiet(e, func(e ast.Expr) bool { return f.moved[e] })
}

// checkBefore adds the check of a store to l, in place.
func (f *file) checkBefore(l ast.Expr) {
	f.seq.pending++
	t := f.fate(l, true, false)
	if t.Omit {
		return
	}
	open, number := f.opening("_ti_w", t).of(f.TypeOf(l)), f.siteWith(l, t, f.What(l), site.Write)
	c := f.enclose(l, layerWrite, ","+number+")", text("*"), open, text("&"))
	c.flag = t.tested()
	f.ahead(c, open, l, number)
	f.storeAt[l] = store{site: len(f.pkg.sites) - 1, before: true}
	f.pkg.stats.Writes++
}

// checkBehind adds the check of a store to l, behind the statement.
func (f *file) checkBehind(l ast.Expr) {
	t := f.fate(l, true, false)
	if t.Omit {
		return
	}
	f.seq.after = append(f.seq.after, f.statement(f.opening("_ti_w", t).of(f.TypeOf(l)), "&"+f.TextOf(l), f.siteWith(l, t, f.What(l), site.Write))...)
	f.storeAt[l] = store{site: len(f.pkg.sites) - 1}
	f.pkg.stats.Writes++
}

// setter rewrites lhs = rhs to set(&lhs)(rhs), where no statement can be added, as in the
// post statement of a loop.
func (f *file) setter(s *ast.AssignStmt) {
	l, r := s.Lhs[0], s.Rhs[0]
	f.address(l)
	f.seq.pending = 0 // the first call loads the operands
	f.rvalue(r)
	la, lb, ra, rb := f.Offset(l.Pos()), f.Offset(l.End()), f.Offset(r.Pos()), f.Offset(r.End())
	f.add(la, rb, layerHost, f.helper("_ti_set"), text("&"), source(la, lb), text(","+f.site(l, f.What(l), site.Write)+")("), source(ra, rb), text(")"))
	f.pkg.stats.Writes++
}

package site

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// assignment visits an assignment. A write check must describe a store that really
// happens. It stands before the store where evaluating the value can neither call, nor
// block, nor panic; behind it where the place still has its name; otherwise before the
// store with the value in a temporary. Where no temporary is possible, the check is early.
func (w *walk) assignment(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		w.values(s.Rhs)
		for _, l := range s.Lhs {
			if id := l.(*ast.Ident); w.Info.Defs[id] == nil && w.writable(l) {
				w.whole(l, Write)
			} else if w.ctx.after {
				w.firstValues(id)
			}
		}
		return
	}
	quiet := true
	for _, r := range s.Rhs {
		quiet = quiet && w.Quiet(r, nil)
	}
	if !w.fn.nosplit && !w.ctx.after && !w.ctx.before && !quiet && s.Tok == token.ASSIGN && len(s.Lhs) == 1 && w.writable(s.Lhs[0]) {
		// A function that a helper returns checks the place and assigns the value.
		w.address(s.Lhs[0])
		w.value(s.Rhs[0])
		w.fixed(s.Lhs[0], w.What(s.Lhs[0]), Write, false)
		return
	}
	n := len(w.sites)
	assigned := w.AssignedBy(s)
	before := false // some check stands before its store
	for _, l := range s.Lhs {
		if IsBlank(l) {
			continue
		}
		pinned := len(s.Lhs) > 1 && !w.skip && w.ctx.before && w.ctx.after && w.Pinned(s, l, assigned) != nil
		w.address(l)
		if !w.writable(l) {
			continue
		}
		w.whole(l, Write)
		before = before || !pinned && !(w.ctx.after && w.Renameable(l, assigned))
	}
	w.values(s.Rhs)
	if before && !quiet && w.early(s.Rhs) {
		for i := range w.sites[n:] {
			w.sites[n+i].Early = true
		}
	}
}

// early reports whether some operand of an assignment whose store is checked first can
// still call, block or panic, and no temporary can hold it.
func (w *walk) early(operands []ast.Expr) bool {
	for _, r := range operands {
		moved := func(e ast.Expr) bool { return w.ctx.before && w.ordered(e) && w.Nameable(e) }
		if !w.Quiet(r, moved) && !(w.ctx.before && w.Nameable(r)) {
			return true
		}
	}
	return false
}

// ordered reports whether e is a call or a receive: the compiler executes calls and
// receives first.
func (w *walk) ordered(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.ARROW
	case *ast.CallExpr:
		tv := w.Info.Types[e.Fun]
		return !tv.IsType() && !tv.IsBuiltin()
	}
	return false
}

// AssignedBy returns the variables that an assignment assigns, in whole or in part.
func (p *Package) AssignedBy(s *ast.AssignStmt) map[types.Object]bool {
	m := map[types.Object]bool{}
	for _, l := range s.Lhs {
		if id := p.Root(l); id != nil {
			m[p.Info.ObjectOf(id)] = true
		}
	}
	return m
}

// Renameable reports whether a statement behind the assignment can name place l again.
func (f *File) Renameable(l ast.Expr, assigned map[types.Object]bool) bool {
	return !f.multiline(l) && f.Stable(l, assigned)
}

// multiline reports whether the text of n has more than one line.
func (f *File) multiline(n ast.Node) bool {
	return bytes.IndexByte(f.Text[f.Offset(n.Pos()):f.Offset(n.End())], '\n') >= 0
}

// A Pin is a place of a tuple assignment behind a pointer or slice that is itself in
// memory. The compiler loads the pointer before it assigns anything, but a nil pointer
// panics only when it is this place's turn; so the pointer goes into a temporary, and the
// check behind the statement.
type Pin struct {
	Place ast.Expr
	Base  ast.Expr // the pointer or slice
	Index ast.Expr // nil: none, or a constant
}

// Pinned returns how to pin place l of a tuple assignment; nil if that is not possible,
// or not needed.
func (f *File) Pinned(s *ast.AssignStmt, l ast.Expr, assigned map[types.Object]bool) *Pin {
	for _, list := range [][]ast.Expr{s.Lhs, s.Rhs} {
		if slices.ContainsFunc(list, f.Calls) { // it may change the pointer first
			return nil
		}
	}
	l = ast.Unparen(l)
	if f.Storage(l) != Reachable || f.Size(f.TypeOf(l)) == 0 || f.multiline(l) || f.Stable(l, assigned) {
		return nil
	}
	p := &Pin{Place: l}
	switch x := l.(type) {
	case *ast.StarExpr:
		p.Base = x.X
	case *ast.SelectorExpr:
		if sel := f.Info.Selections[x]; sel != nil && IsPointer(sel.Recv()) && len(sel.Index()) == 1 {
			p.Base = x.X
		}
	case *ast.IndexExpr:
		if _, ok := Core(f.TypeOf(x.X)).(*types.Array); !ok {
			p.Base = x.X
		}
		if f.ConstFree(x.Index) {
			p.Index = x.Index
		}
	}
	if p.Base == nil || !f.Nameable(p.Base) || p.Index != nil && !f.Nameable(p.Index) {
		return nil
	}
	return p
}

// writable reports whether a store to l is a site.
func (w *walk) writable(l ast.Expr) bool {
	return !w.skip && !IsBlank(l) && w.Storage(l) == Reachable && w.Size(w.TypeOf(l)) != 0
}

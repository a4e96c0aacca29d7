package splice

import (
	"go/ast"
	"go/token"
	"slices"

	"taskinstr/internal/site"
)

// selectStmt rewrites a select. On entry the program evaluates the operands in order, one
// clause after the other. It assigns the received value at the start of the chosen clause.
func (f *file) selectStmt(s *ast.SelectStmt, outer ast.Stmt, label string) {
	q := &sequence{}
	var all []ast.Expr
	for _, c := range s.Body.List {
		all = append(all, site.Operands(c.(*ast.CommClause).Comm)...)
	}
	q.canHoist = f.MovesOperands(all) && f.movable(label) && !f.skip
	seen := 0
	f.seq = q
	for _, c := range s.Body.List {
		for _, x := range site.Operands(c.(*ast.CommClause).Comm) {
			m := q.mark()
			q.root = x
			if seen++; slices.ContainsFunc(all[seen:], f.Calls) {
				q.root = nil
			}
			f.rvalue(x)
			if q.canHoist && f.ConstFree(x) && f.Nameable(x) && !f.moved[ast.Unparen(x)] {
				q.forget(m)
				f.hoist(&unit{node: x})
			}
			q.settle(mark{})
		}
	}
	f.precede(outer, q, nil, "")
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		if a, ok := cc.Comm.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			f.received(cc, a)
		} else if ok {
			var names []*ast.Ident
			for _, l := range a.Lhs {
				names = append(names, l.(*ast.Ident))
			}
			f.atClause(f.Offset(cc.Colon), names)
		}
		f.stmts(cc.Body)
	}
}

// received rewrites case x.f = <-c: into case v := <-c: x.f = v.
func (f *file) received(cc *ast.CommClause, s *ast.AssignStmt) {
	if f.skip || !f.PlacesToCheck(s.Lhs) || len(s.Lhs) == 2 && !site.IsBlank(s.Lhs[1]) && !site.IsBool(f.TypeOf(s.Lhs[1])) {
		return
	}
	f.seq = &sequence{}
	var names, lhs []part
	for i, l := range s.Lhs {
		if i > 0 {
			names, lhs = append(names, text(", ")), append(lhs, text(", "))
		}
		names = append(names, text(f.temp()))
		lhs = append(lhs, f.elsewhere(l))
		if site.IsBlank(l) {
			continue
		}
		f.address(l)
		if f.writable(l) {
			f.checkBefore(l)
		}
	}
	a, b := f.Offset(s.Lhs[0].Pos()), f.Offset(s.TokPos)+len("=")
	f.add(a, b, layerHost, append(append([]part(nil), names...), text(" :="))...)
	at := f.Offset(cc.Colon)
	ps := append([]part{source(at, at+1), text(" ")}, lhs...)
	ps = append(ps, text(" = "))
	ps = append(ps, names...)
	f.add(at, at+1, layerInner, append(ps, text("; "))...)
}

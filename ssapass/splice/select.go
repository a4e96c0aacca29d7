package splice

import (
	"go/ast"
	"go/token"
)

// selectStmt rewrites a select. Operands are evaluated on entry, in order, one
// clause after the other; what is received is assigned at the start of the
// chosen clause.
func (f *file) selectStmt(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		f.seq = &sequence{}
		switch comm := cc.Comm.(type) {
		case *ast.SendStmt:
			f.rvalue(comm.Chan)
			f.rvalue(comm.Value)
		case *ast.ExprStmt:
			f.rvalue(ast.Unparen(comm.X).(*ast.UnaryExpr).X)
		case *ast.AssignStmt:
			f.rvalue(ast.Unparen(comm.Rhs[0]).(*ast.UnaryExpr).X)
			if comm.Tok == token.ASSIGN {
				f.received(cc, comm)
			}
		}
		f.stmts(cc.Body)
	}
}

// received rewrites case x.f = <-c: into case v := <-c: x.f = v.
func (f *file) received(cc *ast.CommClause, s *ast.AssignStmt) {
	checked := false
	for _, l := range s.Lhs {
		if _, ok := ast.Unparen(l).(*ast.Ident); !ok || !isBlank(l) && f.storageOf(l) == reachable {
			checked = true
		}
	}
	if !checked || f.skip || len(s.Lhs) == 2 && !isBlank(s.Lhs[1]) && !isBool(f.pkg.typeOf(s.Lhs[1])) {
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
		if isBlank(l) {
			continue
		}
		f.address(l)
		if f.writable(l) {
			f.checkBefore(l)
		}
	}
	a, b := f.offset(s.Lhs[0].Pos()), f.offset(s.TokPos)+len("=")
	f.add(a, b, layerHost, append(append([]part(nil), names...), text(" :="))...)
	at := f.offset(cc.Colon)
	ps := append([]part{source(at, at+1), text(" ")}, lhs...)
	ps = append(ps, text(" = "))
	ps = append(ps, names...)
	f.add(at, at+1, layerInner, append(ps, text("; "))...)
}

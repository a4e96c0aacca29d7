package site

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

func (w *walk) statements(list []ast.Stmt) {
	for _, s := range list {
		w.statement(s, "")
	}
}

func (w *walk) statement(s ast.Stmt, label string) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		w.statement(s.Stmt, s.Label.Name)
	case *ast.BlockStmt:
		w.statements(s.List)
	case *ast.IfStmt:
		w.ifStatement(s)
	case *ast.SwitchStmt:
		w.switchHeader(s.Init, label)
		if s.Tag != nil {
			if w.ConstantCases(s.Body) {
				w.inPlace.Add(s.Tag)
			}
			w.value(s.Tag)
		}
		for _, c := range s.Body.List {
			cc := c.(*ast.CaseClause)
			for _, e := range cc.List {
				w.ctx = context{root: e}
				w.value(e)
			}
			w.statements(cc.Body)
		}
	case *ast.TypeSwitchStmt:
		w.switchHeader(s.Init, label)
		w.typeSwitch(s)
	case *ast.SelectStmt:
		w.selectStatement(s, label)
	case *ast.ForStmt:
		w.forStatement(s, label)
	case *ast.RangeStmt:
		w.rangeStatement(s, label)
	case nil, *ast.EmptyStmt, *ast.BranchStmt, *ast.BadStmt:
	default:
		w.listed(s)
	}
}

// listed visits a simple statement of a statement list.
func (w *walk) listed(s ast.Stmt) {
	w.ctx = context{before: true, after: true}
	switch s := s.(type) {
	case *ast.ReturnStmt:
		w.returnStatement(s)
	case *ast.DeclStmt:
		w.localDecl(s)
	default:
		w.simple(s)
	}
}

// simple visits a simple statement.
func (w *walk) simple(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		switch x := ast.Unparen(s.X).(type) {
		case *ast.CallExpr:
			w.call(x, now)
		case *ast.UnaryExpr: // a receive
			w.value(x.X)
		default:
			w.value(s.X)
		}
	case *ast.AssignStmt:
		w.assignment(s)
	case *ast.IncDecStmt:
		w.address(s.X)
		if w.writable(s.X) {
			w.whole(s.X, Write)
		}
	case *ast.SendStmt:
		w.value(s.Chan)
		w.value(s.Value)
	case *ast.GoStmt:
		w.call(s.Call, later)
	case *ast.DeferStmt:
		w.call(s.Call, deferred)
	}
}

// localDecl visits the initializers of a declaration in a function. With several
// specifications the calls of a later one cannot move in front of an earlier one.
func (w *walk) localDecl(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	w.ctx.before = len(d.Specs) == 1
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		if len(vs.Values) == 1 {
			w.ctx.root = vs.Values[0]
		}
		w.values(vs.Values)
		w.ctx.root = nil
		w.firstValues(vs.Names...)
	}
}

// returnStatement visits a return, which assigns the named results or, without operands,
// reads them. With deferred calls the function reads them later.
func (w *walk) returnStatement(s *ast.ReturnStmt) {
	if w.fn.results != nil && !w.skip {
		for i, id := range Parameters(w.fn.results) {
			v, ok := w.Info.Defs[id].(*types.Var)
			if !ok || !w.Reached(v) {
				continue
			}
			switch {
			case len(s.Results) == 0 && w.fn.defers:
			case len(s.Results) == 0:
				w.fixed(id, "result "+id.Name, Read, false)
			case len(s.Results) > i && w.Names(s.Results[i], v):
				// a = a is no store
			default:
				w.fixed(id, "result "+id.Name, Write, false)
			}
		}
	}
	w.values(s.Results)
}

// Names reports whether e is the variable v itself.
func (p *Package) Names(e ast.Expr, v *types.Var) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && p.Info.Uses[id] == v
}

func (w *walk) ifStatement(s *ast.IfStmt) {
	w.ctx = context{before: true, after: true}
	if s.Init != nil {
		w.simple(s.Init)
	}
	w.ctx = context{before: true}
	w.value(s.Cond)
	w.statements(s.Body.List)
	switch e := s.Else.(type) {
	case *ast.IfStmt:
		w.ifStatement(e)
	case *ast.BlockStmt:
		w.statements(e.List)
	}
}

// switchHeader visits the first statement of a switch; the operand comes next.
func (w *walk) switchHeader(init ast.Stmt, label string) {
	movable := w.movable(label)
	w.ctx = context{before: movable, after: movable}
	if init != nil {
		w.simple(init)
	}
	w.ctx = context{before: movable}
}

func (w *walk) typeSwitch(s *ast.TypeSwitchStmt) {
	var id *ast.Ident
	switch t := s.Assign.(type) {
	case *ast.AssignStmt: // v := x.(type)
		id = t.Lhs[0].(*ast.Ident)
		w.value(t.Rhs[0].(*ast.TypeAssertExpr).X)
	case *ast.ExprStmt:
		w.value(ast.Unparen(t.X).(*ast.TypeAssertExpr).X)
	}
	for _, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if v, ok := w.Info.Implicits[cc].(*types.Var); ok && !w.skip && !w.fn.nosplit && w.Reached(v) {
			w.fixed(id, "variable "+id.Name, Write, false)
		}
		w.statements(cc.Body)
	}
}

// selectStatement visits a select. It evaluates its operands on entry, in order, one
// clause after the other; the chosen clause begins with the assignment of the value that
// it receives.
func (w *walk) selectStatement(s *ast.SelectStmt, label string) {
	var all []ast.Expr
	for _, c := range s.Body.List {
		all = append(all, Operands(c.(*ast.CommClause).Comm)...)
	}
	w.ctx = context{before: w.MovesOperands(all) && w.movable(label) && !w.skip}
	for i, x := range all {
		w.ctx.root = x
		if slices.ContainsFunc(all[i+1:], w.Calls) {
			w.ctx.root = nil
		}
		w.value(x)
	}
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		if a, ok := cc.Comm.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			w.received(a)
		} else if ok {
			for _, l := range a.Lhs {
				w.firstValues(l.(*ast.Ident))
			}
		}
		w.statements(cc.Body)
	}
}

// MovesOperands reports whether one of the operands of a select contains a call, and is more than the
// call.
func (p *Package) MovesOperands(operands []ast.Expr) bool {
	return slices.ContainsFunc(operands, func(x ast.Expr) bool {
		_, call := ast.Unparen(x).(*ast.CallExpr)
		return !call && p.Calls(x)
	})
}

// Operands returns the expressions that a select evaluates on entry for one clause.
func Operands(comm ast.Stmt) []ast.Expr {
	channel := func(e ast.Expr) []ast.Expr { return []ast.Expr{ast.Unparen(e).(*ast.UnaryExpr).X} }
	switch s := comm.(type) {
	case *ast.SendStmt:
		return []ast.Expr{s.Chan, s.Value}
	case *ast.ExprStmt:
		return channel(s.X)
	case *ast.AssignStmt:
		return channel(s.Rhs[0])
	}
	return nil
}

// received visits the places that a clause of a select assigns.
func (w *walk) received(s *ast.AssignStmt) {
	if w.skip || !w.PlacesToCheck(s.Lhs) || len(s.Lhs) == 2 && !IsBlank(s.Lhs[1]) && !IsBool(w.TypeOf(s.Lhs[1])) {
		return
	}
	w.ctx = context{}
	w.assignedPlaces(s.Lhs)
}

// PlacesToCheck reports whether one of the places that a clause of a select or a range
// clause assigns may need a check: it is no variable, or others may reach it.
func (p *Package) PlacesToCheck(list []ast.Expr) bool {
	for _, l := range list {
		if _, ok := ast.Unparen(l).(*ast.Ident); !ok || !IsBlank(l) && p.Storage(l) == Reachable {
			return true
		}
	}
	return false
}

// assignedPlaces visits places that the compiler assigns without an assignment.
func (w *walk) assignedPlaces(list []ast.Expr) {
	for _, l := range list {
		if IsBlank(l) {
			continue
		}
		w.address(l)
		if w.writable(l) {
			w.whole(l, Write)
		}
	}
}

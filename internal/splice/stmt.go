package splice

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

func (f *file) stmts(list []ast.Stmt) {
	flags := f.fn.flags
	for _, s := range list {
		f.leak(s)
		f.flat(s)
		f.stmt(s, s, "")
	}
	f.fn.flags = flags
}

// stmt rewrites s. outer is s or the labelled statement around it.
func (f *file) stmt(s, outer ast.Stmt, label string) {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		f.stmt(s.Stmt, s, s.Label.Name)
	case *ast.BlockStmt:
		f.stmts(s.List)
	case *ast.IfStmt:
		f.ifStmt(s)
	case *ast.SwitchStmt:
		f.switchStmt(s, s.Init, s.Tag, s.Body, outer, label)
	case *ast.TypeSwitchStmt:
		f.switchStmt(s, s.Init, s.Assign, s.Body, outer, label)
	case *ast.SelectStmt:
		f.selectStmt(s, outer, label)
	case *ast.ForStmt:
		f.forStmt(s, outer, label)
	case *ast.RangeStmt:
		f.rangeStmt(s, outer, label)
	case nil, *ast.EmptyStmt, *ast.BranchStmt, *ast.BadStmt:
	default:
		f.listed(s)
	}
}

// listed rewrites a simple statement of a statement list.
func (f *file) listed(s ast.Stmt) {
	f.seq = &sequence{canHoist: true, canAfter: true, line: f.line(s.Pos()), sites: len(f.pkg.sites)}
	var before []part
	declares := false
	switch s := s.(type) {
	case *ast.ReturnStmt:
		before = f.returnStmt(s)
	case *ast.DeclStmt:
		declares = true
		f.localDecl(s)
	case *ast.AssignStmt:
		declares = s.Tok == token.DEFINE
		f.reflectTarget(s)
		f.assign(s)
	default:
		f.simple(s)
	}
	f.host(s, declares, before)
}

// host adds the code that the sequence has collected around statement s.
func (f *file) host(s ast.Stmt, declares bool, before []part) {
	q := f.seq
	if len(q.hoists)+len(q.after)+len(before)+len(q.ahead) == 0 {
		return
	}
	a, b := f.Offset(s.Pos()), f.Offset(s.End())
	var ps []part
	brace := !declares && len(q.hoists) > 0
	if brace {
		ps = append(ps, text("{ "))
	}
	ps = append(ps, f.hoistParts(q, q.hoists, a)...)
	ps = append(ps, before...)
	ps = append(ps, q.aheadOf(nil)...)
	ps = append(ps, source(a, b))
	ps = append(ps, f.afterParts(q)...)
	if brace {
		ps = append(ps, text(" }"))
	}
	f.add(a, b, layerHost, ps...)
}

// afterParts returns the statements behind the current one, each after a semicolon.
func (f *file) afterParts(q *sequence) []part {
	var ps []part
	for _, p := range q.after {
		if p.kind == partCall || p.kind == partCheck {
			ps = append(ps, text("; "))
		}
		ps = append(ps, p)
	}
	return ps
}

// simple rewrites a simple statement that declares nothing.
func (f *file) simple(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		switch x := ast.Unparen(s.X).(type) {
		case *ast.CallExpr:
			f.callExpr(x, asStmt)
		case *ast.UnaryExpr: // a receive
			f.rvalue(x.X)
		default:
			f.rvalue(s.X)
		}
	case *ast.AssignStmt:
		f.assign(s)
	case *ast.IncDecStmt:
		f.incDec(s)
	case *ast.SendStmt:
		f.rvalue(s.Chan)
		f.rvalue(s.Value)
	case *ast.GoStmt:
		f.callExpr(s.Call, started)
	case *ast.DeferStmt:
		f.callExpr(s.Call, deferred)
	}
}

// localDecl rewrites the initializers of a declaration in a function.
func (f *file) localDecl(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	// With several specifications, the calls of a later one cannot move in front of an
	// earlier one.
	if f.seq.canHoist = len(d.Specs) == 1; !f.seq.canHoist {
		f.seq.line = 0
	}
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		m := f.seq.mark()
		if len(vs.Values) == 1 {
			f.seq.root = vs.Values[0]
		}
		f.rvalues(vs.Values)
		f.seq.root = nil
		f.seq.settle(m)
		for _, id := range vs.Names {
			f.seq.after = append(f.seq.after, f.firstValue(id)...)
		}
	}
}

// returnStmt rewrites a return. It returns the checks of named results that other
// goroutines may reach.
func (f *file) returnStmt(s *ast.ReturnStmt) (before []part) {
	if f.fn.results != nil && !f.skip {
		for i, n := range site.Parameters(f.fn.results) {
			v, ok := f.Info.Defs[n].(*types.Var)
			if !ok || !f.Reached(v) {
				continue
			}
			helper, kind, address := "_ti_w", site.Write, "&"+n.Name
			if !f.denotes(n.Name, s.Pos(), v) {
				address = f.addressOf(n)
			}
			switch {
			case len(s.Results) == 0 && f.fn.defers:
				continue // the function reads it after the deferred calls, which may order the read
			case len(s.Results) == 0:
				helper, kind = "_ti_r", site.Read
			case len(s.Results) > i && f.Names(s.Results[i], v):
				continue // a = a is no store
			}
			before = append(append(before, f.statement(f.helper(helper).of(v.Type()), address, f.site(n, "result "+n.Name, kind))...), text("; "))
			if kind == site.Write {
				f.pkg.stats.Writes++
			} else {
				f.pkg.stats.Reads++
			}
			f.seq.pending++
		}
	}
	f.rvalues(s.Results)
	return before
}

// addressOf returns a variable that holds the address of a result, for code where the
// result's name denotes another variable.
func (f *file) addressOf(result *ast.Ident) string {
	name, ok := f.fn.addresses[result] // of the function, also in the body of a loop over a function
	if !ok {
		name = f.temp()
		f.fn.addresses[result] = name
	}
	return name
}

// denotes reports whether a name denotes object o at pos.
func (f *file) denotes(name string, pos token.Pos, o types.Object) bool {
	in := f.Pkg.Scope().Innermost(pos)
	if in == nil || o == nil {
		return false
	}
	_, found := in.LookupParent(name, pos)
	return found == o
}

// ifStmt rewrites an if statement with all its branches.
func (f *file) ifStmt(s *ast.IfStmt) {
	q0 := &sequence{canHoist: true, canAfter: true}
	f.seq = q0
	if s.Init != nil {
		f.simple(s.Init)
	}
	q1 := &sequence{canHoist: true}
	if s.Init == nil {
		q1.line, q1.sites = f.line(s.Pos()), len(f.pkg.sites)
	}
	f.seq = q1
	f.rvalue(s.Cond)
	f.header(s, s.Init, s.Cond.Pos(), "if ", q0, q1)
	f.stmts(s.Body.List)
	switch e := s.Else.(type) {
	case *ast.IfStmt:
		f.ifStmt(e)
	case *ast.BlockStmt:
		f.stmts(e.List)
	}
}

// header adds a block around statement s whose header has an init statement (q0) and an
// operand at rest (q1). If code must stand between these two, the init statement moves out
// of the header. keyword stands in front of the operand then, with the statement's label.
func (f *file) header(s, init ast.Stmt, rest token.Pos, keyword string, q0, q1 *sequence) {
	moved := len(q0.hoists) + len(q0.after) + len(q1.hoists)
	if moved+len(q1.ahead) == 0 {
		return
	}
	a, b, r := f.Offset(s.Pos()), f.Offset(s.End()), f.Offset(rest)
	if moved == 0 { // and there is no init statement
		d := q1.ahead[0]
		ps := append([]part{{kind: partBrace, text: "{ ", check: d}}, q1.aheadOf(nil)...)
		f.add(a, b, layerHost, append(ps, source(a, b), part{kind: partBrace, text: " }", check: d})...)
		return
	}
	ps := append([]part{text("{ ")}, f.hoistParts(q0, q0.hoists, a)...)
	if init == nil || len(q0.after)+len(q1.hoists) == 0 {
		ps = append(ps, f.hoistParts(q1, q1.hoists, a)...)
		ps = append(ps, q1.aheadOf(nil)...)
		ps = append(ps, source(a, b), text(" }"))
		f.add(a, b, layerHost, ps...)
		return
	}
	ia, ib := f.Offset(init.Pos()), f.Offset(init.End())
	if f.multiline(a, ia) {
		ps = append(ps, f.resync(ia))
	}
	ps = append(ps, source(ia, ib))
	ps = append(ps, f.afterParts(q0)...)
	ps = append(ps, text("; "))
	ps = append(ps, f.hoistParts(q1, q1.hoists, ib)...)
	if f.multiline(ib, r) {
		ps = append(ps, f.resync(r))
	}
	ps = append(ps, text(keyword), source(r, b), text(" }"))
	f.add(a, b, layerHost, ps...)
}

// movable reports whether statements can stand in front of the statement with this label.
// They would stand in front of the label, and a goto would not execute them.
func (f *file) movable(label string) bool { return label == "" || !f.fn.targets[label] }

// switchStmt rewrites an expression or type switch; tag is its operand.
func (f *file) switchStmt(s, init ast.Stmt, tag ast.Node, body *ast.BlockStmt, outer ast.Stmt, label string) {
	can := f.movable(label)
	q0 := &sequence{canHoist: can, canAfter: can}
	f.seq = q0
	if init != nil {
		f.simple(init)
	}
	q1 := &sequence{canHoist: can}
	if init == nil && can {
		q1.line, q1.sites = f.line(outer.Pos()), len(f.pkg.sites)
	}
	f.seq = q1
	rest := body.Lbrace
	switch t := tag.(type) {
	case ast.Expr:
		if t != nil {
			rest = t.Pos()
			if f.ConstantCases(body) {
				f.noCopy.Add(t)
			}
			f.rvalue(t)
		}
	case *ast.AssignStmt: // v := x.(type)
		rest = t.Pos()
		f.rvalue(t.Rhs[0].(*ast.TypeAssertExpr).X)
	case *ast.ExprStmt:
		rest = t.Pos()
		f.rvalue(ast.Unparen(t.X).(*ast.TypeAssertExpr).X)
	}
	keyword := "switch "
	if label != "" {
		keyword = label + ": " + keyword
	}
	f.header(outer, init, rest, keyword, q0, q1)
	for _, c := range body.List {
		cc := c.(*ast.CaseClause)
		if _, ok := s.(*ast.SwitchStmt); ok {
			for _, e := range cc.List {
				f.seq = &sequence{root: e}
				f.rvalue(e)
			}
		}
		if v, ok := f.Info.Implicits[cc].(*types.Var); ok {
			f.typeSwitched(cc, tag, v)
		}
		f.stmts(cc.Body)
	}
}

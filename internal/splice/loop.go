package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// forStmt rewrites a for loop with up to three header parts.
func (f *file) forStmt(s *ast.ForStmt, outer ast.Stmt, label string) {
	q := &sequence{canHoist: f.movable(label)}
	f.seq = q
	if s.Init != nil {
		f.simple(s.Init)
	}
	code, flag, done := f.inserts(s, outer, label)
	f.precede(outer, q, code, flag)
	f.fn.loops++
	if s.Cond != nil {
		c := &sequence{canHoist: true}
		f.seq = c
		f.rvalue(s.Cond)
		if len(c.hoists) > 0 {
			f.moveCond(s, c)
		}
	}
	if s.Post != nil {
		f.seq = &sequence{}
		f.simple(s.Post)
	}
	f.renewals(s, label)
	f.stmts(s.Body.List)
	done()
	f.fn.loops--
	f.behind(outer, s)
}

// renewals checks the accesses of copying loop variables. Each iteration has its own
// variables: at the end of an iteration the program copies their values into the variables
// of the next one. Continue statements go to the checks at the end of the body.
func (f *file) renewals(s *ast.ForStmt, label string) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !f.PerIteration || f.skip {
		return
	}
	var start, end []part
	for _, l := range init.Lhs {
		v, ok := f.Info.Defs[l.(*ast.Ident)].(*types.Var)
		if !ok || !f.Reached(v) {
			continue
		}
		if f.omitPart(l, false, false) {
			continue
		}
		// The body may redeclare the name.
		n := f.temp()
		start = append(start, text(n+" := &"+v.Name()+"; "), f.helper("_ti_w").of(v.Type()), text(n+","+f.site(l, "loop variable "+v.Name(), site.Write)+"); "))
		f.pkg.stats.Writes++
		end = append(end, f.helper("_ti_r").of(v.Type()), text(n+","+f.site(l, "loop variable "+v.Name(), site.Read)+"); "))
		f.pkg.stats.Reads++
	}
	if len(end) == 0 {
		return
	}
	var close []part
	if all := continues(s.Body, label); len(all) > 0 {
		to := f.newLabel()
		for _, c := range all { // the statement stays, since it may be the only one with the loop's label
			a, b := f.Offset(c.Pos()), f.Offset(c.End())
			f.add(a, b, layerInner, text("{ goto "), to, text("; "), source(a, b), text(" }"))
		}
		start = append(start, text("{ ")) // goto may not jump over declarations of the body
		close = []part{text("}; "), to, text(": ")}
	}
	f.atStart(s.Body, layerInner, start...)
	rb := f.Offset(s.Body.Rbrace)
	ps := append(append([]part{text("; ")}, close...), end...)
	f.add(rb, rb+1, layerInner, append(ps, source(rb, rb+1))...)
}

// continues returns the continue statements of a loop with this body and label.
func continues(body *ast.BlockStmt, label string) (list []*ast.BranchStmt) {
	var walk func(n ast.Node, inner bool)
	walk = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt:
				if m != n {
					walk(m.Body, true)
					return false
				}
			case *ast.RangeStmt:
				if m != n {
					walk(m.Body, true)
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.CONTINUE && (m.Label == nil && !inner || m.Label != nil && m.Label.Name == label) {
					list = append(list, m)
				}
			}
			return true
		})
	}
	walk(body, false)
	return list
}

// precede puts code in front of statement s: first the moved units of q, then code. With a
// flag, s is a loop that gets two versions.
func (f *file) precede(s ast.Stmt, q *sequence, code []part, flag string) {
	if len(q.hoists) == 0 && len(code) == 0 {
		return
	}
	a, b := f.Offset(s.Pos()), f.Offset(s.End())
	ps := append([]part{text("{ ")}, f.hoistParts(q, q.hoists, a)...)
	if len(code) > 0 {
		ps = append(append(ps, code...), text("; "))
	}
	body := source(a, b)
	if flag != "" {
		body.kind, body.flag = partLoop, flag
	}
	f.add(a, b, layerHost, append(ps, body, text(" }"))...)
}

// moveCond moves the condition of a loop to the start of the body, where statements can
// stand in front of it: for i := 0; ; i++ { v := f(); if !(x < v) { break }; ...
func (f *file) moveCond(s *ast.ForStmt, c *sequence) {
	e := f.add(f.Offset(s.Cond.Pos()), f.Offset(s.Cond.End()), layerHost)
	if f.multiline(e.start, e.end) {
		e.parts = []part{f.resync(e.end)}
	}
	at := f.Offset(s.Body.Lbrace) + 1
	far := f.multiline(e.start, at)
	ps := f.hoistParts(c, c.hoists, at)
	if far {
		ps = append(ps, f.resync(e.start))
	}
	ps = append(ps, text("if !("), inner(e), text(") { break }; "))
	if far {
		ps = append(ps, f.resync(at))
	}
	f.atStart(s.Body, layerInner, ps...)
}

func (f *file) temp() string {
	f.temps++
	return fmt.Sprintf("_ti_v%d", f.temps)
}

// rangeStmt rewrites a range loop.
func (f *file) rangeStmt(s *ast.RangeStmt, outer ast.Stmt, label string) {
	q := &sequence{canHoist: f.movable(label)}
	f.seq = q
	xt := f.TypeOf(s.X)
	value := s.Value != nil && !site.IsBlank(s.Value)
	var elems types.Type // the type of the elements that each iteration reads, nil for none
	_, overFunc := site.Core(xt).(*types.Signature)
	switch t := site.Core(xt).(type) {
	case *types.Array:
		if value {
			f.rvalue(s.X)
		} else if f.Calls(s.X) { // without a call the operand is not evaluated: the length is a constant
			f.address(s.X)
		}
	case *types.Pointer: // a pointer to an array
		if value || f.Calls(s.X) {
			f.rvalue(s.X)
		}
		if a, ok := site.Core(t.Elem()).(*types.Array); ok && value {
			elems = a.Elem()
		}
	case *types.Slice:
		f.rvalue(s.X)
		if value {
			elems = t.Elem()
		}
	default:
		f.rvalue(s.X)
	}
	operand := "" // a name that denotes the operand in the body
	if elems != nil && !f.skip && f.Size(elems) != 0 && !f.Fresh(s.X) && !f.fate(s.X, false, true).Omit {
		operand = f.rangeOperand(s, q)
	}
	code, flag, done := f.inserts(s, outer, label)
	f.precede(outer, q, code, flag)

	fn := f.fn
	if overFunc {
		f.fn = &function{results: fn.results, addresses: fn.addresses, targets: fn.targets, defers: fn.defers, unfit: true, loops: 1}
		f.entry(s.Body, f.fn)
	} else {
		fn.loops++
	}
	if overFunc && !f.skip && !f.fn.nosplit && f.movable(label) {
		f.loopState(s, outer, fn)
	}
	f.seq = &sequence{}
	f.rangeVars(s, operand)
	f.stmts(s.Body.List)
	if overFunc {
		f.fn = fn
	} else {
		fn.loops--
	}
	done()
	f.behind(outer, s)
}

// loopState checks the state that the compiler keeps for a loop over a function. Each
// execution of the body and the end of the loop write this state. So a body races that runs
// in parallel with the loop, or twice at once. The checks are of a new variable, which
// represents the state. fn is the function around the loop; the current function is the
// body of the loop.
func (f *file) loopState(s *ast.RangeStmt, outer ast.Stmt, fn *function) {
	v := f.temp()
	body := f.helper("_ti_w").of(types.Typ[types.Uintptr])
	f.atStart(s.Body, layerInner, body, text("&"+v+","+f.site(s.X, "loop over a function", site.Write)+"); "))
	in := f.fn
	f.fn = fn
	end := f.helper("_ti_w").of(types.Typ[types.Uintptr])
	f.fn = in
	a, b := f.Offset(outer.Pos()), f.Offset(outer.End())
	f.add(a, b, layerHost, text("{ var "+v+" uintptr; "), source(a, b), text("; "), end, text("&"+v+","+f.site(s.X, "loop over a function", site.Write)+") }"))
	f.pkg.stats.Writes += 2
}

// rangeOperand returns a name that denotes the operand of s in the body, or "" if there is
// none.
func (f *file) rangeOperand(s *ast.RangeStmt, q *sequence) string {
	if id := f.KeepsOperand(s); id != nil {
		return id.Name
	}
	if !q.canHoist {
		f.pkg.stats.Unranged++
		return ""
	}
	if n := len(q.hoists); n > 0 && q.hoists[n-1].node == ast.Unparen(s.X) {
		return q.hoists[n-1].names[0]
	}
	u := &unit{node: s.X}
	q.live = nil // units inside the operand move with it
	f.hoist(u)
	return u.names[0]
}

// rangeVars checks the accesses of each iteration before the body: the read of the element,
// and the writes of the iteration variables.
func (f *file) rangeVars(s *ast.RangeStmt, operand string) {
	if s.Key == nil {
		return
	}
	var ps []part
	if s.Tok == token.DEFINE {
		key := s.Key.(*ast.Ident).Name
		if operand != "" && key == "_" {
			key = f.temp()
			f.add(f.Offset(s.Key.Pos()), f.Offset(s.Key.End()), layerRead, text(key))
		}
		ps = f.element(s, operand, key)
		for _, e := range []ast.Expr{s.Key, s.Value} {
			if id, ok := e.(*ast.Ident); ok && f.PerIteration {
				ps = append(ps, f.firstValues([]*ast.Ident{id})...)
			} else if e != nil && f.writable(e) { // all iterations share the variables
				ps = append(ps, f.helper("_ti_w").of(f.TypeOf(e)), text("&"+e.(*ast.Ident).Name+","+f.site(e, f.What(e), site.Write)+"); "))
				f.pkg.stats.Writes++
			}
		}
	} else {
		ps = f.rangeAssign(s, operand)
	}
	if len(ps) > 0 {
		f.atStart(s.Body, layerInner, ps...)
	}
}

// element returns the check of the element that each iteration reads. key names the index.
func (f *file) element(s *ast.RangeStmt, operand, key string) []part {
	if operand == "" {
		return nil
	}
	f.pkg.stats.Reads++
	what := "element of " + f.TypeName(site.Elem(f.TypeOf(s.X)))
	t := f.fate(s.X, false, true)
	return []part{f.opening("_ti_r", t).of(elementType(f.TypeOf(s.X))), text("&" + operand + "[" + key + "]," + f.siteWith(s.X, t, what, site.Read) + "); ")}
}

// elementType returns the type of the elements over which a loop over an operand of type t ranges, nil if
// it is not known.
func elementType(t types.Type) types.Type {
	if p, ok := site.Core(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := site.Core(t).(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return nil
}

// rangeAssign rewrites for k, v = range x. If k or v is a place that needs a check, the
// loop gets variables of its own, which the body assigns to k and v.
func (f *file) rangeAssign(s *ast.RangeStmt, operand string) []part {
	places := []ast.Expr{s.Key}
	if s.Value != nil {
		places = append(places, s.Value)
	}
	if f.skip || operand == "" && !f.PlacesToCheck(places) {
		for _, e := range places {
			if !site.IsBlank(e) {
				f.address(e)
			}
		}
		return nil
	}
	var names, lhs []part
	key := ""
	for i, e := range places {
		n := f.temp()
		if i == 0 {
			key = n
		} else {
			names, lhs = append(names, text(", ")), append(lhs, text(", "))
		}
		names = append(names, text(n))
		lhs = append(lhs, f.elsewhere(e))
	}
	ps := f.element(s, operand, key)
	for _, e := range places {
		if site.IsBlank(e) {
			continue
		}
		f.address(e)
		if f.writable(e) {
			f.checkBefore(e)
		}
	}
	a, b := f.Offset(s.Key.Pos()), f.Offset(s.TokPos)+len("=")
	f.add(a, b, layerHost, append(append([]part(nil), names...), text(" :="))...)
	if s.Value == nil && f.Info.Types[s.X].Value != nil { // an untyped number has the type of k here, and would make the variable an int
		if x, ok := ast.Unparen(s.Key).(*ast.IndexExpr); ok && f.isMap(x.X) {
			f.pkg.helpers["_ti_putm"] = true
			return append(ps, text("_ti_putm("), f.elsewhere(x.X), text(","), f.elsewhere(x.Index), text(","+key+"); "))
		}
		f.pkg.helpers["_ti_put"] = true
		return append(ps, text("_ti_put(&"), lhs[0], text(","+key+"); "))
	}
	ps = append(ps, lhs...)
	ps = append(ps, text(" = "))
	ps = append(ps, names...)
	return append(ps, text("; "))
}

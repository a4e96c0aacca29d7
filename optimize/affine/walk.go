package affine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
	"taskinstr/polyhedral"
)

// A nest is a loop that is analysed as a whole.
type nest struct {
	*loop.Loop
	file      *file
	label     string
	iters     map[*types.Var]string   // the iterators of the loops around the present statement
	around    map[*types.Var]ast.Stmt // the loops of these iterators
	elems     map[*types.Var]element
	quotients []quotient
	limit     int64             // of the magnitude of symbols
	now       values            // the known values at the present statement
	st        state             // in which atLeast0 tests
	inexact   map[ast.Stmt]bool // loops that a break, or a continue of an outer loop, leaves
	count     int               // of iterators so far
	isSymbol  map[string]bool   // the members of symbols
	symbols   []string
	conds     []string // conditions under which paths can be evaluated
	refs      []reference
	in        *inlined       // the call whose statements are being visited; nil: the nest's own statements are
	flat      bool           // several statements in a row, no loop
	claimed   bool           // another pass would check the elements in a loop around
	accessed  []builder.Load // the calls of accessors in refs, whose sites are ^0, ^1, ...
	inl       *inliner       // of calls that are looked into; nil: none are
}

func newNest(f *file, l *loop.Loop, label string) *nest {
	n := &nest{
		limit: 1 << 62,
		Loop:  l, file: f, label: label, iters: map[*types.Var]string{}, around: map[*types.Var]ast.Stmt{}, elems: map[*types.Var]element{},
		inexact: map[ast.Stmt]bool{}, isSymbol: map[string]bool{},
	}
	n.now = n.initial()
	return n
}

// An element is the value variable of a range clause over x, in an iteration.
type element struct {
	x    ast.Expr
	iter string
}

// A state says when a statement runs: in the union of disjoint domains, if exact, and at
// most there otherwise.
type state struct {
	doms  []polyhedral.Domain
	exact bool
	dead  bool // behind a jump
	depth int  // loops around
}

// A refusal is the reason why a nest keeps its checks.
type refusal string

// fail gives the nest up; try returns the reason.
func (n *nest) fail(reason string) { panic(refusal(reason)) }

// require adds conditions to those under which the nest is scanned.
func (n *nest) require(conds []string) {
	for _, p := range conds {
		if !slices.Contains(n.conds, p) {
			n.conds = append(n.conds, p)
		}
	}
}

// walk visits the nest. It returns the reason if the nest cannot be scanned.
func (n *nest) walk() refusal {
	return n.try(func() {
		n.jumps()
		if n.inexact[n.Stmt] {
			n.fail("a break leaves it early")
		}
		n.loopStmt(n.Stmt, state{doms: []polyhedral.Domain{polyhedral.NewDomain()}, exact: true})
	})
}

// try calls f and returns the reason if f gave up, else "".
func (n *nest) try(f func()) (err refusal) {
	defer func() {
		if r := recover(); r != nil {
			reason, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			err = reason
		}
	}()
	f()
	return ""
}

// jumps finds the loops that may run fewer iterations than their headers say, and refuses
// the nest if a jump leaves it.
func (n *nest) jumps() {
	type target struct {
		stmt  ast.Stmt
		label string
		loop  bool
	}
	var visit func(x ast.Node, around []target, label string)
	visit = func(x ast.Node, around []target, label string) {
		switch s := x.(type) {
		case *ast.LabeledStmt:
			visit(s.Stmt, around, s.Label.Name)
			return
		case *ast.ForStmt, *ast.RangeStmt:
			around = append(around[:len(around):len(around)], target{s.(ast.Stmt), label, true})
		case *ast.SwitchStmt, *ast.TypeSwitchStmt:
			around = append(around[:len(around):len(around)], target{s.(ast.Stmt), label, false})
		case *ast.ReturnStmt:
			n.fail("a return leaves it early")
		case *ast.BranchStmt:
			if s.Tok == token.GOTO {
				n.fail("a goto")
			}
			if s.Tok == token.FALLTHROUGH {
				return
			}
			for i := len(around) - 1; ; i-- {
				if i < 0 {
					n.fail("a labelled jump leaves it early")
				}
				t := around[i]
				if s.Label != nil && s.Label.Name == t.label || s.Label == nil && (t.loop || s.Tok == token.BREAK) {
					// Inner loops end early, and so does t or the rest of its body.
					if t.loop && (s.Tok == token.BREAK || s.Label != nil) || !t.loop && s.Label != nil {
						n.inexact[t.stmt] = true
					}
					break
				}
				n.inexact[t.stmt] = true
			}
			return
		}
		ast.Inspect(x, func(y ast.Node) bool {
			if y == nil || y == x {
				return true
			}
			switch y.(type) {
			case *ast.LabeledStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ReturnStmt, *ast.BranchStmt:
				visit(y, around, "")
				return false
			}
			return true
		})
	}
	visit(n.Stmt, nil, n.label)
}

// An entered loop is one whose header has been visited.
type entered struct {
	header  header
	affine  bool   // header describes the loop
	counted bool   // a counter does
	in      state  // of the body
	before  values // in front of the loop
}

// loopStmt visits a loop.
func (n *nest) loopStmt(s ast.Stmt, st state) {
	defer n.in0(st)()
	var l entered
	var body *ast.BlockStmt
	var post ast.Stmt
	switch s := s.(type) {
	case *ast.ForStmt:
		body, post = s.Body, s.Post
		l = n.enterFor(s, st)
	case *ast.RangeStmt:
		body = s.Body
		l = n.enterRange(s, st)
	}
	if !l.affine && !l.counted {
		if s == n.Stmt {
			n.fail("its iterations are not affine")
		}
		l.in = st
		l.in.depth++
		l.in.exact = false
		n.leave(l.header.v)
		n.now = l.before.clone()
		n.forgetLoop(s, nil)
	}
	l.in.exact = l.in.exact && !n.inexact[s]
	if r, isRange := s.(*ast.RangeStmt); isRange && r.Value != nil {
		n.rangeElems(r, l.header, l.affine, l.in)
	}
	n.block(body.List, l.in)
	if l.counted && post != nil {
		n.stmts(l.in, post)
	}
	n.leave(l.header.v)
	n.now = l.before
	n.forget(s)
}

// enterFor visits what a for statement has besides its body.
func (n *nest) enterFor(s *ast.ForStmt, st state) (l entered) {
	l.in = st
	l.in.depth++
	begun := true
	if s != n.Stmt {
		if s.Init != nil {
			n.stmts(st, s.Init)
		}
		l.before = n.now.clone()
	} else {
		l.before = n.now.clone()
		if begun = n.begin(s.Init); begun {
			l.before = n.now.clone()
		}
		n.now = l.before.clone()
	}
	list := n.strides(s.Post, s.Body)
	if l.header, l.affine = n.forHeader(s); l.affine && s == n.Stmt && !n.ready(s.Init) {
		l.affine = false
	}
	even := l.affine && divisible(l.header, l.before, list)
	if begun && (!even || l.header.loop.Step != 1 && l.header.loop.Step != -1) {
		n.now = l.before.clone()
		n.forgetLoop(s.Body, s.Post)
		l.in.doms, l.counted = n.counterHeader(s, l.before, list, st, even)
	}
	switch {
	case l.counted:
		l.affine, l.header = false, header{}
	case l.affine:
		n.now = l.before.clone()
		n.forgetLoop(s.Body, s.Post)
		n.tests(s.Cond, st)
		l.in.doms, l.affine = n.enterLoop(&l.header, s, st, l.before, list)
	}
	if !l.affine && !l.counted {
		n.now = l.before.clone()
		n.forgetLoop(s.Body, s.Post)
		inexact := st
		inexact.exact = false
		if s.Cond != nil {
			n.expr(s.Cond, inexact)
		}
		if s.Post != nil {
			n.stmts(inexact, s.Post)
		}
	}
	return l
}

// enterRange visits what a range statement has besides its body.
func (n *nest) enterRange(s *ast.RangeStmt, st state) (l entered) {
	l.in = st
	l.in.depth++
	if s != n.Stmt {
		n.operand(s.X, st)
	}
	l.before = n.now.clone()
	list := n.strides(nil, s.Body)
	l.header, l.affine = n.rangeHeader(s)
	l.affine = l.affine && (s != n.Stmt || n.ready(s.X))
	n.forgetLoop(s, nil)
	if s.Tok == token.ASSIGN {
		inexact := st
		inexact.exact = false
		n.assign(s.Key, inexact)
		if s.Value != nil {
			n.assign(s.Value, inexact)
		}
	}
	if l.affine {
		l.in.doms, l.affine = n.enterLoop(&l.header, s, st, l.before, list)
	}
	return l
}

// forgetLoop makes the variables unknown that a loop's body or post statement assigns to.
func (n *nest) forgetLoop(body, post ast.Stmt) {
	n.forget(body)
	if post != nil {
		n.forget(post)
	}
}

// enterLoop enters a loop with a header, and returns the domains of its body. The values at
// the start of the body depend on the iterator.
func (n *nest) enterLoop(h *header, s ast.Stmt, st state, entry values, list []stride) (doms []polyhedral.Domain, ok bool) {
	n.iterator(h, s)
	for _, d := range st.doms {
		e, err := d.Loop(h.loop)
		if err != nil {
			return nil, false
		}
		doms = append(doms, e)
	}
	if len(h.loop.From) != 1 {
		return doms, true
	}
	done := polyhedral.Iter(h.loop.Var).Sub(h.loop.From[0])
	for _, x := range list {
		if x.v == h.v {
			continue
		}
		c, isConst := x.by.IsConst()
		switch step := h.loop.Step; {
		case step == 1 || step == -1:
			n.enter(entry, []stride{x}, done.Scale(step), nil)
		case isConst && c%step == 0:
			n.enter(entry, []stride{{x.v, polyhedral.Const(c / step)}}, done, nil)
		}
	}
	return doms, true
}

// divisible reports whether the values of all variables with a stride are affine in the
// iterator of a loop.
func divisible(h header, entry values, list []stride) bool {
	for _, x := range list {
		_, isInt := entry.ints[x.v]
		_, isWindow := entry.windows[x.v]
		if x.v == h.v || !isInt && !isWindow {
			continue
		}
		if c, isConst := x.by.IsConst(); h.loop.Step != 1 && h.loop.Step != -1 && (!isConst || c%h.loop.Step != 0) {
			return false
		}
	}
	return true
}

// block visits statements in sequence. It returns the state at their end, and whether
// that differs from the state at their start.
func (n *nest) block(list []ast.Stmt, st state) (end state, changed bool) {
	for _, s := range list {
		if st.dead {
			break
		}
		next, c := n.statement(s, st)
		st = next
		changed = changed || c
	}
	return st, changed
}

func (n *nest) stmts(st state, list ...ast.Stmt) { n.block(list, st) }

// statement visits a statement, and returns the same as block.
func (n *nest) statement(s ast.Stmt, st state) (end state, changed bool) {
	defer n.in0(st)()
	switch s := s.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		n.loopStmt(s, st)
	case *ast.BlockStmt:
		return n.block(s.List, st)
	case *ast.LabeledStmt:
		return n.statement(s.Stmt, st)
	case *ast.BranchStmt:
		st.dead = true
		return st, true
	case *ast.IfStmt:
		return n.ifStmt(s, st)
	case *ast.SwitchStmt:
		if s.Init != nil {
			n.stmts(st, s.Init)
		}
		if s.Tag != nil {
			n.expr(s.Tag, st)
			if step.ComparisonMayPanic(n.Info.TypeOf(s.Tag)) {
				n.fail("a comparison of interfaces")
			}
		}
		return n.cases(s.Body, st)
	case *ast.TypeSwitchStmt:
		if s.Init != nil {
			n.stmts(st, s.Init)
		}
		switch a := s.Assign.(type) {
		case *ast.AssignStmt:
			n.expr(ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X, st)
		case *ast.ExprStmt:
			n.expr(ast.Unparen(a.X).(*ast.TypeAssertExpr).X, st)
		}
		return n.cases(s.Body, st)
	case *ast.AssignStmt:
		n.assignment(s, st)
		switch s.Tok {
		case token.ASSIGN, token.DEFINE:
			n.assigned(s.Lhs, s.Rhs)
		case token.ADD_ASSIGN, token.SUB_ASSIGN:
			x, ok := n.affine(s.Rhs[0])
			if s.Tok == token.SUB_ASSIGN {
				x = x.Neg()
			}
			n.added(s.Lhs[0], x, ok)
		default:
			n.added(s.Lhs[0], polyhedral.Expr{}, false)
		}
	case *ast.IncDecStmt:
		n.memoryAt(s.X, st, true, true)
		c := int64(1)
		if s.Tok == token.DEC {
			c = -1
		}
		n.added(s.X, polyhedral.Const(c), true)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, x := range v.Values {
						n.expr(x, st)
					}
					names := make([]ast.Expr, len(v.Names))
					for i, id := range v.Names {
						names[i] = id
					}
					n.assigned(names, v.Values)
				}
			}
		}
	case *ast.ExprStmt:
		n.expr(s.X, st)
	case *ast.EmptyStmt:
	default:
		n.fail("a statement that is not looked at")
	}
	return st, false
}

// ifStmt visits both branches, each in the part of the domain where it runs.
func (n *nest) ifStmt(s *ast.IfStmt, st state) (end state, changed bool) {
	if s.Init != nil {
		n.stmts(st, s.Init)
	}
	n.expr(s.Cond, st)
	yes, no := n.split(s.Cond, st)
	var a, b state
	var ca, cb bool
	saved := n.now.clone()
	a, ca = n.block(s.Body.List, yes)
	n.now = saved.clone()
	b = no
	if s.Else != nil {
		b, cb = n.statement(s.Else, no)
		n.now = saved
		n.forget(s.Else)
	}
	n.forget(s.Body)
	switch {
	case !ca && !cb:
		return st, false
	case a.dead && b.dead:
		return a, true
	case a.dead && !cb:
		return no, true
	case b.dead && !ca:
		return yes, true
	}
	st.exact = false
	return st, true
}

// cases visits the clauses of a switch statement, of which one at most runs.
func (n *nest) cases(body *ast.BlockStmt, st state) (end state, changed bool) {
	in := st
	in.exact = false
	for _, c := range body.List {
		clause := c.(*ast.CaseClause)
		for _, x := range clause.List {
			if tv := n.Info.Type(x); tv.IsType() || tv.IsNil() {
				continue
			}
			n.expr(x, in)
			if step.ComparisonMayPanic(n.Info.TypeOf(x)) {
				n.fail("a comparison of interfaces")
			}
		}
		// A clause may continue the one in front of it.
		n.forget(body)
		_, c := n.block(clause.Body, in)
		changed = changed || c
	}
	n.forget(body)
	if changed {
		return in, true
	}
	return st, false
}

func (n *nest) assignment(s *ast.AssignStmt, st state) {
	if len(s.Lhs) == 2 && len(s.Rhs) == 1 {
		switch r := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.TypeAssertExpr: // does not panic
			n.expr(r.X, st)
			n.assign(s.Lhs[0], st)
			n.assign(s.Lhs[1], st)
			return
		}
	}
	for _, r := range s.Rhs {
		n.expr(r, st)
	}
	for i, l := range s.Lhs {
		if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
			n.assign(l, st)
			continue
		}
		n.memoryAt(l, st, true, true)
		n.operator(assignOps[s.Tok], n.Info.TypeOf(l), s.Rhs[i])
	}
}

var assignOps = map[token.Token]token.Token{
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

// assign visits the left side of an assignment.
func (n *nest) assign(e ast.Expr, st state) { n.memoryAt(e, st, false, true) }

// operator refuses operations that may panic.
func (n *nest) operator(op token.Token, t types.Type, y ast.Expr) {
	switch op {
	case token.QUO, token.REM:
		if b, ok := t.Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 {
			n.fail("a division of unknown type")
		}
	case token.EQL, token.NEQ:
		if n.Info.Type(y).IsNil() {
			return
		}
	}
	if !step.OperatorMayPanic(op, t, n.Info.TypeOf(y), n.Info.Type(y).Value) {
		return
	}
	if lo, _, ok := n.between(y); ok && (lo > 0 || lo == 0 && (op == token.SHL || op == token.SHR)) {
		return
	}
	v, fixed := n.Value(y)
	switch op {
	case token.QUO, token.REM:
		if !fixed {
			n.fail("a division by what may be zero")
		}
		n.require(append(v.Conds, v.Text+" != 0"))
	case token.SHL, token.SHR:
		if !fixed {
			n.fail("a shift by what may be negative")
		}
		n.require(append(v.Conds, v.Text+" >= 0"))
	default:
		n.fail("a comparison of interfaces")
	}
}

// operand visits the operand of a selector or range clause: the place, and its value if
// that is a pointer or slice.
func (n *nest) operand(e ast.Expr, st state) {
	if t := n.Info.TypeOf(e); t != nil {
		switch t.Underlying().(type) {
		case *types.Struct, *types.Array:
			n.memoryAt(e, st, false, false)
			return
		}
	}
	n.expr(e, st)
}

// memoryAt visits a place that is read, written, or only addressed.
func (n *nest) memoryAt(e ast.Expr, st state, read, write bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		n.notePlace(e, st, read, write)
	case *ast.SelectorExpr:
		n.selector(e, st)
		n.field(e, st, read, write)
	case *ast.StarExpr:
		n.expr(e.X, st)
		n.nonNil(e.X, st)
		n.field(e, st, read, write)
	case *ast.IndexExpr:
		t := n.Info.TypeOf(e.X)
		if m, ok := t.Underlying().(*types.Map); ok {
			if write {
				n.fail("a write to a map, which may be nil")
			}
			if step.ComparisonMayPanic(m.Key()) {
				n.fail("a map whose key may panic")
			}
			n.expr(e.X, st)
			n.expr(e.Index, st)
			return
		}
		n.operand(e.X, st)
		n.expr(e.Index, st)
		n.access(e, st, read, write)
	default:
		n.expr(e, st)
	}
}

// selector visits the operand of a field selector.
func (n *nest) selector(e *ast.SelectorExpr, st state) {
	sel := n.Info.Selection(e)
	if sel == nil {
		return
	}
	if sel.Kind() != types.FieldVal || loop.EmbeddedPointer(sel) {
		n.fail("a method value, or a field behind an embedded pointer")
	}
	n.operand(e.X, st)
	if loop.IsPointer(n.Info.TypeOf(e.X)) {
		n.nonNil(e.X, st)
	}
}

// expr visits an expression that is evaluated.
func (n *nest) expr(e ast.Expr, st state) {
	if n.Info.Type(e).Value != nil {
		return
	}
	switch e := e.(type) {
	case *ast.BasicLit:
	case *ast.Ident:
		n.notePlace(e, st, true, false)
	case *ast.ParenExpr:
		n.expr(e.X, st)
	case *ast.SelectorExpr, *ast.StarExpr:
		n.memoryAt(e, st, true, false)
	case *ast.IndexExpr:
		if _, ok := n.Info.TypeOf(e).(*types.Signature); ok && n.Info.Type(e.Index).IsType() {
			return // an instance of a function
		}
		n.memoryAt(e, st, true, false)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			if c, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				n.expr(c, st)
			} else {
				n.memoryAt(e.X, st, false, false)
			}
			return
		}
		n.expr(e.X, st)
	case *ast.BinaryExpr:
		n.expr(e.X, st)
		switch e.Op {
		case token.LAND:
			yes, _ := n.split(e.X, st)
			n.expr(e.Y, yes)
			return
		case token.LOR:
			_, no := n.split(e.X, st)
			n.expr(e.Y, no)
			return
		}
		n.expr(e.Y, st)
		if !(e.Op == token.EQL || e.Op == token.NEQ) || !n.Info.Type(e.X).IsNil() {
			n.operator(e.Op, n.Info.TypeOf(e.X), e.Y)
		}
	case *ast.CompositeLit:
		if _, ok := n.Info.TypeOf(e).Underlying().(*types.Map); ok {
			n.fail("a map literal")
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			n.expr(x, st)
		}
	case *ast.SliceExpr:
		n.operand(e.X, st)
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil {
				n.expr(x, st)
			}
		}
		n.sliced(e, st)
	case *ast.CallExpr:
		n.callExpr(e, st)
	default:
		n.fail("an expression that may panic")
	}
}

// callExpr visits a call, a conversion included.
func (n *nest) callExpr(e *ast.CallExpr, st state) {
	tv := n.Info.Type(e.Fun)
	if tv.IsType() {
		t, from := tv.Type.Underlying(), n.Info.TypeOf(e.Args[0]).Underlying()
		_, toArray := t.(*types.Array)
		_, slice := from.(*types.Slice)
		n.expr(e.Args[0], st)
		if slice && (toArray || loop.IsPointer(t)) {
			if p, ok := t.(*types.Pointer); ok {
				t = p.Elem().Underlying()
			}
			n.longEnough(e.Args[0], t.(*types.Array).Len(), st)
		}
		return
	}
	if !tv.IsBuiltin() {
		n.call(e, st)
		return
	}
	args := e.Args
	switch name := loop.BuiltinName(e); name {
	case "new":
		return
	case "make":
		for _, a := range args[1:] {
			if n.Info.Type(a).Value == nil {
				n.fail("make with a size that may be negative")
			}
		}
		return
	case "len", "cap":
		n.operand(args[0], st)
		return
	case "min", "max", "real", "imag", "complex", "append", "copy":
	default:
		n.fail("a call of " + name)
	}
	for _, a := range args {
		n.expr(a, st)
	}
}

// nonNil requires that pointer e is not nil.
func (n *nest) nonNil(e ast.Expr, st state) {
	e = ast.Unparen(e)
	switch x := e.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return
		}
	case *ast.Ident:
		if v, ok := n.Info.Use(x).(*types.Var); ok && n.Inside(v) {
			if d := n.Definition(v); d != nil {
				n.nonNil(d, st)
				return
			}
		}
	case *ast.CallExpr:
		if r := n.Result(x); r != nil {
			n.nonNil(r, st)
			return
		}
	}
	if v, ok := n.Value(e); ok {
		n.require(append(v.Conds, v.Text+" != nil"))
		return
	}
	if w, ok := n.windowOf(e); ok {
		if k, isConst := w.len.IsConst(); isConst && k > 0 {
			return // a slice with elements is not nil
		}
	}
	defer n.in0(st)()
	l, ok := n.pointee(e)
	if !ok || !l.array.through {
		n.fail("a pointer that may be nil")
	}
	n.mustExist(l, st)
}

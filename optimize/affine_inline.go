package optimize

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"taskinstr/ssapass"
)

// A call of a simple function is looked at as if the function's statements stood
// in its place, behind declarations of its parameters as what it is called with:
//
//	v = m.At(i+1, j)    m', i', j' := m, i+1, j; v = m'.data[i'*m'.cols + j']
//
// For that its statements are copied, with variables of their own for parameters
// and locals. The copies have entries in the package's types.Info, which forget
// takes back, and know the text and position that their accesses have as sites. Names
// of the package are written in front of the loop, where they have to mean the same.
//
// Simple functions are of the same package, not generic, variadic or recursive, and
// have no control flow, named results, directives for the compiler, or parameters that
// they assign to. Arguments are not converted, to interfaces for one.

// directive matches comments that tell the compiler something of the function.
var directive = regexp.MustCompile(`^//(go:|export |line )`)

// maxInlined is how deep calls of simple functions may be in one another.
const maxInlined = 3

// A simple function is one statement after the other.
type simple struct {
	decl  *ast.FuncDecl
	text  []byte
	base  int // of the file's positions
	vars  map[*types.Var]*variable
	needs bool // it, or a simple one that it calls, has checks
	depth int  // of simple functions that it calls, and itself
	busy  bool // being looked at: who calls it then is called by it
}

// simpleOf returns what is known of f, of package s.pkg; nil if it is not simple.
func (s *source) simpleOf(f *types.Func) *simple {
	if f.Pkg() != s.pkg.Types {
		return nil
	}
	if x, ok := s.simples[f]; ok {
		return x
	}
	s.simples[f] = nil
	if s.decls[s.pkg] == nil {
		s.decls[s.pkg] = s.findDecls()
	}
	x := s.decls[s.pkg][f]
	if x == nil {
		return nil
	}
	x.busy = true
	ok := s.isSimple(x)
	x.busy = false
	if !ok {
		return nil
	}
	x.depth++
	if x.depth > maxInlined {
		return nil
	}
	s.simples[f] = x
	return x
}

// findDecls finds the functions with a body of the package.
func (s *source) findDecls() map[*types.Func]*simple {
	fset := s.m.a.Program().Fset
	found := map[*types.Func]*simple{}
	for _, file := range s.pkg.Syntax {
		pos := fset.File(file.FileStart)
		text, ok := s.m.a.Program().Text(pos.Name())
		if !ok {
			continue
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !s.moved(d.Pos()) {
				if f, ok := s.info.Defs[d.Name].(*types.Func); ok {
					found[f] = &simple{decl: d, text: text, base: pos.Base()}
				}
			}
		}
	}
	return found
}

// moved reports whether a line directive gives pos another line: several calls
// might then have one.
func (s *source) moved(pos token.Pos) bool {
	fset := s.m.a.Program().Fset
	return fset.PositionFor(pos, true) != fset.PositionFor(pos, false)
}

func (s *source) isSimple(x *simple) bool {
	sig := s.info.Defs[x.decl.Name].(*types.Func).Signature()
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil || sig.Variadic() {
		return false
	}
	if d := x.decl.Doc; d != nil {
		for _, c := range d.List {
			if directive.MatchString(c.Text) {
				return false
			}
		}
	}
	for v := range sig.Results().Variables() {
		if v.Name() != "" {
			return false
		}
	}
	x.vars = variables(x.decl, s.info)
	params := map[*types.Var]bool{sig.Recv(): true}
	for v := range sig.Params().Variables() {
		params[v] = true
	}
	for v, u := range x.vars {
		if !isGlobal(v) && u.addressed || params[v] && u.assigned > 0 {
			return false
		}
	}
	last := len(x.decl.Body.List) - 1
	for i, t := range x.decl.Body.List {
		switch t := t.(type) {
		case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.EmptyStmt:
		case *ast.ReturnStmt:
			if i < last || len(t.Results) != sig.Results().Len() {
				return false
			}
		default:
			return false
		}
	}
	ok := last >= 0
	ast.Inspect(x.decl.Body, func(n ast.Node) bool {
		ok = ok && (n == nil || s.isSimpleNode(x, n))
		return ok
	})
	return ok
}

// isSimpleNode reports whether a statement or expression of x can be copied, and
// notes what it calls and accesses.
func (s *source) isSimpleNode(x *simple, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.EmptyStmt, *ast.AssignStmt, *ast.ReturnStmt,
		*ast.BasicLit, *ast.ParenExpr, *ast.BinaryExpr, *ast.Ident:
	case *ast.UnaryExpr:
		return n.Op != token.ARROW
	case *ast.StarExpr, *ast.SelectorExpr:
	case *ast.IndexExpr:
		if tv := s.info.Types[n.Index]; tv.IsType() {
			return false
		}
		if _, isMap := s.info.TypeOf(n.X).Underlying().(*types.Map); isMap {
			return false
		}
	case *ast.CallExpr:
		tv := s.info.Types[n.Fun]
		switch {
		case tv.IsType():
			// Bytes are copied by the runtime's functions, which have hooks.
			return isNumber(tv.Type) && isNumber(s.info.TypeOf(n.Args[0]))
		case tv.IsBuiltin():
			name := builtinName(n)
			return name == "min" || name == "max" || name == "len" || s.info.Types[n].Value != nil
		}
		f, _ := s.static(n)
		if f == nil || s.decls[s.pkg][f] != nil && s.decls[s.pkg][f].busy {
			return false
		}
		if g := s.simpleOf(f); g != nil {
			x.depth = max(x.depth, g.depth)
			x.needs = x.needs || g.needs
		}
	default:
		return false
	}
	if e, ok := n.(ast.Expr); ok {
		for _, write := range []bool{true, false} {
			k := ssapass.NewKey(s.m.a.Program().Fset, e.Pos(), string(x.text[int(e.Pos())-x.base:int(e.End())-x.base]), write, false)
			if t := s.m.a.Sites.Lookup(k); t != nil {
				i := s.m.indexes[t]
				x.needs = x.needs || s.m.checked[i] && s.m.Fates[i].Kind != Removed
			}
		}
	}
	return true
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// static returns the function or method that is called, if that is certain, and
// the name of it.
func (s *source) static(c *ast.CallExpr) (*types.Func, *ast.Ident) {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if fn, ok := s.info.Uses[f].(*types.Func); ok {
			return fn, f
		}
	case *ast.SelectorExpr:
		sel := s.info.Selections[f]
		if sel == nil {
			fn, _ := s.info.Uses[f.Sel].(*types.Func)
			return fn, f.Sel
		}
		if sel.Kind() == types.MethodVal && !embeddedMethod(sel) && !types.IsInterface(sel.Recv()) {
			return sel.Obj().(*types.Func), f.Sel
		}
	}
	return nil, nil
}

// An inlined is a call with the statements of what it calls.
type inlined struct {
	fn      *simple
	name    token.Pos    // of the function, in the call
	params  []*types.Var // but for the receiver
	stmts   []ast.Stmt
	results []ast.Expr
	outer   *inlined   // whose statements it stands in
	inner   []*inlined // in its own
	walked  bool
	checks  bool   // that a scan may stand for
	kept    string // why the call goes to the function with all checks; of the outermost
}

// root returns the call that stands in the nest itself.
func (x *inlined) root() *inlined {
	for x.outer != nil {
		x = x.outer
	}
	return x
}

// keep has the call go to the function with all checks.
func (x *inlined) keep(reason string) {
	if r := x.root(); r.kept == "" {
		r.kept = reason
	}
}

// An inliner holds the calls of a nest that are looked at so.
type inliner struct {
	calls map[*ast.CallExpr]*inlined // nil: it is not
	of    map[*ast.CallExpr]*inlined // whose copy the call is in
	texts map[ast.Node]siteText
	vars  []*types.Var
}

// A siteText is where a copied expression stands, and how it is spelled there.
type siteText struct {
	pos  token.Pos
	text string
}

func newInliner() *inliner {
	return &inliner{calls: map[*ast.CallExpr]*inlined{}, of: map[*ast.CallExpr]*inlined{}, texts: map[ast.Node]siteText{}}
}

// forget takes back what inlining has told other tables.
func (l *loop) forget() {
	for n := range l.inl.texts {
		if e, ok := n.(ast.Expr); ok {
			delete(l.info.Types, e)
		}
		switch n := n.(type) {
		case *ast.Ident:
			delete(l.info.Uses, n)
			delete(l.info.Defs, n)
		case *ast.SelectorExpr:
			delete(l.info.Selections, n)
		}
	}
	for _, v := range l.inl.vars {
		delete(l.vars, v)
	}
	l.inl = nil
}

// site is that of source, for copies, too.
func (l *loop) site(e ast.Node, write, elems bool) *ssapass.Site {
	if l.inl != nil {
		if x, ok := l.inl.texts[e]; ok {
			t := l.m.a.Sites.Lookup(ssapass.NewKey(l.m.a.Program().Fset, x.pos, x.text, write, elems))
			if t == nil || len(t.Accesses) == 0 {
				return nil
			}
			return t
		}
	}
	return l.source.site(e, write, elems)
}

// words is that of source, for copies, too.
func (l *loop) words(e ast.Expr) string {
	if l.isCopy(e) {
		return types.ExprString(e)
	}
	return l.source.words(e)
}

func (l *loop) isCopy(n ast.Node) bool {
	if l.inl == nil {
		return false
	}
	_, ok := l.inl.texts[n]
	return ok
}

// inline returns the call with the statements of what it calls; nil if that is not
// simple, or cannot be looked at here.
func (l *loop) inline(c *ast.CallExpr) *inlined {
	if l.inl == nil {
		return nil
	}
	if x, ok := l.inl.calls[c]; ok {
		return x
	}
	l.inl.calls[c] = nil
	f, name := l.static(c)
	if f == nil || l.moved(name.Pos()) {
		return nil
	}
	fn := l.simpleOf(f)
	if fn == nil || len(c.Args) != f.Signature().Params().Len() {
		return nil
	}
	x := &inlined{fn: fn, name: name.Pos(), outer: l.inl.of[c]}
	k := &copier{l: l, x: x, vars: map[types.Object]*types.Var{}}
	if !k.call(c, f.Signature()) {
		return nil
	}
	if x.outer != nil {
		x.outer.inner = append(x.outer.inner, x)
	}
	l.inl.calls[c] = x
	return x
}

// result returns the value of a call of a simple function.
func (l *loop) result(e ast.Expr) ast.Expr {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if x := l.inline(c); x != nil && len(x.results) == 1 {
			return x.results[0]
		}
	}
	return nil
}

// addressed returns the place whose address pointer e is, if that can be read off
// the source.
func (l *loop) addressed(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if _, lit := ast.Unparen(e.X).(*ast.CompositeLit); e.Op == token.AND && !lit {
			return e.X
		}
	case *ast.Ident:
		if v, ok := l.info.Uses[e].(*types.Var); ok && l.inside(v) {
			if d := l.definition(v); d != nil {
				return l.addressed(d)
			}
		}
	case *ast.CallExpr:
		if r := l.result(e); r != nil {
			return l.addressed(r)
		}
	}
	return nil
}

// A copier copies the statements of a simple function.
type copier struct {
	l    *loop
	x    *inlined
	vars map[types.Object]*types.Var // parameters and locals, and what they are in the copy
	bad  bool                        // it cannot be copied
}

// call declares the parameters and copies the statements.
func (k *copier) call(c *ast.CallExpr, sig *types.Signature) bool {
	l := k.l
	if r := sig.Recv(); r != nil {
		x := ast.Unparen(c.Fun).(*ast.SelectorExpr).X
		t := l.info.TypeOf(x)
		switch {
		case isPointer(r.Type()) && !isPointer(t):
			x = l.made(&ast.UnaryExpr{OpPos: x.Pos(), Op: token.AND, X: x}, r.Type(), siteText{})
		case !isPointer(r.Type()) && isPointer(t):
			x = l.star(x)
		}
		if !types.Identical(l.info.TypeOf(x), r.Type()) {
			return false
		}
		k.declare(r, x)
	}
	for i := range c.Args {
		p := sig.Params().At(i)
		arg := c.Args[i]
		if !types.Identical(l.info.TypeOf(arg), p.Type()) {
			return false // it is converted
		}
		k.x.params = append(k.x.params, k.declare(p, arg))
	}
	for _, s := range k.x.fn.decl.Body.List {
		k.statement(s)
	}
	return !k.bad
}

// declare makes a variable of the nest for one of the function.
func (k *copier) declare(v *types.Var, def ast.Expr) *types.Var {
	l := k.l
	fresh := types.NewVar(l.stmt.Pos(), v.Pkg(), v.Name(), v.Type())
	k.vars[v] = fresh
	u := &variable{def: def}
	if old := k.x.fn.vars[v]; old != nil {
		u.assigned = old.assigned
	}
	l.vars[fresh] = u
	l.inl.vars = append(l.inl.vars, fresh)
	return fresh
}

// made notes an expression that has none in the source.
func (l *loop) made(e ast.Expr, t types.Type, text siteText) ast.Expr {
	l.info.Types[e] = types.TypeAndValue{Type: t}
	l.inl.texts[e] = text
	return e
}

// star returns what pointer x points to, as a method with a receiver of that type is
// called with it.
func (l *loop) star(x ast.Expr) ast.Expr {
	t := l.info.TypeOf(x).Underlying().(*types.Pointer).Elem()
	return l.made(&ast.StarExpr{Star: x.Pos(), X: x}, t, siteText{x.Pos(), "*" + l.spelled(x)})
}

// spelled is the text of e where it stands.
func (l *loop) spelled(e ast.Expr) string {
	if x, ok := l.inl.texts[e]; ok {
		return x.text
	}
	return l.source.words(e)
}

func (k *copier) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		k.x.results = k.exprs(s.Results)
	case *ast.ExprStmt:
		k.add(&ast.ExprStmt{X: k.expr(s.X)})
	case *ast.IncDecStmt:
		k.add(&ast.IncDecStmt{X: k.expr(s.X), TokPos: s.TokPos, Tok: s.Tok})
	case *ast.AssignStmt:
		t := &ast.AssignStmt{TokPos: s.TokPos, Tok: s.Tok, Rhs: k.exprs(s.Rhs)}
		for i, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && s.Tok == token.DEFINE {
				if v, ok := k.l.info.Defs[id].(*types.Var); ok {
					var def ast.Expr
					if len(s.Lhs) == len(s.Rhs) {
						def = t.Rhs[i]
					}
					k.declare(v, def)
				}
			}
		}
		t.Lhs = k.exprs(s.Lhs)
		k.add(t)
	}
}

func (k *copier) add(s ast.Stmt) { k.x.stmts = append(k.x.stmts, s) }

func (k *copier) exprs(list []ast.Expr) (out []ast.Expr) {
	for _, e := range list {
		out = append(out, k.expr(e))
	}
	return out
}

// expr copies an expression.
func (k *copier) expr(e ast.Expr) ast.Expr {
	info := k.l.info
	var c ast.Expr
	switch e := e.(type) {
	case *ast.BasicLit:
		return e
	case *ast.Ident:
		c = k.ident(e)
	case *ast.ParenExpr:
		c = &ast.ParenExpr{Lparen: e.Lparen, X: k.expr(e.X), Rparen: e.Rparen}
	case *ast.BinaryExpr:
		c = &ast.BinaryExpr{X: k.expr(e.X), OpPos: e.OpPos, Op: e.Op, Y: k.expr(e.Y)}
	case *ast.UnaryExpr:
		c = &ast.UnaryExpr{OpPos: e.OpPos, Op: e.Op, X: k.expr(e.X)}
	case *ast.StarExpr:
		c = &ast.StarExpr{Star: e.Star, X: k.expr(e.X)}
	case *ast.IndexExpr:
		c = &ast.IndexExpr{X: k.expr(e.X), Lbrack: e.Lbrack, Index: k.expr(e.Index), Rbrack: e.Rbrack}
	case *ast.SelectorExpr:
		t := &ast.SelectorExpr{X: e.X, Sel: e.Sel}
		if sel := info.Selections[e]; sel != nil { // not of another package
			t.X = k.expr(e.X)
			info.Selections[t] = sel
		}
		c = t
	case *ast.CallExpr:
		t := &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Args: k.exprs(e.Args), Rparen: e.Rparen}
		if f, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && info.Selections[f] != nil {
			t.Fun = k.expr(f)
		} else if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			k.visible(id)
		}
		k.l.inl.of[t] = k.x
		c = t
	default:
		k.bad = true
		return e
	}
	text := k.x.fn.text[int(e.Pos())-k.x.fn.base : int(e.End())-k.x.fn.base]
	k.l.inl.texts[c] = siteText{e.Pos(), string(text)}
	if tv, ok := info.Types[e]; ok {
		info.Types[c] = tv
	}
	return c
}

func (k *copier) ident(e *ast.Ident) ast.Expr {
	info := k.l.info
	c := &ast.Ident{NamePos: e.NamePos, Name: e.Name}
	if o := info.Defs[e]; o != nil {
		info.Defs[c] = k.vars[o]
		return c
	}
	o := info.Uses[e]
	if v := k.vars[o]; v != nil {
		info.Uses[c] = v
		return c
	}
	if e.Name != "_" {
		k.visible(e)
	}
	if o != nil {
		info.Uses[c] = o
	}
	return c
}

// visible makes sure that a name of the package or of Go means the same in front
// of the loop.
func (k *copier) visible(id *ast.Ident) {
	o := k.l.info.Uses[id]
	scope := k.l.pkg.Types.Scope().Innermost(k.l.stmt.Pos())
	if o == nil || scope == nil {
		k.bad = true
		return
	}
	if s, found := scope.LookupParent(id.Name, k.l.stmt.Pos()); found != o || s != types.Universe && s != k.l.pkg.Types.Scope() {
		k.bad = true
	}
}

package optimize

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// Both passes on loops look for them in the syntax trees, where their code will
// stand, and ask SSA about calls and memory, by position.

// A program is what passes on loops share.
type program struct {
	m      *maker
	calls  map[token.Pos][]ssa.CallInstruction // by opening parenthesis
	panics map[*ssa.Function]*panicFacts

	simples map[*types.Func]*simple                       // nil: it is not
	decls   map[*packages.Package]map[*types.Func]*simple // those with a body
	listed  map[token.Pos]bool                            // names in calls of clones
}

// A source is one file of a package in scope.
type source struct {
	*program
	pkg  *packages.Package
	info *types.Info
	name string // as in ssapass.Key
	text []byte
	base int // of the file's positions
	vars map[*types.Var]*variable
	next int // number of the next flag
}

// sources calls f for each file of the packages in scope, once where several
// packages compile it.
func (m *maker) sources(f func(*source, *ast.File)) {
	p := &program{
		m: m, calls: map[token.Pos][]ssa.CallInstruction{}, panics: map[*ssa.Function]*panicFacts{},
		simples: map[*types.Func]*simple{}, decls: map[*packages.Package]map[*types.Func]*simple{}, listed: map[token.Pos]bool{},
	}
	for _, fn := range m.a.Program().Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok && c.Common().Pos().IsValid() {
					p.calls[c.Common().Pos()] = append(p.calls[c.Common().Pos()], c)
				}
			}
		}
	}
	fset := m.a.Program().Fset
	seen := map[string]bool{}
	for _, pkg := range m.a.Program().Packages {
		if !m.scope[pkg.PkgPath] || !ssapass.Instrumented(pkg.PkgPath) || pkg.TypesInfo == nil {
			continue
		}
		for _, file := range pkg.Syntax {
			name := fset.PositionFor(file.FileStart, false).Filename
			text, ok := m.a.Program().Text(name)
			if !ok || seen[name] {
				continue
			}
			seen[name] = true
			f(&source{
				program: p, pkg: pkg, info: pkg.TypesInfo, name: name, text: text,
				base: fset.File(file.FileStart).Base(), vars: variables(file, pkg.TypesInfo),
			}, file)
		}
	}
}

// words returns the source of n.
func (s *source) words(n ast.Node) string {
	return string(s.text[int(n.Pos())-s.base : int(n.End())-s.base])
}

// site looks up the access of e; nil where the analysis knows none.
func (s *source) site(e ast.Node, write, elems bool) *ssapass.Site {
	t := s.m.a.Sites.Lookup(ssapass.NewKey(s.m.a.Program().Fset, e.Pos(), s.words(e), write, elems))
	if t == nil || len(t.Accesses) == 0 {
		return nil
	}
	return t
}

// open returns the index of a site whose fate may change, and otherwise -1.
func (s *source) open(t *ssapass.Site) int {
	if t == nil {
		return -1
	}
	if i := s.m.indexes[t]; s.m.isOpen(i) {
		return i
	}
	return -1
}

// isLoop reports whether n is a loop in front of which code can stand: those over
// functions are calls.
func (s *source) isLoop(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt:
		return true
	case *ast.RangeStmt:
		t := s.info.TypeOf(n.X)
		if t == nil {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Basic, *types.Slice, *types.Array, *types.Pointer, *types.Map:
			return true
		}
	}
	return false
}

// A loop is a loop with what its code does, in header and body.
type loop struct {
	*source
	stmt     ast.Stmt
	sync     ssapass.Sync        // of its calls
	odd      string              // a statement that rules out both passes
	assigned map[*types.Var]bool // also in part
	writes   []pointsto.Set
	effects  []*ssapass.Effect // of callees
	wild     bool              // writes memory that is not known
	inl      *inliner          // of calls that are looked into; nil: none are
}

func (s *source) look(stmt ast.Stmt) *loop {
	l := &loop{source: s, stmt: stmt, assigned: map[*types.Var]bool{}}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			l.odd = "a function literal"
		case *ast.GoStmt:
			l.odd = "a go statement"
		case *ast.DeferStmt:
			l.odd = "a deferred call"
		case *ast.SendStmt, *ast.SelectStmt:
			l.odd = "a channel operation"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				l.odd = "a channel operation"
			}
		case *ast.RangeStmt:
			if !s.isLoop(n) {
				l.odd = "a range over a channel or function"
			}
			if n.Tok == token.ASSIGN {
				l.write(n.Key)
				if n.Value != nil {
					l.write(n.Value)
				}
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); !ok || s.info.Defs[id] == nil {
					l.write(x)
				}
			}
		case *ast.IncDecStmt:
			l.write(n.X)
		case *ast.CallExpr:
			l.call(n)
		}
		return true
	})
	return l
}

// write notes a store to e.
func (l *loop) write(e ast.Expr) {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	if v := rootVar(l.info, e); v != nil {
		l.assigned[v] = true
		if !l.inMemory(v) {
			return
		}
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		if t := l.info.TypeOf(x.X); t != nil {
			if _, ok := t.Underlying().(*types.Map); ok {
				return // no path leads through a map
			}
		}
	}
	l.written(l.site(e, true, false))
}

func (l *loop) written(t *ssapass.Site) {
	if t == nil {
		l.wild = true
		return
	}
	for _, c := range t.Accesses {
		l.writes = append(l.writes, l.m.a.Where(t, c))
	}
}

func (l *loop) call(c *ast.CallExpr) {
	tv := l.info.Types[c.Fun]
	switch {
	case tv.IsType() || l.info.Types[c].Value != nil:
		return
	case tv.IsBuiltin():
		switch name := builtinName(c); name {
		case "append", "copy", "clear":
			if t := l.info.TypeOf(c.Args[0]); t != nil {
				if _, ok := t.Underlying().(*types.Map); ok {
					return
				}
			}
			l.written(l.site(c.Args[0], true, true))
		case "close":
			l.odd = "a channel operation"
		case "panic", "recover":
			l.sync |= ssapass.MayPanic
		}
		return
	}
	list := l.calls[c.Lparen]
	if len(list) == 0 {
		l.odd = "a call that is not known"
		return
	}
	for _, in := range list {
		l.sync |= l.m.a.CallSync(in)
		callees, unseen := l.m.a.Callees(in)
		if unseen {
			l.sync |= ssapass.CallsUnseen
			l.wild = true
		}
		for _, f := range callees {
			l.effects = append(l.effects, &l.m.a.Summary(f).Writes)
			if len(f.Blocks) == 0 && l.m.a.Program().Body(f) == nil && pointers(in.Common()) {
				l.wild = true
			}
		}
	}
}

// pointers reports whether an argument of the call holds a pointer.
func pointers(c *ssa.CallCommon) bool {
	for _, x := range c.Args {
		switch t := x.Type().Underlying().(type) {
		case *types.Basic:
			if t.Kind() == types.UnsafePointer {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func builtinName(c *ast.CallExpr) string {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// mayWrite reports whether the loop may write what the access reads or writes.
func (l *loop) mayWrite(t *ssapass.Site) bool {
	if t == nil || l.wild {
		return true
	}
	for _, c := range t.Accesses {
		at := l.m.a.Where(t, c)
		for _, w := range l.writes {
			if l.m.a.Points.Overlap(at, w) {
				return true
			}
		}
		for _, e := range l.effects {
			if e.May(l.m.a.Points, at) {
				return true
			}
		}
	}
	return false
}

// inside reports whether the object is declared in the loop.
func (l *loop) inside(o types.Object) bool {
	return l.stmt.Pos() <= o.Pos() && o.Pos() < l.stmt.End()
}

// plain reports whether the names that inserted code uses mean in front of the
// loop what they mean in every Go file.
func (l *loop) plain() bool {
	scope := l.pkg.Types.Scope().Innermost(l.stmt.Pos())
	if scope == nil {
		return false
	}
	for _, name := range []string{"len", "int", "nil", "true", "false"} {
		if s, _ := scope.LookupParent(name, l.stmt.Pos()); s != types.Universe {
			return false
		}
	}
	return true
}

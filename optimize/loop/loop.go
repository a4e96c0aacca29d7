package loop

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
)

// A Loop is a loop with the effects of its header and body.
type Loop struct {
	*File
	Info     *Info // of the file, or an extension for Copies
	Stmt     ast.Stmt
	Obstacle string              // a construct that no pass on loops can deal with; "": none
	Sync     ssapass.Sync        // of the calls
	Assigned map[*types.Var]bool // to the variable or a part of it

	writes  []store
	effects []*ssapass.Effect // of callees
	unknown bool              // the loop writes memory that the analysis does not know

	copies Copies                   // nil: calls are not looked into
	own    map[*types.Var]*Variable // declared by copies
}

// Look collects the effects of a loop, or of a block of statements.
func (f *File) Look(stmt ast.Stmt) *Loop {
	l := &Loop{File: f, Info: f.Info, Stmt: stmt, Assigned: map[*types.Var]bool{}}
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			l.Obstacle = "a function literal"
		case *ast.GoStmt:
			l.Obstacle = "a go statement"
		case *ast.DeferStmt:
			l.Obstacle = "a deferred call"
		case *ast.SendStmt, *ast.SelectStmt:
			l.Obstacle = "a channel operation"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				l.Obstacle = "a channel operation"
			}
		case *ast.RangeStmt:
			if !f.IsLoop(n) {
				l.Obstacle = "a range over a channel or function"
			}
			if n.Tok == token.ASSIGN {
				l.write(n.Key)
				if n.Value != nil {
					l.write(n.Value)
				}
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); !ok || l.Info.Def(id) == nil {
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
func (l *Loop) write(e ast.Expr) {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	if v := RootVar(l.Info, e); v != nil {
		l.Assigned[v] = true
		if !l.InMemory(v) {
			return
		}
	}
	if x, ok := e.(*ast.IndexExpr); ok {
		if t := l.Info.TypeOf(x.X); t != nil {
			if _, ok := t.Underlying().(*types.Map); ok {
				return // an Invariant never leads through a map
			}
		}
	}
	l.written(l.Site(e, true, false))
}

// written notes a store to the memory of a site.
func (l *Loop) written(s *ssapass.Site) {
	if s == nil {
		l.unknown = true
		return
	}
	for _, c := range s.Accesses {
		l.writes = append(l.writes, store{l.Builder.Analysis.Where(s, c), kindsOf(s, c)})
	}
}

// call notes the effects of a call.
func (l *Loop) call(c *ast.CallExpr) {
	tv := l.Info.Type(c.Fun)
	switch {
	case tv.IsType() || l.Info.Type(c).Value != nil:
		return
	case tv.IsBuiltin():
		switch name := BuiltinName(c); name {
		case "append", "copy", "clear":
			if t := l.Info.TypeOf(c.Args[0]); t != nil {
				if _, ok := t.Underlying().(*types.Map); ok {
					return
				}
			}
			l.written(l.Site(c.Args[0], true, true))
		case "close":
			l.Obstacle = "a channel operation"
		case "panic", "recover":
			l.Sync |= ssapass.MayPanic
		}
		return
	}
	list := l.Calls(c)
	if k, ok := l.Info.Contract(c); ok {
		if k.Stores > 0 {
			l.stores(list)
		}
		return
	}
	if len(list) == 0 {
		l.Obstacle = "a call that is not known"
		return
	}
	a := l.Builder.Analysis
	for _, in := range list {
		l.Sync |= a.CallSync(in)
		callees, external := a.Callees(in)
		if external {
			l.Sync |= ssapass.CallsUnseen
			l.unknown = true
		}
		for _, f := range callees {
			l.effects = append(l.effects, &a.Summary(f).Writes)
			if len(f.Blocks) == 0 && a.Program().Body(f) == nil && passesPointer(in.Common()) {
				sets, ok := a.ArgumentWrites(in, f)
				l.unknown = l.unknown || !ok
				for _, s := range sets {
					l.writes = append(l.writes, store{s, anyKind})
				}
			}
		}
	}
}

// stores notes that the calls, of methods, write bytes of their first argument, a slice.
func (l *Loop) stores(calls []ssa.CallInstruction) {
	l.unknown = l.unknown || len(calls) == 0
	for _, in := range calls {
		receiver, args := 1, in.Common().Args
		if in.Common().IsInvoke() || len(args) <= receiver {
			l.unknown = true
			return
		}
		l.writes = append(l.writes, store{l.Builder.Analysis.Points.Elems(args[receiver]), integer1})
	}
}

// passesPointer reports whether an argument of the call may hold a pointer.
func passesPointer(c *ssa.CallCommon) bool {
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

// BuiltinName returns the name of a function that is called by name.
func BuiltinName(c *ast.CallExpr) string {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// MayWrite reports whether the loop may write the memory of the site.
func (l *Loop) MayWrite(s *ssapass.Site) bool {
	if s == nil || l.unknown {
		return true
	}
	a := l.Builder.Analysis
	for _, c := range s.Accesses {
		mem := a.Where(s, c)
		for _, w := range l.writes {
			if w.kinds&kindsOf(s, c) != 0 && a.Points.Overlap(mem, w.Set) {
				return true
			}
		}
		for _, e := range l.effects {
			if e.May(a.Points, mem) {
				return true
			}
		}
	}
	return false
}

// Inside reports whether the object is declared in the loop.
func (l *Loop) Inside(o types.Object) bool {
	return l.Stmt.Pos() <= o.Pos() && o.Pos() < l.Stmt.End()
}

// Unshadowed reports whether the predeclared names in inserted code have their usual
// meaning in front of the loop.
func (l *Loop) Unshadowed() bool {
	scope := l.Pkg.Types.Scope().Innermost(l.Stmt.Pos())
	if scope == nil {
		return false
	}
	for _, name := range []string{"len", "int", "nil", "true", "false"} {
		if s, _ := scope.LookupParent(name, l.Stmt.Pos()); s != types.Universe {
			return false
		}
	}
	return true
}

// Repeated calls f for the nodes that the loop runs in each iteration.
func (l *Loop) Repeated(f func(ast.Node)) {
	visit := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if n != nil {
				f(n)
			}
			return true
		})
	}
	switch s := l.Stmt.(type) {
	case *ast.ForStmt:
		if s.Cond != nil {
			visit(s.Cond)
		}
		if s.Post != nil {
			visit(s.Post)
		}
		visit(s.Body)
	case *ast.RangeStmt:
		visit(s.Body)
	}
}

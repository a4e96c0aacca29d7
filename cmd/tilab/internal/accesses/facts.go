package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A facts holds the facts about the variables of a package that the classes need. It does
// not take them from package splice, since this package audits them.
type facts struct {
	pkg       *parsed
	changed   map[*types.Var]bool // the code assigns to it, or to a part of it
	taken     map[*types.Var]bool // the code takes its address, or the address of a part
	captured  map[*types.Var]bool // a function literal uses it, and another function declares it
	elsewhere map[*types.Var]bool // captured, and the literal is not only called or deferred on the spot
	funcs     map[*types.Func]*ast.FuncDecl
	computed  map[*types.Var]bool // its initial value needs code
	linked    map[*types.Var]bool // a directive links it to another name
	// accompanied: a check in an initializer shows that splicing found other tasks, which
	// may run beside the initializers.
	accompanied bool
	iterated    map[*types.Var]bool // the body of a loop over a function uses it, and it is declared outside
}

func newFacts(p *parsed) *facts {
	f := &facts{
		pkg: p, funcs: map[*types.Func]*ast.FuncDecl{}, changed: map[*types.Var]bool{}, taken: map[*types.Var]bool{}, captured: map[*types.Var]bool{},
		elsewhere: map[*types.Var]bool{}, computed: map[*types.Var]bool{}, linked: map[*types.Var]bool{}, iterated: map[*types.Var]bool{},
	}
	for _, a := range p.Files {
		for _, g := range a.Comments {
			for _, l := range g.List {
				if w := strings.Fields(l.Text); len(w) > 1 && w[0] == "//go:linkname" {
					if v, ok := p.Pkg.Scope().Lookup(w[1]).(*types.Var); ok {
						f.linked[v] = true
					}
				}
			}
		}
		ast.PreorderStack(a, nil, func(n ast.Node, stack []ast.Node) bool {
			f.note(n, stack)
			return true
		})
	}
	return f
}

// root returns the variable whose own memory holds e, or nil.
func (f *facts) root(e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			s := f.pkg.Info.Selections[x]
			if s == nil {
				v, _ := f.pkg.Info.Uses[x.Sel].(*types.Var)
				return v
			}
			if s.Kind() != types.FieldVal || s.Indirect() {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if _, ok := site.Core(f.pkg.typeOf(x.X)).(*types.Array); !ok {
				return nil
			}
			e = x.X
		case *ast.Ident:
			v, _ := f.pkg.Info.ObjectOf(x).(*types.Var)
			return v
		default:
			return nil
		}
	}
}

func (f *facts) mark(m map[*types.Var]bool, e ast.Expr) {
	if v := f.root(e); v != nil {
		m[v] = true
	}
}

// note adds the facts of node n, inside stack.
func (f *facts) note(n ast.Node, stack []ast.Node) {
	info := f.pkg.Info
	switch n := n.(type) {
	case *ast.FuncDecl:
		if fn, ok := info.Defs[n.Name].(*types.Func); ok {
			f.funcs[fn] = n
		}
	case *ast.Ident:
		v, ok := info.Uses[n].(*types.Var)
		if !ok || v.IsField() || site.IsGlobal(v) {
			return
		}
		for i, s := range stack {
			outside := v.Pos() < s.Pos() || v.Pos() >= s.End()
			switch s := s.(type) {
			case *ast.FuncLit:
				f.captured[v] = f.captured[v] || outside
				f.elsewhere[v] = f.elsewhere[v] || outside && !calledOnTheSpot(s, stack[:i])
			case *ast.RangeStmt:
				if _, ok := site.Core(f.pkg.typeOf(s.X)).(*types.Signature); ok && outside && n.Pos() >= s.Body.Pos() {
					f.iterated[v] = true
				}
			}
		}
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if id, ok := l.(*ast.Ident); !ok || info.Defs[id] == nil {
				f.mark(f.changed, l)
			}
		}
	case *ast.IncDecStmt:
		f.mark(f.changed, n.X)
	case *ast.ValueSpec:
		for _, id := range n.Names {
			v, ok := info.Defs[id].(*types.Var)
			if ok && slices.ContainsFunc(n.Values, f.dynamic) {
				f.computed[v] = true
			}
		}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if l != nil {
					f.mark(f.changed, l)
				}
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			f.mark(f.taken, n.X)
		}
	case *ast.SliceExpr:
		if _, ok := site.Core(f.pkg.typeOf(n.X)).(*types.Array); ok {
			f.mark(f.taken, n.X)
		}
	case *ast.SelectorExpr:
		s := info.Selections[n]
		if s == nil || s.Kind() != types.MethodVal || s.Indirect() {
			return
		}
		if _, ptr := s.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer); ptr {
			f.mark(f.taken, n.X)
		}
	}
}

// keeps reports whether the package-level variable v never changes.
func (f *facts) keeps(v *types.Var) bool {
	return v != nil && site.IsGlobal(v) && v.Pkg() == f.pkg.Pkg && !v.Exported() && !f.changed[v] && !f.taken[v] && !f.linked[v] &&
		!(f.computed[v] && f.accompanied)
}

// dynamic reports whether the initial value e needs code: it calls a function, reads a
// variable, or makes a map or a method value.
func (f *facts) dynamic(e ast.Expr) (found bool) {
	pointed := map[ast.Expr]bool{}
	called := map[ast.Expr]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				pointed[ast.Unparen(n.X)] = true
			}
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
			found = found || !f.pkg.Info.Types[n.Fun].IsType() && f.pkg.Info.Types[n].Value == nil
		case *ast.CompositeLit:
			_, m := site.Core(f.pkg.typeOf(n)).(*types.Map)
			found = found || m
		case *ast.SelectorExpr:
			if pointed[n] {
				return false
			}
			s := f.pkg.Info.Selections[n]
			found = found || s != nil && s.Kind() == types.MethodVal && !called[n]
		case *ast.Ident:
			v, ok := f.pkg.Info.Uses[n].(*types.Var)
			found = found || ok && !v.IsField() && !pointed[n]
		}
		return !found
	})
	return found
}

// calledOnTheSpot reports whether the code calls or defers the function of literal l,
// inside stack, on the spot, so that it runs in the goroutine of the function around it.
func calledOnTheSpot(l *ast.FuncLit, stack []ast.Node) bool {
	i := len(stack) - 1
	for i > 0 && isParen(stack[i]) {
		i--
	}
	call, ok := stack[i].(*ast.CallExpr)
	if !ok || ast.Unparen(call.Fun) != l {
		return false
	}
	g, ok := stack[i-1].(*ast.GoStmt)
	return !ok || g.Call != call
}

func isParen(n ast.Node) bool {
	_, ok := n.(*ast.ParenExpr)
	return ok
}

// own reports whether no other goroutine can know the memory of v. This holds for a local
// variable if no code takes its address and no function literal shares it after a change.
func (f *facts) own(v *types.Var) bool {
	return !site.IsGlobal(v) && !f.taken[v] && !(f.elsewhere[v] && f.changed[v]) && !(f.iterated[v] && f.changed[v])
}

// private reports whether no other goroutine can know the memory of e: e is the result of
// an operation, or lies in a variable of the goroutine's own.
func (f *facts) private(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		v := f.root(x)
		if _, ok := x.(*ast.Ident); ok && v == nil { // a constant, nil, or a function
			return true
		}
		if v == nil {
			if s, ok := x.(*ast.SelectorExpr); ok && f.pkg.Info.Selections[s] != nil && !f.pkg.Info.Selections[s].Indirect() {
				return f.private(s.X) // a field of the result of an operation
			}
			return false
		}
		return f.own(v)
	case *ast.CallExpr:
		if f.pkg.Info.Types[x.Fun].IsType() { // a conversion to an array reads the elements of the slice
			_, slice := site.Core(f.pkg.typeOf(x.Args[0])).(*types.Slice)
			return f.private(x.Args[0]) && !(slice && isArray(f.pkg.typeOf(x)))
		}
	case *ast.StarExpr: // *(*T)(unsafe.Pointer(&x)) is x
		if to, ok := ast.Unparen(x.X).(*ast.CallExpr); ok && len(to.Args) == 1 {
			if from, ok := ast.Unparen(to.Args[0]).(*ast.CallExpr); ok && len(from.Args) == 1 {
				if a, ok := ast.Unparen(from.Args[0]).(*ast.UnaryExpr); ok && a.Op == token.AND {
					v := f.root(a.X)
					return v != nil && !site.IsGlobal(v) && !f.captured[v]
				}
			}
		}
		return false
	}
	return true
}

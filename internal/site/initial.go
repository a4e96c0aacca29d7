package site

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Package-level initializers run before any code that could start a goroutine,
// as a rule. Where that is certain, their accesses race with nothing and get no
// sites, so that values which the compiler can turn into data stay data.
//
// It is certain if no initializer of the package calls anything that could
// start a goroutine which reaches the package's variables. Harmless calls are
//
//   - of functions of this package that only make harmless calls, store
//     nothing through pointers or into other packages, and use no go
//     statements, channels and function values;
//   - of functions of other packages whose arguments are plain numbers, strings
//     and booleans: nothing of this package comes to their knowledge.

// alone reports whether the package's initializers run alone.
func (p *Package) alone() bool {
	decls := map[*types.Func]*ast.FuncDecl{}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil {
				if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					decls[fn] = d
				}
			}
		}
	}
	s := &initialScan{p: p, decls: decls, seen: map[*types.Func]bool{}}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, sp := range g.Specs {
				for _, v := range sp.(*ast.ValueSpec).Values {
					if !s.harmless(v, false) {
						return false
					}
				}
			}
		}
	}
	return true
}

type initialScan struct {
	p     *Package
	decls map[*types.Func]*ast.FuncDecl
	seen  map[*types.Func]bool // found harmless, or being looked at
}

// harmless reports whether n, an initializer or the body of a function that one
// calls, can neither start a goroutine nor make it possible.
func (s *initialScan) harmless(n ast.Node, body bool) bool {
	info := s.p.Info
	ok := true
	called := map[ast.Expr]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt, *ast.DeferStmt:
			ok = false
		case *ast.FuncLit:
			// As a value of an initializer it is data; nobody calls it yet.
			ok = ok && !body
			return false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				ok = ok && (n.Tok == token.DEFINE || s.own(l))
			}
		case *ast.IncDecStmt:
			ok = ok && s.own(n.X)
		case *ast.RangeStmt:
			_, iterator := Core(s.p.TypeOf(n.X)).(*types.Signature)
			ok = ok && !iterator
			for _, l := range []ast.Expr{n.Key, n.Value} {
				ok = ok && (l == nil || n.Tok == token.DEFINE || s.own(l))
			}
		case *ast.CallExpr:
			called[ast.Unparen(n.Fun)] = true
			ok = ok && s.call(n)
		case ast.Expr:
			// A function that receives a function value, or an interface with
			// methods, could call it.
			if tv, known := info.Types[n]; body && known && tv.IsValue() && !called[n] {
				if _, fn := tv.Type.Underlying().(*types.Signature); fn {
					ok = false
				}
			}
		}
		return ok
	})
	return ok
}

// own reports whether l is stored into a variable of this package itself.
func (s *initialScan) own(l ast.Expr) bool {
	if IsBlank(l) {
		return true
	}
	id := s.p.Root(ast.Unparen(l))
	if id == nil {
		return false
	}
	v, ok := s.p.Info.ObjectOf(id).(*types.Var)
	return ok && v.Pkg() == s.p.Pkg
}

func (s *initialScan) call(c *ast.CallExpr) bool {
	info := s.p.Info
	if tv := info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
		return true
	}
	var fn *types.Func
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		fn, _ = info.Uses[f].(*types.Func)
	case *ast.SelectorExpr:
		if info.Selections[f] == nil {
			fn, _ = info.Uses[f.Sel].(*types.Func)
		}
	}
	if fn == nil || fn.Signature().TypeParams().Len() > 0 {
		return false
	}
	if fn.Pkg() == s.p.Pkg {
		d := s.decls[fn]
		if d == nil || d.Body == nil {
			return false
		}
		if s.seen[fn] {
			return true
		}
		s.seen[fn] = true
		return s.harmless(d.Body, true)
	}
	for _, a := range c.Args {
		b, ok := s.p.TypeOf(a).Underlying().(*types.Basic)
		if !ok || b.Info()&(types.IsNumeric|types.IsString|types.IsBoolean) == 0 || b.Kind() == types.Uintptr {
			return false
		}
	}
	params := fn.Signature().Params()
	for v := range params.Variables() { // an interface would take methods along
		if _, ok := v.Type().Underlying().(*types.Basic); !ok {
			return false
		}
	}
	return true
}

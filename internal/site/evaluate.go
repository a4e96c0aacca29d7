package site

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// Calls reports whether evaluating e calls a function or receives.
func (p *Package) Calls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.CallExpr:
			tv := p.Info.Types[n.Fun]
			if p.Info.Types[n].Value == nil && !tv.IsType() && !tv.IsBuiltin() {
				found = true
			}
		}
		return !found
	})
	return found
}

// CalledBehind reports whether root calls a function behind its part e.
func (p *Package) CalledBehind(root, e ast.Expr) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		x, ok := n.(ast.Expr)
		found = found || ok && x.Pos() >= e.End() && p.Calls(x)
		return !found
	})
	return found
}

// Dynamic reports whether the initial value e of a package-level variable needs code: it
// calls a function, reads a variable, or is or holds a value that no data can be.
func (p *Package) Dynamic(e ast.Expr) bool {
	found := p.Calls(e)
	address := map[ast.Expr]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				address[ast.Unparen(n.X)] = true
			}
		case *ast.CompositeLit:
			_, m := Core(p.TypeOf(n)).(*types.Map)
			found = found || m
		case *ast.SelectorExpr:
			if address[n] {
				return false
			}
			sel := p.Info.Selections[n]
			found = found || sel != nil && sel.Kind() == types.MethodVal
		case *ast.Ident:
			switch o := p.Info.Uses[n].(type) {
			case *types.Builtin:
				found = found || p.Info.Types[e].Value == nil
			case *types.Var:
				found = found || !o.IsField() && !address[n]
			}
		}
		return !found
	})
	return found
}

// ConstFree reports whether e is no constant.
func (p *Package) ConstFree(e ast.Expr) bool { return p.Info.Types[e].Value == nil }

// IsBool reports whether t is bool or untyped bool.
func IsBool(t types.Type) bool { return isBasic(t, types.Bool) || isBasic(t, types.UntypedBool) }

// Nameable reports whether := gives a temporary the type that e has in its
// context, and whether e has a value at all.
func (p *Package) Nameable(e ast.Expr) bool {
	tv := p.Info.Types[e]
	switch t := tv.Type.(type) {
	case nil:
		return false
	case *types.Tuple:
		if t.Len() == 0 {
			return false
		}
		if _, ok := ast.Unparen(e).(*ast.CallExpr); ok {
			return true
		}
		return IsBool(t.At(1).Type())
	case *types.Basic:
		if t.Kind() == types.UntypedNil || t.Kind() == types.Invalid {
			return false
		}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return !tv.IsVoid()
	case *ast.BinaryExpr:
		switch x.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return IsBool(tv.Type)
		case token.LAND, token.LOR:
			return IsBool(tv.Type) || p.Nameable(x.X) && p.Nameable(x.Y)
		case token.SHL, token.SHR:
			return p.ConstFree(x.X) && p.Nameable(x.X)
		}
		// One typed operand decides; a constant one adapts to it.
		switch {
		case !p.ConstFree(x.X):
			return p.Nameable(x.Y)
		case !p.ConstFree(x.Y):
			return p.Nameable(x.X)
		}
		return p.Nameable(x.X) && p.Nameable(x.Y)
	case *ast.UnaryExpr:
		if x.Op == token.AND || x.Op == token.ARROW {
			return true
		}
		return p.ConstFree(x.X) && p.Nameable(x.X)
	}
	return tv.Value == nil
}

// Quiet reports whether evaluating e can neither call, nor block, nor panic, apart from
// its parts that are moved, which the code evaluates in front of the statement. With a nil
// moved no part is.
func (p *Package) Quiet(e ast.Expr, moved func(ast.Expr) bool) bool {
	quiet := func(e ast.Expr) bool { return p.Quiet(e, moved) }
	tv := p.Info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsNil() || moved != nil && moved(e) {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.FuncLit, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return quiet(e.X)
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		if sel == nil {
			return true
		}
		path := sel.Index()
		switch sel.Kind() {
		case types.FieldVal:
			return !ThroughPointer(sel.Recv(), path[:len(path)-1]) && quiet(e.X)
		case types.MethodExpr:
			return true
		}
		return false
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			_, lit := ast.Unparen(e.X).(*ast.CompositeLit)
			return lit && quiet(e.X) || !lit && quiet(e.X) && p.Storage(e.X) != Temporary
		}
		return e.Op != token.ARROW && quiet(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			// Only an integer divisor of unknown value can panic.
			if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger != 0 {
				if v := p.Info.Types[e.Y].Value; v == nil || constant.Sign(v) == 0 {
					return false
				}
			}
		case token.SHL, token.SHR:
			if p.Info.Types[e.Y].Value == nil {
				if b, ok := p.TypeOf(e.Y).Underlying().(*types.Basic); !ok || b.Info()&types.IsUnsigned == 0 {
					return false
				}
			}
		case token.EQL, token.NEQ:
			if !p.comparesQuietly(e.X) || !p.comparesQuietly(e.Y) {
				return false
			}
		}
		return quiet(e.X) && quiet(e.Y)
	case *ast.CompositeLit:
		if _, ok := Core(p.TypeOf(e)).(*types.Map); ok {
			return len(e.Elts) == 0
		}
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !quiet(x) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		return p.quietCall(e, quiet)
	}
	return false
}

// comparesQuietly reports whether == on e cannot panic: it does on interfaces
// with values that are not comparable.
func (p *Package) comparesQuietly(e ast.Expr) bool {
	t := p.TypeOf(e)
	if IsTypeParam(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Chan, *types.Slice, *types.Map, *types.Signature:
		return true
	}
	return false
}

// quietCall reports whether the conversion or builtin call c is quiet.
func (p *Package) quietCall(c *ast.CallExpr, quiet func(ast.Expr) bool) bool {
	tv := p.Info.Types[c.Fun]
	if tv.IsType() {
		from := p.TypeOf(c.Args[0])
		_, slice := Core(from).(*types.Slice)
		_, basic := Core(tv.Type).(*types.Basic)
		return (!slice || basic || types.Identical(from.Underlying(), tv.Type.Underlying())) && quiet(c.Args[0])
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || !tv.IsBuiltin() {
		return false
	}
	switch id.Name {
	case "len", "cap", "min", "max", "real", "imag", "complex":
		return !slices.ContainsFunc(c.Args, func(a ast.Expr) bool { return !quiet(a) })
	case "new":
		return p.Info.Types[c.Args[0]].IsType()
	}
	return false
}

// Stable reports whether place l can be named again after the assignment that
// assigns to assigned: evaluating it loads nothing but local variables that the
// statement cannot have changed.
func (p *Package) Stable(l ast.Expr, assigned map[types.Object]bool) bool {
	info := p.Info
	fixed := func(e ast.Expr) bool { // a local variable that keeps its value
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		v, ok := info.Uses[id].(*types.Var)
		if !ok || IsGlobal(v) || p.Shared(v) || assigned[v] {
			return false
		}
		i := p.vars[v]
		return i != nil && (!i.Nested || !i.Assigned)
	}
	switch l := l.(type) {
	case *ast.Ident:
		return true
	case *ast.ParenExpr:
		return p.Stable(l.X, assigned)
	case *ast.StarExpr:
		return fixed(l.X)
	case *ast.SelectorExpr:
		sel := info.Selections[l]
		if sel == nil {
			return true
		}
		path := sel.Index()
		t := sel.Recv()
		if IsPointer(t) {
			return fixed(l.X) && !ThroughPointer(Elem(t), path[:len(path)-1])
		}
		return !ThroughPointer(t, path[:len(path)-1]) && p.Stable(l.X, assigned)
	case *ast.IndexExpr:
		if info.Types[l.Index].Value == nil && !fixed(l.Index) {
			return false
		}
		switch Core(p.TypeOf(l.X)).(type) {
		case *types.Array:
			return p.Stable(l.X, assigned)
		case *types.Slice, *types.Pointer:
			return fixed(l.X)
		}
	}
	return false
}

// Gotos returns the labels that goto statements of a function with body b name.
func Gotos(b *ast.BlockStmt) map[string]bool {
	var m map[string]bool
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.GOTO && n.Label != nil {
				if m == nil {
					m = map[string]bool{}
				}
				m[n.Label.Name] = true
			}
		}
		return true
	})
	return m
}

// Deferred returns the last of the calls that the function of body defers, nil if there
// are none. ok says that all of them stand in the body's own list. Then the deferred calls
// are known when a loop behind the last one runs, and a call deferred after them can check
// the ranges that the loop has gathered.
func Deferred(body *ast.BlockStmt) (last ast.Stmt, ok bool) {
	direct, all := 0, 0
	for _, s := range body.List {
		if _, ok := s.(*ast.DeferStmt); ok {
			last = s
			direct++
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			all++
		}
		return true
	})
	return last, direct == all
}

// Parameters returns the identifiers of lists of parameters.
func Parameters(lists ...*ast.FieldList) (names []*ast.Ident) {
	for _, l := range lists {
		if l != nil {
			for _, fl := range l.List {
				names = append(names, fl.Names...)
			}
		}
	}
	return names
}

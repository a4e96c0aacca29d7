package splice

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// valueAt returns the formula of local variable v where id uses it: the value of the latest
// assignment before the use, if that assignment dominates the use. valueAt looks for it in the
// statements before the use, in the use's block and in the blocks around it, up to the next loop
// or clause.
func (f *file) valueAt(id *ast.Ident, v *types.Var) string {
	l := f.pkg.Var(v)
	if l == nil || l.Taken || l.Nested || l.Owner == nil || jumps(l.Owner) {
		return unknownFormula
	}
	path := pathTo(l.Owner, id)
	for i := len(path) - 2; i > 0; i-- {
		inner := path[i+1]
		switch n := path[i].(type) {
		case *ast.BlockStmt:
			k := slices.IndexFunc(n.List, func(s ast.Stmt) bool { return ast.Node(s) == inner })
			for k--; k >= 0; k-- {
				if f.assigns(n.List[k], v) {
					return f.effect(n.List[k], v)
				}
			}
		case *ast.IfStmt:
			if n.Init != nil && inner != ast.Node(n.Init) && f.assigns(n.Init, v) {
				return f.effect(n.Init, v)
			}
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.LabeledStmt, *ast.FuncLit:
			return unknownFormula
		}
	}
	return unknownFormula
}

// pathTo returns the nodes from root to id, both included.
func pathTo(root ast.Node, id *ast.Ident) (path []ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || n.Pos() > id.Pos() || n.End() < id.End() {
			return false
		}
		path = append(path, n)
		return true
	})
	if len(path) == 0 || path[len(path)-1] != ast.Node(id) {
		return nil
	}
	return path
}

// jumps reports whether a function has a goto statement.
func jumps(fn ast.Node) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			found = true
		}
		return !found
	})
	return found
}

// assigns reports whether s assigns to v, or to a part of it.
func (f *file) assigns(s ast.Stmt, v *types.Var) (found bool) {
	to := func(e ast.Expr) {
		if e == nil {
			return
		}
		if id := f.pkg.Root(e); id != nil && f.pkg.cfg.Info.ObjectOf(id) == v {
			found = true
		}
	}
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				to(l)
			}
		case *ast.IncDecStmt:
			to(n.X)
		case *ast.RangeStmt:
			to(n.Key)
			to(n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				to(id)
			}
		}
		return !found
	})
	return found
}

// effect returns the formula of the value that statement s, which assigns to v, leaves in v.
func (f *file) effect(s ast.Stmt, v *types.Var) string {
	is := func(e ast.Expr) *ast.Ident {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && f.pkg.cfg.Info.ObjectOf(id) == v {
			return id
		}
		return nil
	}
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if id := is(s.X); id != nil {
			op := token.ADD
			if s.Tok == token.DEC {
				op = token.SUB
			}
			return f.binary(op, s.X, f.valueAt(id, v), "#1")
		}
	case *ast.AssignStmt:
		if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
			if op := s.Tok + (token.ADD - token.ADD_ASSIGN); arithmetic(op) {
				if id := is(s.Lhs[0]); id != nil {
					return f.binary(op, s.Lhs[0], f.valueAt(id, v), f.formula(s.Rhs[0]))
				}
			}
			break
		}
		for i, l := range s.Lhs {
			if is(l) != nil && len(s.Lhs) == len(s.Rhs) {
				return f.formula(s.Rhs[i])
			}
		}
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, sp := range d.Specs {
				sp := sp.(*ast.ValueSpec)
				for i, id := range sp.Names {
					switch {
					case is(id) == nil:
					case len(sp.Values) == 0:
						return "#0"
					case len(sp.Values) == len(sp.Names):
						return f.formula(sp.Values[i])
					}
				}
			}
		}
	}
	return unknownFormula
}

// argument returns the formula of parameter v of a function whose only use in the package is one
// call.
func (f *file) argument(v *types.Var) string {
	l := f.pkg.Var(v)
	if l == nil || l.Assigned || l.Taken || l.Owner == nil {
		return unknownFormula
	}
	decl, ok := l.Owner.(*ast.FuncDecl)
	if !ok || decl.Recv != nil || decl.Name.IsExported() {
		return unknownFormula
	}
	fn, ok := f.pkg.cfg.Info.Defs[decl.Name].(*types.Func)
	if !ok || fn.Signature().Variadic() || fn.Signature().TypeParams() != nil {
		return unknownFormula
	}
	k := slices.IndexFunc(site.Parameters(decl.Type.Params), func(id *ast.Ident) bool { return f.pkg.cfg.Info.Defs[id] == v })
	if k < 0 || f.pkg.following[fn] {
		return unknownFormula
	}
	in, call := f.pkg.onlyCall(fn)
	if call == nil || len(call.Args) != fn.Signature().Params().Len() {
		return unknownFormula
	}
	f.pkg.following[fn] = true
	defer delete(f.pkg.following, fn)
	return in.formula(call.Args[k])
}

// onlyCall returns the only use of function fn, if it is a call by the same goroutine, and the
// file of the call.
func (p *pkg) onlyCall(fn *types.Func) (in *file, call *ast.CallExpr) {
	if p.calledOnce == nil {
		p.calledOnce = map[*types.Func]callIn{}
		uses := map[*types.Func]int{}
		for _, o := range p.cfg.Info.Uses {
			if fn, ok := o.(*types.Func); ok {
				uses[fn]++
			}
		}
		for _, f := range p.files {
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					delete(uses, f.directCallee(n.Call))
				case *ast.DeferStmt:
					delete(uses, f.directCallee(n.Call))
				case *ast.CallExpr:
					if fn := f.directCallee(n); fn != nil && uses[fn] == 1 {
						p.calledOnce[fn] = callIn{f, n}
					}
				}
				return true
			})
		}
	}
	c := p.calledOnce[fn]
	return c.file, c.call
}

type callIn struct {
	file *file
	call *ast.CallExpr
}

// directCallee returns the function that c calls by its name, nil if c is another kind of
// call.
func (f *file) directCallee(c *ast.CallExpr) *types.Func {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		fn, _ := f.pkg.cfg.Info.Uses[id].(*types.Func)
		return fn
	}
	return nil
}

// binary returns the formula of x op y with values of e's type. A formula without reads
// has no type and is not brought into the range of one.
func (f *file) binary(op token.Token, e ast.Expr, x, y string) string {
	t := f.valueType(e)
	if t == "" || untyped(x) && untyped(y) && (arithmetic(op) && t != "i8" && t != "u8" || ordering(op) && t[0] == 'u') {
		return unknownFormula
	}
	return fmt.Sprintf("(%s %s %s)", op, x, y)
}

func untyped(formula string) bool { return !strings.Contains(formula, "@") }

func ordering(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}

// remainder returns the formula of x % d where d is a power of two: the low bits of x. For a
// negative x these bits are not the remainder, but they are 0 if and only if the remainder is 0,
// which is enough where the remainder is compared with 0.
func (f *file) remainder(e *ast.BinaryExpr, compared bool) (string, bool) {
	v := f.pkg.cfg.Info.Types[e.Y].Value
	if e.Op != token.REM || v == nil {
		return "", false
	}
	d, ok := constant.Int64Val(constant.ToInt(v))
	t := f.valueType(e.X)
	if !ok || d <= 0 || d&(d-1) != 0 || t == "" || t[0] != 'u' && !compared {
		return "", false
	}
	return f.binary(token.AND, e.X, f.formula(e.X), fmt.Sprintf("#%d", d-1)), true
}

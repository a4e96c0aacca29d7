package affine

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/optimize/loop"
)

// A copier copies the statements of a simple function for one call.
type copier struct {
	*inliner
	x       *inlined
	vars    map[types.Object]*types.Var // parameters and locals, and their copies
	refused bool                        // the function cannot be copied
}

// copyCall declares the parameters and copies the statements. It reports whether that was
// possible.
func (k *copier) copyCall(c *ast.CallExpr, sig *types.Signature) bool {
	if r := sig.Recv(); r != nil {
		x := ast.Unparen(c.Fun).(*ast.SelectorExpr).X
		t := k.info.TypeOf(x)
		switch {
		case loop.IsPointer(r.Type()) && !loop.IsPointer(t):
			x = k.create(&ast.UnaryExpr{OpPos: x.Pos(), Op: token.AND, X: x}, r.Type(), original{})
		case !loop.IsPointer(r.Type()) && loop.IsPointer(t):
			x = k.star(x)
		}
		if !types.Identical(k.info.TypeOf(x), r.Type()) {
			return false
		}
		k.declare(r, x)
	}
	for i := range c.Args {
		p := sig.Params().At(i)
		arg := c.Args[i]
		if !types.Identical(k.info.TypeOf(arg), p.Type()) {
			return false // the argument is converted
		}
		k.x.params = append(k.x.params, k.declare(p, arg))
	}
	for _, s := range k.x.fn.live {
		k.statement(s)
	}
	return !k.refused
}

// declare makes a variable of the nest for a variable of the function.
func (k *copier) declare(v *types.Var, def ast.Expr) *types.Var {
	fresh := types.NewVar(k.loop.Stmt.Pos(), v.Pkg(), v.Name(), v.Type())
	k.vars[v] = fresh
	u := &loop.Variable{Def: def}
	if old := k.x.fn.vars[v]; old != nil {
		u.Assigned = old.Assigned
	}
	k.loop.Declare(fresh, u)
	return fresh
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
				if v, ok := k.info.Def(id).(*types.Var); ok {
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

// optional is expr for an expression that may be left out.
func (k *copier) optional(e ast.Expr) ast.Expr {
	if e == nil {
		return nil
	}
	return k.expr(e)
}

// expr copies an expression.
func (k *copier) expr(e ast.Expr) ast.Expr {
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
	case *ast.SliceExpr:
		t := &ast.SliceExpr{X: k.expr(e.X), Lbrack: e.Lbrack, Slice3: e.Slice3, Rbrack: e.Rbrack}
		t.Low, t.High, t.Max = k.optional(e.Low), k.optional(e.High), k.optional(e.Max)
		c = t
	case *ast.SelectorExpr:
		t := &ast.SelectorExpr{X: e.X, Sel: e.Sel}
		if sel := k.info.Selection(e); sel != nil { // else a qualified identifier
			t.X = k.expr(e.X)
			k.info.AddSelection(t, sel)
		}
		c = t
	case *ast.CallExpr:
		t := &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Args: k.exprs(e.Args), Rparen: e.Rparen}
		if f, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && k.info.Selection(f) != nil {
			t.Fun = k.expr(f)
		} else if id, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
			k.visible(id)
		}
		k.of[t] = k.x
		c = t
	default:
		k.refused = true
		return e
	}
	text := k.x.fn.text[int(e.Pos())-k.x.fn.base : int(e.End())-k.x.fn.base]
	k.originals[c] = original{e.Pos(), string(text)}
	if tv, ok := k.info.Lookup(e); ok {
		k.info.Add(c, tv)
	}
	return c
}

func (k *copier) ident(e *ast.Ident) ast.Expr {
	c := &ast.Ident{NamePos: e.NamePos, Name: e.Name}
	if o := k.info.Def(e); o != nil {
		k.info.AddDef(c, k.vars[o])
		return c
	}
	o := k.info.Use(e)
	if v := k.vars[o]; v != nil {
		k.info.AddUse(c, v)
		return c
	}
	if e.Name != "_" {
		k.visible(e)
	}
	if o != nil {
		k.info.AddUse(c, o)
	}
	return c
}

// visible refuses the copy if a name of the package or of Go has another meaning in front
// of the loop.
func (k *copier) visible(id *ast.Ident) {
	o := k.info.Use(id)
	scope := k.loop.Pkg.Types.Scope().Innermost(k.loop.Stmt.Pos())
	if o == nil || scope == nil {
		k.refused = true
		return
	}
	if s, found := scope.LookupParent(id.Name, k.loop.Stmt.Pos()); found != o || s != types.Universe && s != k.loop.Pkg.Types.Scope() {
		k.refused = true
	}
}

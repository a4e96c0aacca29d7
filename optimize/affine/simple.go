package affine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/ssapass"
)

// maxInlined bounds the depth of nested calls of simple functions.
const maxInlined = 3

// A simple function is several statements in a row, without control flow. Of an if statement
// with a constant condition, which the compiler decides, it has one side. It is not
// generic, variadic or recursive, and has no named results, no directives for the
// compiler, and no parameters that it assigns to. Its callers are in its package, and do
// not convert arguments, to interfaces for one.
type simple struct {
	decl  *ast.FuncDecl
	live  []ast.Stmt // the statements that may run
	text  []byte
	base  int // of the file's positions
	vars  map[*types.Var]*loop.Variable
	needs bool // it, or a simple function that it calls, has checks
	depth int  // the greatest depth of calls of simple functions in it, itself included
	busy  bool // its statements are being visited: a call of it is recursive
}

// simpleOf returns the simple function f, nil if f is not simple or of another package
// than s.Pkg.
func (s *file) simpleOf(f *types.Func) *simple {
	if f.Pkg() != s.Pkg.Types {
		return nil
	}
	if x, ok := s.simples[f]; ok {
		return x
	}
	s.simples[f] = nil
	if s.decls[s.Pkg] == nil {
		s.decls[s.Pkg] = s.findDecls()
	}
	x := s.decls[s.Pkg][f]
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

// findDecls finds the functions of the package that have a body.
func (s *file) findDecls() map[*types.Func]*simple {
	fset := s.Builder.Analysis.Program().Fset
	found := map[*types.Func]*simple{}
	for _, file := range s.Pkg.Syntax {
		pos := fset.File(file.FileStart)
		text, ok := s.Builder.Analysis.Program().Text(pos.Name())
		if !ok {
			continue
		}
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !s.Builder.HasLineDirective(d.Pos()) {
				if f, ok := s.Info.Def(d.Name).(*types.Func); ok {
					found[f] = &simple{decl: d, text: text, base: pos.Base()}
				}
			}
		}
	}
	return found
}

// isSimple reports whether the function is simple, and notes its calls and accesses.
func (s *file) isSimple(x *simple) bool {
	sig := s.Info.Def(x.decl.Name).(*types.Func).Signature()
	if sig.TypeParams() != nil || sig.RecvTypeParams() != nil || sig.Variadic() {
		return false
	}
	if builder.Directed(x.decl.Doc) {
		return false
	}
	for v := range sig.Results().Variables() {
		if v.Name() != "" {
			return false
		}
	}
	var known bool
	if x.live, known = live(s.Info, x.decl.Body.List); !known {
		return false
	}
	decl := *x.decl
	decl.Body = &ast.BlockStmt{Lbrace: x.decl.Body.Lbrace, List: x.live, Rbrace: x.decl.Body.Rbrace}
	x.vars = loop.Variables(&decl, s.Info)
	params := map[*types.Var]bool{sig.Recv(): true}
	for v := range sig.Params().Variables() {
		params[v] = true
	}
	for v, u := range x.vars {
		if !site.IsGlobal(v) && u.Addressed || params[v] && u.Assigned > 0 {
			return false
		}
	}
	last := len(x.live) - 1
	for i, t := range x.live {
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
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		ok = ok && (n == nil || s.isSimpleNode(x, n))
		return ok
	})
	return ok
}

// live returns the statements of a list that may run. In place of an if statement with a constant
// condition stand the statements of the side that runs. ok is false if another condition decides.
func live(info *loop.Info, list []ast.Stmt) (out []ast.Stmt, ok bool) {
	for _, s := range list {
		i, isIf := s.(*ast.IfStmt)
		if !isIf {
			out = append(out, s)
			continue
		}
		yes, known := constantly(info, i.Cond)
		if !known || i.Init != nil {
			return nil, false
		}
		side := i.Else
		if yes {
			side = i.Body
		}
		var inner []ast.Stmt
		switch side := side.(type) {
		case *ast.BlockStmt:
			inner = side.List
		case *ast.IfStmt:
			inner = []ast.Stmt{side}
		}
		if inner, known = live(info, inner); !known {
			return nil, false
		}
		out = append(out, inner...)
	}
	return out, true
}

// constantly returns the value of a condition that is a constant.
func constantly(info *loop.Info, cond ast.Expr) (value, ok bool) {
	v := info.Type(cond).Value
	if v == nil || v.Kind() != constant.Bool {
		return false, false
	}
	return constant.BoolVal(v), true
}

// isSimpleNode reports whether a statement or expression of x can be copied, and notes
// its calls and accesses.
func (s *file) isSimpleNode(x *simple, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.EmptyStmt, *ast.AssignStmt, *ast.ReturnStmt,
		*ast.BasicLit, *ast.ParenExpr, *ast.BinaryExpr, *ast.Ident:
	case *ast.UnaryExpr:
		return n.Op != token.ARROW
	case *ast.StarExpr, *ast.SelectorExpr:
	case *ast.IndexExpr:
		if tv := s.Info.Type(n.Index); tv.IsType() {
			return false
		}
		if _, isMap := s.Info.TypeOf(n.X).Underlying().(*types.Map); isMap {
			return false
		}
	case *ast.SliceExpr:
		_, isSlice := s.Info.TypeOf(n.X).Underlying().(*types.Slice)
		return isSlice // an array would be addressed
	case *ast.CallExpr:
		tv := s.Info.Type(n.Fun)
		switch {
		case tv.IsType():
			// The runtime's functions, which have hooks, copy bytes.
			return loop.IsNumber(tv.Type) && loop.IsNumber(s.Info.TypeOf(n.Args[0]))
		case tv.IsBuiltin():
			switch loop.BuiltinName(n) {
			case "len", "min", "max", "complex", "real", "imag":
				return true
			}
			return s.Info.Type(n).Value != nil
		}
		f, _ := static(s.Info, n)
		if f == nil || s.decls[s.Pkg][f] != nil && s.decls[s.Pkg][f].busy {
			return false
		}
		if k, ok := s.Info.Contract(n); ok && k.Accessor != "" {
			x.needs = true
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
			k := ssapass.NewKey(s.Builder.Analysis.Program().Fset, e.Pos(), string(x.text[int(e.Pos())-x.base:int(e.End())-x.base]), write, false)
			if t := s.Builder.Analysis.Sites.Lookup(k); t != nil {
				i := s.Builder.Index(t)
				x.needs = x.needs || s.Builder.Checked(i) && s.Builder.Fate(i).Kind != builder.Removed
			}
		}
	}
	return true
}

// static returns the function or method that is called, and its name in the call; nil if
// the function is not certain.
func static(info *loop.Info, c *ast.CallExpr) (*types.Func, *ast.Ident) {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		if fn, ok := info.Use(f).(*types.Func); ok {
			return fn, f
		}
	case *ast.SelectorExpr:
		sel := info.Selection(f)
		if sel == nil {
			fn, _ := info.Use(f.Sel).(*types.Func)
			return fn, f.Sel
		}
		if sel.Kind() == types.MethodVal && !embeddedMethod(sel) && !types.IsInterface(sel.Recv()) {
			return sel.Obj().(*types.Func), f.Sel
		}
	}
	return nil, nil
}

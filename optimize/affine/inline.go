package affine

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/optimize/loop"
)

// The nest is analysed as if the statements of a simple function stood in the place of
// its call, behind declarations of its parameters with the arguments as their values:
//
//	v = m.At(i+1, j)    m', i', j' := m, i+1, j; v = m'.data[i'*m'.cols + j']
//
// For that the statements are copied (copy.go), with variables of their own for
// parameters and locals. The copies have entries in the nest's own loop.Info, and know
// the position and text that their originals have as sites. The code in front of the
// loop contains names of the package, which must have the same meaning there.

// An inlined is a call with copies of the statements of its callee.
type inlined struct {
	fn       *simple
	accessor string       // instead of fn: the copy of the accessor that is called (accessor.go)
	name     token.Pos    // of the function, in the call
	params   []*types.Var // without the receiver
	stmts    []ast.Stmt
	results  []ast.Expr
	outer    *inlined   // the call in whose copies this one stands; nil: the nest itself
	inner    []*inlined // the calls in the copies of this one
	walked   bool
	checks   bool   // a scan may replace checks of the callee
	kept     string // of an outermost call: why it goes to the function with all checks
}

// root returns the call in the nest itself that leads to this one.
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

// An inliner holds the calls of a nest that are looked into. It is the loop.Copies of the
// nest.
type inliner struct {
	loop      *loop.Loop
	file      *file
	info      *loop.Info                 // of the nest
	calls     map[*ast.CallExpr]*inlined // nil: the call cannot be looked into
	accessors map[*ast.CallExpr]*inlined // the calls of accessors
	of        map[*ast.CallExpr]*inlined // the call in whose copies a call stands
	originals map[ast.Node]original
}

// An original is the position and text of the expression that was copied.
type original struct {
	pos  token.Pos
	text string
}

// inlineCalls has the nest look into calls.
func (n *nest) inlineCalls() {
	n.inl = &inliner{
		loop: n.Loop, file: n.file, calls: map[*ast.CallExpr]*inlined{}, accessors: map[*ast.CallExpr]*inlined{}, of: map[*ast.CallExpr]*inlined{}, originals: map[ast.Node]original{},
	}
	n.inl.info = n.Inline(n.inl)
}

// Original implements loop.Copies.
func (in *inliner) Original(n ast.Node) (pos token.Pos, text string, ok bool) {
	x, ok := in.originals[n]
	return x.pos, x.text, ok
}

// Result implements loop.Copies: the value of a call of a simple function.
func (in *inliner) Result(c *ast.CallExpr) ast.Expr {
	if x := in.call(c); x != nil && len(x.results) == 1 {
		return x.results[0]
	}
	return nil
}

// inline returns the call with copies of its callee's statements; nil if the nest does
// not look into it.
func (n *nest) inline(c *ast.CallExpr) *inlined {
	if n.inl == nil {
		return nil
	}
	return n.inl.call(c)
}

// call returns the call with copies of its callee's statements; nil if the callee is not
// simple, or cannot be copied to this nest.
func (in *inliner) call(c *ast.CallExpr) *inlined {
	if x, ok := in.calls[c]; ok {
		return x
	}
	in.calls[c] = nil
	f, name := static(in.info, c)
	if f == nil || in.file.Builder.HasLineDirective(name.Pos()) {
		return nil
	}
	fn := in.file.simpleOf(f)
	if fn == nil || len(c.Args) != f.Signature().Params().Len() {
		return nil
	}
	x := &inlined{fn: fn, name: name.Pos(), outer: in.of[c]}
	k := &copier{inliner: in, x: x, vars: map[types.Object]*types.Var{}}
	if !k.copyCall(c, f.Signature()) {
		return nil
	}
	if x.outer != nil {
		x.outer.inner = append(x.outer.inner, x)
	}
	in.calls[c] = x
	return x
}

// star returns the value that pointer x points to, with which a method with a receiver
// of that type is called.
func (in *inliner) star(x ast.Expr) ast.Expr {
	t := in.info.TypeOf(x).Underlying().(*types.Pointer).Elem()
	return in.create(&ast.StarExpr{Star: x.Pos(), X: x}, t, original{x.Pos(), "*" + in.spelled(x)})
}

// create notes an expression that the source does not have.
func (in *inliner) create(e ast.Expr, t types.Type, o original) ast.Expr {
	in.info.Add(e, types.TypeAndValue{Type: t})
	in.originals[e] = o
	return e
}

// spelled returns the text of e, or of its original.
func (in *inliner) spelled(e ast.Expr) string {
	if x, ok := in.originals[e]; ok {
		return x.text
	}
	return in.file.Text(e)
}

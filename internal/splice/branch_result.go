package splice

import (
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"taskinstr/internal/site"
)

// The formula of a call is the formula of the function's result. It requires that, when the
// expression with the call is evaluated, the task's latest reads in the function belong to this
// call:
//
//   - the function is known, has one result and one return statement, its last, and calls
//     nothing but predeclared functions and the methods of mutexes, so that it does not
//     call itself either;
//   - the call stands in the expression itself, or in the declaration of a variable of the
//     expression, with no other call between the declaration and the expression;
//   - the expression has no other call that could reach the function, and is the only value
//     that its statement evaluates.
//
// The function's reads belong to a deeper calling context than the expression. So the formula is
// marked: " in" and "@" site for each of these reads stand behind it.

// A calleeFormula is the state of a formula that follows a call.
type calleeFormula struct {
	own   bool // the expression itself has a call, so that variables follow none
	body  bool // the formula at hand is of an expression in the function
	sites []int
	args  map[*types.Var]argument
}

// An argument is the value of a parameter of the function in the call.
type argument struct {
	in *file
	e  ast.Expr
}

// found takes note of the site of a read that a formula has.
func (c *calleeFormula) found(site int) {
	if c != nil && c.body && !slices.Contains(c.sites, site) {
		c.sites = append(c.sites, site)
	}
}

// calledIn stands behind a formula, in front of the sites of reads in a function that it calls.
const calledIn = " in"

// marked returns a formula with the sites of the reads in the function it follows.
func (c *calleeFormula) marked(formula string) string {
	if len(c.sites) == 0 || strings.Contains(formula, unknownFormula) {
		return formula
	}
	formula += calledIn
	for _, s := range c.sites {
		formula += " @" + strconv.Itoa(s)
	}
	return formula
}

// decided returns the formula of e, which is evaluated right before a decision or a store;
// one call in it may be followed.
func (f *file) decided(e ast.Expr) string {
	if f.pkg.callee != nil {
		return f.formula(e)
	}
	c := &calleeFormula{}
	f.pkg.callee = c
	defer func() { f.pkg.callee = nil }()
	switch f.ownCalls(e) {
	case 0:
	case 1:
		c.own = true
	default:
		f.pkg.callee = nil
	}
	return c.marked(f.formula(e))
}

// ownCalls counts the calls in e that may execute the functions of the package.
func (f *file) ownCalls(e ast.Expr) (n int) {
	ast.Inspect(e, func(x ast.Node) bool {
		if c, ok := x.(*ast.CallExpr); ok && !f.harmless(c) {
			n++
		}
		return true
	})
	return n
}

// harmless reports whether a call is a conversion, a call of a predeclared function or of a
// method of package sync.
func (f *file) harmless(c *ast.CallExpr) bool {
	if f.pkg.cfg.Info.Types[c.Fun].IsType() || f.builtinName(c) != "" {
		return true
	}
	fn, recv := f.staticCallee(c)
	return fn != nil && recv != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
}

// A followed is a function whose result has a formula.
type followed struct {
	in     *file
	params []*types.Var
	result ast.Expr
}

// follows returns the function that c calls if a formula may follow it, nil if none may.
func (f *file) follows(c *ast.CallExpr) *followed {
	if f.harmless(c) || c.Ellipsis.IsValid() {
		return nil
	}
	x := &followed{in: f}
	var t *ast.FuncType
	var body *ast.BlockStmt
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if v, ok := f.pkg.cfg.Info.Uses[id].(*types.Var); ok {
			if lit, ok := f.onlyValue(v).(*ast.FuncLit); ok {
				t, body = lit.Type, lit.Body
			}
		}
	}
	if body == nil {
		fn, _ := f.staticCallee(c)
		if fn == nil || fn.Signature().TypeParams() != nil || fn.Signature().RecvTypeParams() != nil {
			return nil
		}
		in, decl := f.pkg.declaration(fn)
		if decl == nil || decl.Body == nil {
			return nil
		}
		x.in, t, body = in, decl.Type, decl.Body
	}
	if t.Results.NumFields() != 1 || len(t.Results.List[0].Names) > 0 {
		return nil
	}
	for _, id := range site.Parameters(t.Params) {
		v, _ := f.pkg.cfg.Info.Defs[id].(*types.Var)
		x.params = append(x.params, v)
	}
	if len(x.params) != len(c.Args) { // parameters without names, or variadic ones
		x.params = nil
	}
	x.result = x.in.onlyResult(body)
	if x.result == nil {
		return nil
	}
	return x
}

// onlyResult returns the operand of a function's only return statement, nil if the function
// may call other functions or has another form.
func (f *file) onlyResult(body *ast.BlockStmt) ast.Expr {
	if len(body.List) == 0 {
		return nil
	}
	last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil
	}
	alone := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			alone = alone && n == last
		case *ast.FuncLit, *ast.GoStmt, *ast.RangeStmt: // a range statement may call an iterator
			alone = false
		case *ast.CallExpr:
			alone = alone && f.harmless(n)
		}
		return alone
	})
	if !alone {
		return nil
	}
	return last.Results[0]
}

// result returns the formula of the value that a call returns.
func (f *file) result(c *ast.CallExpr) string {
	p := f.pkg.callee
	if p == nil || p.body || p.args != nil {
		return unknownFormula
	}
	x := f.follows(c)
	if x == nil {
		return unknownFormula
	}
	p.args = map[*types.Var]argument{}
	for i, v := range x.params {
		if v != nil {
			p.args[v] = argument{f, c.Args[i]}
		}
	}
	p.body = true
	defer func() { p.body = false }()
	return x.in.formula(x.result)
}

// passed returns the formula of parameter v of the function that the formula at hand follows;
// ok is false for other variables.
func (f *file) passed(v *types.Var) (formula string, ok bool) {
	p := f.pkg.callee
	if p == nil || !p.body {
		return "", false
	}
	a, ok := p.args[v]
	if l := f.pkg.Var(v); !ok || l == nil || l.Assigned || l.Taken {
		return "", false
	}
	p.body = false
	defer func() { p.body = true }()
	return a.in.formula(a.e), true
}

// variableFormula returns the formula of local variable v where id uses it.
func (f *file) variableFormula(id *ast.Ident, v *types.Var) string {
	if x, ok := f.passed(v); ok {
		return x
	}
	if x := f.onlyValue(v); x != nil {
		if p := f.pkg.callee; p == nil || p.body || !p.own && f.noCallBetween(x, id) && !jumps(f.Syntax) {
			return f.formula(x)
		}
		return f.earlier(func() string { return f.formula(x) })
	}
	return f.earlier(func() string {
		if x := f.argument(v); x != unknownFormula {
			return x
		}
		return f.valueAt(id, v)
	})
}

// earlier returns a formula of an expression that was evaluated before the expression at hand:
// no call in it is followed.
func (f *file) earlier(formula func() string) string {
	p := f.pkg.callee
	if p == nil || p.body {
		return formula()
	}
	f.pkg.callee = nil
	defer func() { f.pkg.callee = p }()
	return formula()
}

// noCallBetween reports whether no call may be made between the evaluation of x, the value of
// a variable's declaration, and the use of the variable at id.
func (f *file) noCallBetween(x ast.Expr, id *ast.Ident) bool {
	none := true
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if n == nil || !none || n.End() < x.End() || n.Pos() > id.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit: // which hold the use alone
			none = !(n.Pos() >= x.End() && n.End() >= id.End())
		case *ast.CallExpr:
			none = n.Pos() < x.End() || f.harmless(n) || n.Pos() >= id.Pos() || n.End() > id.End()
		case *ast.DeferStmt, *ast.GoStmt:
			none = n.Pos() < x.End()
		}
		return none
	})
	return none
}

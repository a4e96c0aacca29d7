package loop

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// Copies are the expressions that a pass puts in the place of calls of a loop: copies of
// the statements of the callees.
type Copies interface {
	// Result returns the expression whose value the call has, nil if there is none.
	Result(c *ast.CallExpr) ast.Expr
	// Original returns the position and the text of the expression that n is a copy of;
	// ok is false if n is no copy.
	Original(n ast.Node) (pos token.Pos, text string, ok bool)
}

// Inline has the loop look into calls by means of copies. It returns the loop's own Info,
// to which the types of the copies can be added.
func (l *Loop) Inline(c Copies) *Info {
	l.copies, l.Info, l.own = c, l.Info.Extend(), map[*types.Var]*Variable{}
	return l.Info
}

// Declare notes a variable that only copies name.
func (l *Loop) Declare(v *types.Var, x *Variable) { l.own[v] = x }

// IsCopy reports whether n is a copy.
func (l *Loop) IsCopy(n ast.Node) bool {
	if l.copies == nil {
		return false
	}
	_, _, ok := l.copies.Original(n)
	return ok
}

// Site returns the site of an access of e; for a copy, the site of the original.
func (l *Loop) Site(e ast.Node, write, elems bool) *ssapass.Site {
	if l.copies != nil {
		if pos, text, ok := l.copies.Original(e); ok {
			return l.siteAt(pos, text, write, elems)
		}
	}
	return l.File.Site(e, write, elems)
}

// Text returns the source of e; a copy is printed with the names of its own variables.
func (l *Loop) Text(e ast.Expr) string {
	if l.IsCopy(e) {
		return types.ExprString(e)
	}
	return l.File.Text(e)
}

// Result returns the expression whose value the call e has, nil if e is no call or the
// loop does not look into it.
func (l *Loop) Result(e ast.Expr) ast.Expr {
	if c, ok := ast.Unparen(e).(*ast.CallExpr); ok && l.copies != nil {
		return l.copies.Result(c)
	}
	return nil
}

// variable returns the uses of a local variable, nil if nothing is known of it.
func (l *Loop) variable(v *types.Var) *Variable {
	if x, ok := l.own[v]; ok {
		return x
	}
	return l.File.variable(v)
}

// InMemory reports whether statements of other functions or tasks may reach the variable:
// it is global, its address was taken, or a function literal shares it and some
// statement assigns to it.
func (l *Loop) InMemory(v *types.Var) bool {
	return site.IsGlobal(v) || l.variable(v).inMemory()
}

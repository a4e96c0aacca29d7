package site

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// string(b) copies b through the runtime, whose hook reports the read. In some
// places the compiler lets the string share b's bytes instead
// (cmd/compile/internal/walk: OBYTES2STRTMP), and then it calls no hook. So exactly
// these conversions are sites: one access, one report.

// InPlace holds expressions that the compiler converts without a copy, if they are
// conversions of bytes to a string.
type InPlace map[ast.Expr]bool

// Add notes the expression e.
func (m InPlace) Add(e ast.Expr) { m[ast.Unparen(e)] = true }

// AddOperands notes the operands of e: the operands of comparisons, and of
// concatenations with a constant that is not empty.
func (m InPlace) AddOperands(p *Package, e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		m.Add(e.X)
		m.Add(e.Y)
	case token.ADD:
		list := p.concatenated(e, nil)
		for _, x := range list {
			v := p.Info.Types[x].Value
			if v == nil || v.Kind() != constant.String || constant.StringVal(v) == "" {
				continue
			}
			for _, y := range list {
				m[y] = true
			}
			return
		}
	}
}

// concatenated appends the operands of a chain of additions to list.
func (p *Package) concatenated(e ast.Expr, list []ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD && p.ConstFree(b) {
		return p.concatenated(b.Y, p.concatenated(b.X, list))
	}
	return append(list, e)
}

// AddKey notes the key of a map entry that the code reads: a conversion, or the
// conversions in the literal of a struct or an array.
func (m InPlace) AddKey(p *Package, e ast.Expr) {
	m.Add(e)
	l, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return
	}
	switch Core(p.TypeOf(l)).(type) {
	case *types.Struct, *types.Array:
	default:
		return
	}
	for _, x := range l.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			x = kv.Value
		}
		m.AddKey(p, x)
	}
}

// ConstantCases reports whether all case expressions of a switch are constants:
// its operand need not outlast them.
func (p *Package) ConstantCases(body *ast.BlockStmt) bool {
	for _, c := range body.List {
		if slices.ContainsFunc(c.(*ast.CaseClause).List, p.ConstFree) {
			return false
		}
	}
	return true
}

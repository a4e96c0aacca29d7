package splice

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// The formula of an expression of slice or string type is the formula of its length. A trace
// has the length with each access to a variable of such a type. A capacity has a formula only if
// it is read from a variable: append chooses the capacities of the arrays that it allocates.

// lengthType is the type of lengths in formulas.
const lengthType = "i8"

// hasLength reports whether e is a slice or a string.
func (f *file) hasLength(e ast.Expr) bool {
	switch t := f.pkg.TypeOf(e).Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Basic:
		return t.Info()&types.IsString != 0
	}
	return false
}

// formulaType returns the type of e's formula: the type of its value, or of its length; ""
// if e has no formula.
func (f *file) formulaType(e ast.Expr) string {
	if f.hasLength(e) {
		return lengthType
	}
	return f.valueType(e)
}

// builtinName returns the name of the predeclared function that c calls, "" if c calls
// another function.
func (f *file) builtinName(c *ast.CallExpr) string {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if b, ok := f.pkg.cfg.Info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// lengthCall returns the formula of a call that measures a value, or that makes a slice or
// string; ok is false for other calls.
func (f *file) lengthCall(c *ast.CallExpr) (formula string, ok bool) {
	if tv := f.pkg.cfg.Info.Types[c.Fun]; tv.IsType() {
		return f.convertedLength(c), true
	}
	switch f.builtinName(c) {
	case "len":
		return f.measured(c.Args[0], true), true
	case "cap":
		return f.measured(c.Args[0], false), true
	case "make":
		if f.hasLength(c) && len(c.Args) > 1 {
			return f.formula(c.Args[1]), true
		}
	case "append":
		return f.appendedLength(c), true
	case "":
		return "", false
	}
	return unknownFormula, true
}

// measured returns the formula of len(x), or of cap(x).
func (f *file) measured(x ast.Expr, length bool) string {
	t := site.Core(f.pkg.TypeOf(x))
	if p, ok := t.(*types.Pointer); ok {
		t = site.Core(p.Elem())
	}
	if a, ok := t.(*types.Array); ok {
		return fmt.Sprintf("#%d", a.Len())
	}
	if !f.hasLength(x) {
		return unknownFormula
	}
	if _, read := f.siteAt[ast.Unparen(x)]; !length && !read {
		return unknownFormula
	}
	return f.formula(x)
}

// appendedLength returns the formula of the length of append(s, x, y) or append(s, x...).
func (f *file) appendedLength(c *ast.CallExpr) string {
	n := fmt.Sprintf("#%d", len(c.Args)-1)
	if c.Ellipsis.IsValid() {
		n = f.formula(c.Args[1])
	} else if _, ok := f.pkg.TypeOf(c.Args[0]).(*types.Tuple); ok {
		return unknownFormula
	}
	return fmt.Sprintf("(+ %s %s)", f.formula(c.Args[0]), n)
}

// convertedLength returns the formula of the length of a conversion between strings and
// slices of bytes, or between types of slices; no other conversion has one.
func (f *file) convertedLength(c *ast.CallExpr) string {
	if len(c.Args) != 1 || !f.hasLength(c) || !f.hasLength(c.Args[0]) || f.isRunes(c) || f.isRunes(c.Args[0]) {
		return unknownFormula
	}
	return f.formula(c.Args[0])
}

// isRunes reports whether e is a slice of runes: converting it to or from a string changes
// its length.
func (f *file) isRunes(e ast.Expr) bool {
	s, ok := f.pkg.TypeOf(e).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Int32
}

// sliceLength returns the formula of the length of a slice expression or of a composite
// literal.
func (f *file) sliceLength(e ast.Expr) string {
	if !f.hasLength(e) {
		return unknownFormula
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		low, high := "#0", ""
		if e.Low != nil {
			low = f.formula(e.Low)
		}
		if e.High != nil {
			high = f.formula(e.High)
		} else {
			high = f.measured(e.X, true)
		}
		return fmt.Sprintf("(- %s %s)", high, low)
	case *ast.CompositeLit:
		n, next := int64(0), int64(0)
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				k, ok := constant.Int64Val(constant.ToInt(f.pkg.cfg.Info.Types[kv.Key].Value))
				if !ok {
					return unknownFormula
				}
				next = k
			}
			next++
			n = max(n, next)
		}
		return fmt.Sprintf("#%d", n)
	}
	return unknownFormula
}

// stringFormula returns the formula of a concatenation, whose value is a length, or of a
// comparison with the empty string; ok is false for other operators and operands.
func (f *file) stringFormula(e *ast.BinaryExpr) (formula string, ok bool) {
	b, ok := f.pkg.TypeOf(e.X).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsString == 0 {
		return "", false
	}
	switch e.Op {
	case token.ADD:
		return fmt.Sprintf("(+ %s %s)", f.formula(e.X), f.formula(e.Y)), true
	case token.EQL, token.NEQ:
		if f.isEmpty(e.X) || f.isEmpty(e.Y) {
			return fmt.Sprintf("(%s %s %s)", e.Op, f.formula(e.X), f.formula(e.Y)), true
		}
	}
	return unknownFormula, true
}

// isEmpty reports whether e is the constant "".
func (f *file) isEmpty(e ast.Expr) bool {
	v := f.pkg.cfg.Info.Types[e].Value
	return v != nil && v.Kind() == constant.String && constant.StringVal(v) == ""
}

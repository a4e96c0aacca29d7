package splice

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// The condition of a branch is listed in the site table in prefix form, for those who
// ask which values would have taken the other way:
//
//	cond = "?"                     anything
//	     | "#" integer             a constant; booleans are 0 and 1
//	     | "@" site ":" type       what the task's last read at that site of the package found
//	     | "(" op cond ")"         op: ! - ^
//	     | "(" op cond cond ")"    op: == != < <= > >= && || + - * & | ^ &^
//
// A type is i, u or b with a number of bytes. A local variable that is assigned once
// stands for what it is assigned.
func (f *file) condition(e ast.Expr) string {
	info := f.pkg.cfg.Info
	if v := info.Types[e].Value; v != nil {
		switch v.Kind() {
		case constant.Bool:
			if constant.BoolVal(v) {
				return "#1"
			}
			return "#0"
		case constant.Int:
			return "#" + v.ExactString()
		}
		return unknownCondition
	}
	if id, ok := f.siteAt[ast.Unparen(e)]; ok {
		if t := f.valueType(e); t != "" {
			return fmt.Sprintf("@%d:%s", id, t)
		}
		return unknownCondition
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.condition(e.X)
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			if x := f.onlyValue(v); x != nil {
				return f.condition(x)
			}
		}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT, token.SUB, token.XOR:
			return "(" + e.Op.String() + " " + f.condition(e.X) + ")"
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR,
			token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			if f.valueType(e.X) != "" && f.valueType(e.Y) != "" {
				return "(" + e.Op.String() + " " + f.condition(e.X) + " " + f.condition(e.Y) + ")"
			}
		}
	}
	return unknownCondition
}

const unknownCondition = "?"

// valueType returns the type of e's value in a condition, "" if it cannot be part of one.
func (f *file) valueType(e ast.Expr) string {
	b, ok := f.pkg.typeOf(e).Underlying().(*types.Basic)
	if !ok {
		return ""
	}
	letter := "i"
	switch {
	case b.Info()&types.IsBoolean != 0:
		return "b1"
	case b.Info()&types.IsInteger == 0:
		return ""
	case b.Info()&types.IsUnsigned != 0:
		letter = "u"
	}
	if b.Info()&types.IsUntyped != 0 {
		return "i8"
	}
	return fmt.Sprintf("%s%d", letter, f.pkg.size(b))
}

// onlyValue returns the expression that local variable v is declared with, if nothing
// else is ever assigned to it.
func (f *file) onlyValue(v *types.Var) (value ast.Expr) {
	l := f.pkg.vars[v]
	if l == nil || l.assigned || l.taken || l.owner == nil {
		return nil
	}
	ast.Inspect(l.owner, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && f.pkg.cfg.Info.Defs[id] == v && len(n.Lhs) == len(n.Rhs) {
					value = n.Rhs[i]
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if f.pkg.cfg.Info.Defs[id] == v && len(n.Names) == len(n.Values) {
					value = n.Values[i]
				}
			}
		}
		return value == nil
	})
	return value
}

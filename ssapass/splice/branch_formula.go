package splice

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// With Config.Branches the site table has formulas: how the condition of a branch, and
// the value of a write, follow from reads of the same task. They stand behind the
// accesses that only hooks see, in rows whose fourth column is "=" and the number of the
// site, and whose third column is the formula in prefix form:
//
//	formula = "?"                           not known
//	        | "#" integer                   a constant; booleans are 0 and 1
//	        | "@" site ":" type             what the task's last read at that site of the package found
//	        | "(" op formula ")"            op: ! - ^
//	        | "(" op formula formula ")"    op: == != < <= > >= && || + - * & | ^ &^
//
// A type is i, u or b with a number of bytes. A local variable that is assigned once
// stands for what it is assigned. In the formula of x op= y, whose check stands before
// the store, the site of the write itself stands for what x was.

// A store is where the check of a write is.
type store struct {
	site   int
	before bool // the store
}

// tell adds the row of a formula.
func (f *file) tell(site int, e ast.Expr, formula string) {
	f.pkg.unseen = append(f.pkg.unseen, unseenAccess{f.describe(e, f.text(e), formula), "=" + strconv.Itoa(site)})
}

// values tells the formulas of the writes in a function's body.
func (f *file) values(b *ast.BlockStmt) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IncDecStmt:
			op := token.ADD
			if n.Tok == token.DEC {
				op = token.SUB
			}
			f.compound(n.X, op, "#1")
		case *ast.AssignStmt:
			switch {
			case n.Tok == token.ASSIGN || n.Tok == token.DEFINE:
				for i, l := range n.Lhs {
					if len(n.Lhs) == len(n.Rhs) {
						f.stores(l, f.formula(n.Rhs[i]))
					}
				}
			case len(n.Lhs) == 1:
				if op := n.Tok + (token.ADD - token.ADD_ASSIGN); arithmetic(op) {
					f.compound(n.Lhs[0], op, f.formula(n.Rhs[0]))
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				switch {
				case len(n.Values) == 0:
					f.stores(id, "#0")
				case len(n.Values) == len(n.Names):
					f.stores(id, f.formula(n.Values[i]))
				}
			}
		}
		return true
	})
}

// stores tells the formula of a plain store.
func (f *file) stores(x ast.Expr, formula string) {
	if w, ok := f.storeAt[x]; ok && f.valueType(x) != "" {
		f.tell(w.site, x, formula)
	}
}

// compound tells the formula of x op= y.
func (f *file) compound(x ast.Expr, op token.Token, y string) {
	if w, ok := f.storeAt[x]; ok && w.before && f.valueType(x) != "" {
		f.tell(w.site, x, fmt.Sprintf("(%s @%d:%s %s)", op, w.site, f.valueType(x), y))
	}
}

// arithmetic reports whether formulas have the binary operator.
func arithmetic(op token.Token) bool {
	switch op {
	case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return true
	}
	return false
}

// decides reports whether formulas have the operator, whose value is a boolean.
func decides(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
		return true
	}
	return false
}

// formula returns how the value of e follows from reads.
func (f *file) formula(e ast.Expr) string {
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
		return unknownFormula
	}
	if id, ok := f.siteAt[ast.Unparen(e)]; ok {
		if t := f.valueType(e); t != "" {
			return fmt.Sprintf("@%d:%s", id, t)
		}
		return unknownFormula
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.formula(e.X)
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			if x := f.onlyValue(v); x != nil {
				return f.formula(x)
			}
		}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT, token.SUB, token.XOR:
			return "(" + e.Op.String() + " " + f.formula(e.X) + ")"
		}
	case *ast.BinaryExpr:
		if (arithmetic(e.Op) || decides(e.Op)) && f.valueType(e.X) != "" && f.valueType(e.Y) != "" {
			return "(" + e.Op.String() + " " + f.formula(e.X) + " " + f.formula(e.Y) + ")"
		}
	}
	return unknownFormula
}

const unknownFormula = "?"

// valueType returns the type of e's value in a formula, "" if it cannot be part of one.
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

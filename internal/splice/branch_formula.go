package splice

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"taskinstr/internal/site"
)

// With Config.Branches the site table has formulas: how the condition of a branch, or the value
// of a write, follows from reads of the same task. Formulas are rows behind the accesses that
// only hooks see. The fourth column of such a row is "=" and the number of the site, and its
// third column is the formula in prefix form:
//
//	formula = "?"                           not known
//	        | "#" integer                   a constant; booleans are 0 and 1
//	        | "@" site ":" type             the value that the task's last read at that site of the package found
//	        | "(" op formula ")"            op: ! - ^
//	        | "(" op formula formula ")"    op: == != < <= > >= && || + - * & | ^ &^
//
// A type is i, u or b with a number of bytes; pointers are unsigned. The formula of a local
// variable is the formula of its value; the formula of a parameter is the formula of the argument,
// if the function is called at one place. Slices, strings and calls have formulas, too:
// branch_length.go and branch_result.go say which.
//
// The check of x op= y stands before the store, and in its formula the site of the write itself
// represents the old value of x. The check of a write of the address of new memory stands behind
// the store, and its formula is "*": the check finds the value, which follows from no read.
//
// The right operand of && or || may not have been evaluated; if all its reads are made before
// the expression, & and | replace the operators.
//
// Behind the formula of an access, " from @" and a site name the read that found the pointer
// or the slice through which the access reaches its memory: if that read finds another one, the
// access is another one, too.
//
// Formulas name reads of the same call of a function, or of a call around it, or, marked, of a
// function that the expression calls. To evaluate a formula, the calling contexts must be known:
// in recursion, the last read at a site may belong to another call.

// A store is the site of the check of a write.
type store struct {
	site   int
	before bool // the check stands before the store
}

// tell adds the row of a formula.
func (f *file) tell(site int, e ast.Expr, formula string) {
	if from, ok := f.reachedBy(e); ok && !f.branchSites[site] { // the formula of a branch is the formula of no place
		formula += fmt.Sprintf("%s%d", addressFrom, from)
	}
	if f.told == nil {
		f.told = map[int]bool{}
	}
	f.told[site] = true
	f.pkg.unseen = append(f.pkg.unseen, unseenAccess{f.describe(e, f.TextOf(e), formula), "=" + strconv.Itoa(site)})
}

// addressFrom stands in front of the site of a read behind a formula.
const addressFrom = " from @"

// reachedBy returns the site of the read that found the pointer or slice through which place
// e is reached, if there is one.
func (f *file) reachedBy(e ast.Expr) (id int, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.StarExpr:
		return f.foundBy(e.X)
	case *ast.SelectorExpr:
		sel := f.pkg.cfg.Info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal {
			return 0, false
		}
		if path := sel.Index(); len(path) > 1 && site.ThroughPointer(site.Elem(sel.Recv()), path[:len(path)-1]) {
			return 0, false
		}
		if site.IsPointer(sel.Recv()) {
			return f.foundBy(e.X)
		}
		return f.reachedBy(e.X)
	case *ast.IndexExpr:
		switch site.Core(f.pkg.TypeOf(e.X)).(type) {
		case *types.Slice, *types.Pointer:
			return f.foundBy(e.X)
		case *types.Array:
			return f.reachedBy(e.X)
		}
	}
	return 0, false
}

// foundBy returns the site of the read that found the pointer or slice e, which may have been
// sliced since.
func (f *file) foundBy(e ast.Expr) (site int, ok bool) {
	e = ast.Unparen(e)
	if id, ok := f.siteAt[e]; ok {
		return id, true
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		return f.foundBy(e.X)
	case *ast.Ident:
		if v, ok := f.pkg.cfg.Info.Uses[e].(*types.Var); ok {
			if x := f.onlyValue(v); x != nil {
				return f.foundBy(x)
			}
		}
	}
	return 0, false
}

// tellReached adds a row with an unknown formula for each access in a function's body that has
// none yet and that a known pointer or slice reaches.
func (f *file) tellReached(b *ast.BlockStmt) {
	ast.Inspect(b, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if _, ok := f.reachedBy(e); !ok {
			return true
		}
		if site, ok := f.siteAt[e]; ok && !f.told[site] {
			f.tell(site, e, unknownFormula)
		}
		if w, ok := f.storeAt[e]; ok && !f.told[w.site] {
			f.tell(w.site, e, unknownFormula)
		}
		return true
	})
}

// values adds the formulas of the writes in a function's body.
func (f *file) values(b *ast.BlockStmt) {
	defer f.tellReached(b)
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
						f.stores(l, n.Rhs[i], len(n.Rhs) == 1)
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
					f.stores(id, nil, true)
				case len(n.Values) == len(n.Names):
					f.stores(id, n.Values[i], len(n.Values) == 1)
				}
			}
		}
		return true
	})
}

// stores adds the formula of a plain store of value y; nil is the zero value. If y is not alone,
// its statement evaluates other values, too, and a call in y may not be the latest.
func (f *file) stores(x, y ast.Expr, alone bool) {
	w, ok := f.storeAt[x]
	switch {
	case !ok || f.formulaType(x) == "":
	case y == nil:
		f.tell(w.site, x, "#0")
	case f.allocates(y):
		if !w.before {
			f.tell(w.site, x, newMemory)
		}
	case alone:
		f.tell(w.site, x, f.decided(y))
	default:
		f.tell(w.site, x, f.formula(y))
	}
}

const newMemory = "*"

// compound adds the formula of x op= y.
func (f *file) compound(x ast.Expr, op token.Token, y string) {
	t := f.formulaType(x)
	if w, ok := f.storeAt[x]; ok && w.before && t != "" && (f.valueType(x) != "" || op == token.ADD) {
		f.tell(w.site, x, fmt.Sprintf("(%s @%d:%s %s)", op, w.site, t, y))
	}
}

// tellsOld reports whether the check of x op= y is to stand before the store although x is a
// local variable: there it finds the old value, which the formula of the write needs.
func (f *file) tellsOld(t token.Token, x ast.Expr) bool {
	return f.pkg.cfg.Branches && t != token.ASSIGN && t != token.DEFINE && f.formulaType(x) != "" && !f.isAddress(x)
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

// formula returns the formula of e.
func (f *file) formula(e ast.Expr) string {
	info := f.pkg.cfg.Info
	if info.Types[e].IsNil() {
		return "#0"
	}
	if v := info.Types[e].Value; v != nil {
		return constantFormula(v)
	}
	if id, ok := f.siteAt[ast.Unparen(e)]; ok {
		if t := f.formulaType(e); t != "" {
			f.pkg.callee.found(id)
			return fmt.Sprintf("@%d:%s", id, t)
		}
		return unknownFormula
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.formula(e.X)
	case *ast.Ident:
		if v, ok := info.Uses[e].(*types.Var); ok {
			return f.variableFormula(e, v)
		}
	case *ast.CallExpr:
		if x, ok := f.lengthCall(e); ok {
			return x
		}
		return f.result(e)
	case *ast.CompositeLit, *ast.SliceExpr:
		return f.sliceLength(e)
	case *ast.UnaryExpr:
		x := f.formula(e.X)
		t := f.valueType(e)
		switch e.Op {
		case token.SUB, token.XOR:
			if untyped(x) && t != "i8" && t != "u8" {
				break
			}
			fallthrough
		case token.NOT:
			return "(" + e.Op.String() + " " + x + ")"
		}
	case *ast.BinaryExpr:
		return f.binaryFormula(e)
	}
	return unknownFormula
}

// constantFormula returns the formula of a constant: for a string its length.
func constantFormula(v constant.Value) string {
	switch v.Kind() {
	case constant.Bool:
		if constant.BoolVal(v) {
			return "#1"
		}
		return "#0"
	case constant.Int:
		return "#" + v.ExactString()
	case constant.String:
		return fmt.Sprintf("#%d", len(constant.StringVal(v)))
	}
	return unknownFormula
}

// binaryFormula returns the formula of a comparison, or of an operation with two operands.
func (f *file) binaryFormula(e *ast.BinaryExpr) string {
	info := f.pkg.cfg.Info
	if x, ok := f.stringFormula(e); ok {
		return x
	}
	if f.valueType(e.X) == "" || f.valueType(e.Y) == "" {
		return unknownFormula
	}
	if f.isAddress(e.X) && !info.Types[e.X].IsNil() && !info.Types[e.Y].IsNil() {
		return unknownFormula // of two objects: other runs may have them elsewhere
	}
	if x, ok := f.remainder(e, false); ok {
		return x
	}
	if !arithmetic(e.Op) && !decides(e.Op) {
		return unknownFormula
	}
	x, y := f.formula(e.X), f.formula(e.Y)
	if r, ok := ast.Unparen(e.X).(*ast.BinaryExpr); ok && y == "#0" && (e.Op == token.EQL || e.Op == token.NEQ) {
		if bits, ok := f.remainder(r, true); ok {
			x = bits
		}
	}
	switch {
	case e.Op == token.LAND && !f.readsIn(e.Y):
		return fmt.Sprintf("(& %s %s)", x, y)
	case e.Op == token.LOR && !f.readsIn(e.Y):
		return fmt.Sprintf("(| %s %s)", x, y)
	}
	return f.binary(e.Op, e.X, x, y)
}

// readsIn reports whether e itself reads memory, or calls a function that may: as the right
// operand of && or || it does not always do so. The reads in the value of a local variable are
// made before.
func (f *file) readsIn(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			_, is := f.siteAt[x]
			found = found || is
		}
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || f.follows(c) != nil // its body may read
		}
		return !found
	})
	return found
}

// isAddress reports whether e's value is a word that is nil or an address.
func (f *file) isAddress(e ast.Expr) bool {
	switch f.pkg.TypeOf(e).Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan:
		return true
	}
	return f.pkg.cfg.Info.Types[e].IsNil()
}

// allocates reports whether e's value is the address of memory that e allocates.
func (f *file) allocates(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND
	case *ast.CallExpr:
		return f.builtinName(e) == "new"
	}
	return false
}

const unknownFormula = "?"

// valueType returns the type of e's value in a formula, "" if it cannot be part of one.
func (f *file) valueType(e ast.Expr) string {
	if f.isAddress(e) {
		return fmt.Sprintf("u%d", f.pkg.Size(types.Typ[types.Uintptr]))
	}
	b, ok := f.pkg.TypeOf(e).Underlying().(*types.Basic)
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
	return fmt.Sprintf("%s%d", letter, f.pkg.Size(b))
}

// onlyValue returns the expression that local variable v is declared with, if nothing
// else is ever assigned to it.
func (f *file) onlyValue(v *types.Var) (value ast.Expr) {
	l := f.pkg.Var(v)
	if l == nil || l.Assigned || l.Taken || l.Owner == nil {
		return nil
	}
	ast.Inspect(l.Owner, func(n ast.Node) bool {
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

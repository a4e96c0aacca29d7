package loop

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// An Invariant is an expression that has one value all through a loop. Its text can be
// evaluated in front of the loop once the conditions hold, which are tested in their
// order.
type Invariant struct {
	Text  string
	Conds []string
}

// and returns an expression that is computed from v and w.
func (v Invariant) and(w Invariant, format string, args ...any) Invariant {
	return Invariant{fmt.Sprintf(format, args...), slices.Concat(v.Conds, w.Conds)}
}

// When returns v with a further condition.
func (v Invariant) When(cond string) Invariant {
	v.Conds = append(slices.Clip(v.Conds), cond)
	return v
}

// Place returns place e, if e denotes the same place all through the loop. If e is a
// variable that is not in memory, its value stays the same as well.
func (l *Loop) Place(e ast.Expr) (v Invariant, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		x, ok := l.Info.Use(e).(*types.Var)
		if !ok || x.IsField() {
			return v, false
		}
		if l.Inside(x) {
			d := l.variable(x)
			if d == nil || d.Def == nil || d.Assigned > 0 || l.InMemory(x) {
				return v, false
			}
			return l.Value(d.Def)
		}
		if !l.InMemory(x) && l.Assigned[x] {
			return v, false
		}
		return Invariant{Text: e.Name}, true
	case *ast.SelectorExpr:
		sel := l.Info.Selection(e)
		if sel == nil {
			if _, ok := l.Info.Use(e.Sel).(*types.Var); !ok {
				return v, false
			}
			if l.IsCopy(e) {
				return v, false // the package of e may have another name here
			}
			return Invariant{Text: l.Text(e)}, true
		}
		if sel.Kind() != types.FieldVal || EmbeddedPointer(sel) {
			return v, false
		}
		if y := l.Addressed(e.X); y != nil {
			if v, ok = l.Place(y); !ok {
				return v, false
			}
		} else if IsPointer(l.Info.TypeOf(e.X)) {
			if v, ok = l.Value(e.X); !ok {
				return v, false
			}
			v = v.When(v.Text + " != nil")
		} else if v, ok = l.Place(e.X); !ok {
			return v, false
		}
		v.Text += "." + e.Sel.Name
		return v, true
	case *ast.StarExpr:
		if y := l.Addressed(e.X); y != nil {
			return l.Place(y)
		}
		if v, ok = l.Value(e.X); !ok {
			return v, false
		}
		v = v.When(v.Text + " != nil")
		v.Text = "(*" + v.Text + ")"
		return v, true
	case *ast.IndexExpr:
		i, ok := l.Value(e.Index)
		if !ok || !isInt(l.Info.TypeOf(e.Index)) {
			return v, false
		}
		switch t := l.Info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice:
			v, ok = l.Value(e.X)
		case *types.Array:
			v, ok = l.Place(e.X)
		case *types.Pointer:
			if _, array := t.Elem().Underlying().(*types.Array); !array {
				return v, false
			}
			if v, ok = l.Value(e.X); ok {
				v = v.When(v.Text + " != nil")
			}
		default:
			return v, false
		}
		if !ok {
			return v, false
		}
		at := v.and(i, "%s[%s]", v.Text, i.Text)
		return at.When("0 <= " + i.Text).When(fmt.Sprintf("%s < len(%s)", i.Text, v.Text)), true
	}
	return v, false
}

// Value returns the value of e, if it has no effects, uses only values that stay the same
// all through the loop, and cannot panic under its conditions.
func (l *Loop) Value(e ast.Expr) (v Invariant, ok bool) {
	e = ast.Unparen(e)
	if c := l.Info.Type(e).Value; c != nil {
		if c.Kind() != constant.Int {
			return v, false
		}
		return Invariant{Text: c.ExactString()}, true
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if !IsInteger(l.Info.TypeOf(e)) {
			return v, false
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		case token.QUO, token.REM, token.SHL, token.SHR:
			c := l.Info.Type(e.Y).Value
			if c == nil || c.Kind() != constant.Int || constant.Sign(c) <= 0 {
				return v, false
			}
		default:
			return v, false
		}
		x, ok := l.Value(e.X)
		if !ok {
			return v, false
		}
		y, ok := l.Value(e.Y)
		if !ok {
			return v, false
		}
		return x.and(y, "(%s %s %s)", x.Text, e.Op, y.Text), true
	case *ast.UnaryExpr:
		if e.Op != token.SUB && e.Op != token.XOR || !IsInteger(l.Info.TypeOf(e)) {
			return v, false
		}
		if v, ok = l.Value(e.X); !ok {
			return v, false
		}
		v.Text = "(" + e.Op.String() + v.Text + ")"
		return v, true
	case *ast.CallExpr:
		return l.called(e)
	}
	if v, ok = l.Place(e); !ok {
		return v, false
	}
	if l.Reached(e) && l.MayWrite(l.Site(e, false, false)) {
		return v, false
	}
	return v, true
}

// called is Value for conversions of integers, len, min and max, and calls of simple
// functions.
func (l *Loop) called(e *ast.CallExpr) (v Invariant, ok bool) {
	tv := l.Info.Type(e.Fun)
	if r := l.Result(e); r != nil {
		return l.Value(r)
	}
	switch {
	case tv.IsType() && len(e.Args) == 1:
		id, named := ast.Unparen(e.Fun).(*ast.Ident)
		if !named || l.Inside(l.Info.Use(id)) || !IsInteger(tv.Type) || !IsInteger(l.Info.TypeOf(e.Args[0])) {
			return v, false
		}
		if v, ok = l.Value(e.Args[0]); !ok {
			return v, false
		}
		v.Text = id.Name + "(" + v.Text + ")"
		return v, true
	case tv.IsBuiltin() && BuiltinName(e) == "len":
		t := l.Info.TypeOf(e.Args[0]).Underlying()
		if _, isSlice := t.(*types.Slice); !isSlice && !IsString(t) {
			return v, false
		}
		if v, ok = l.Value(e.Args[0]); !ok {
			return v, false
		}
		v.Text = "len(" + v.Text + ")"
		return v, true
	case tv.IsBuiltin() && (BuiltinName(e) == "min" || BuiltinName(e) == "max") && isInt(l.Info.TypeOf(e)):
		text := "$" + BuiltinName(e) + "("
		for i, a := range e.Args {
			w, ok := l.Value(a)
			if !ok {
				return v, false
			}
			if i > 0 {
				text += ", "
			}
			text += w.Text
			v.Conds = append(v.Conds, w.Conds...)
		}
		v.Text = text + ")"
		return v, true
	}
	return v, false
}

// Definition returns the initial value of a variable that is never assigned to, nil if
// there is none or the variable is in memory.
func (l *Loop) Definition(v *types.Var) ast.Expr {
	if d := l.variable(v); d != nil && d.Assigned == 0 && !l.InMemory(v) {
		return d.Def
	}
	return nil
}

// Reached reports whether statements of other functions or tasks may reach place e.
func (l *Loop) Reached(e ast.Expr) bool {
	v := RootVar(l.Info, e)
	return v == nil || l.InMemory(v)
}

// EmbeddedPointer reports whether the selection passes an embedded pointer.
func EmbeddedPointer(sel *types.Selection) bool {
	t := sel.Recv()
	for i, k := range sel.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			if i > 0 {
				return true
			}
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		t = st.Field(k).Type()
	}
	return false
}

// Addressed returns the place that pointer e is the address of, nil if the source does
// not tell.
func (l *Loop) Addressed(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if _, lit := ast.Unparen(e.X).(*ast.CompositeLit); e.Op == token.AND && !lit {
			return e.X
		}
	case *ast.Ident:
		if v, ok := l.Info.Use(e).(*types.Var); ok && l.Inside(v) {
			if d := l.Definition(v); d != nil {
				return l.Addressed(d)
			}
		}
	case *ast.CallExpr:
		if r := l.Result(e); r != nil {
			return l.Addressed(r)
		}
	}
	return nil
}

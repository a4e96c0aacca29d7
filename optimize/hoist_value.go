package optimize

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// A value is an expression that has one value all through a loop, as source that
// can stand in front of the loop once the conditions hold, in their order.
type value struct {
	text string
	pre  []string
}

func (v value) and(w value, format string, args ...any) value {
	return value{fmt.Sprintf(format, args...), append(append([]string(nil), v.pre...), w.pre...)}
}

func (v value) when(cond string) value {
	v.pre = append(append([]string(nil), v.pre...), cond)
	return v
}

// place returns place e, if it is the same place all through the loop. Where e is
// a variable that nobody else can reach, its value stays as well.
func (l *loop) place(e ast.Expr) (v value, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		x, ok := l.info.Uses[e].(*types.Var)
		if !ok || x.IsField() {
			return v, false
		}
		if l.inside(x) {
			d := l.vars[x]
			if d == nil || d.def == nil || d.assigned > 0 || l.inMemory(x) {
				return v, false
			}
			return l.value(d.def)
		}
		if !l.inMemory(x) && l.assigned[x] {
			return v, false
		}
		return value{text: e.Name}, true
	case *ast.SelectorExpr:
		sel := l.info.Selections[e]
		if sel == nil {
			if _, ok := l.info.Uses[e.Sel].(*types.Var); !ok {
				return v, false
			}
			if l.isCopy(e) {
				return v, false // its package may have another name here
			}
			return value{text: l.words(e)}, true
		}
		if sel.Kind() != types.FieldVal || embeddedPointer(sel) {
			return v, false
		}
		if y := l.addressed(e.X); y != nil {
			if v, ok = l.place(y); !ok {
				return v, false
			}
		} else if isPointer(l.info.TypeOf(e.X)) {
			if v, ok = l.value(e.X); !ok {
				return v, false
			}
			v = v.when(v.text + " != nil")
		} else if v, ok = l.place(e.X); !ok {
			return v, false
		}
		v.text += "." + e.Sel.Name
		return v, true
	case *ast.StarExpr:
		if y := l.addressed(e.X); y != nil {
			return l.place(y)
		}
		if v, ok = l.value(e.X); !ok {
			return v, false
		}
		v = v.when(v.text + " != nil")
		v.text = "(*" + v.text + ")"
		return v, true
	case *ast.IndexExpr:
		i, ok := l.value(e.Index)
		if !ok || !isInt(l.info.TypeOf(e.Index)) {
			return v, false
		}
		switch t := l.info.TypeOf(e.X).Underlying().(type) {
		case *types.Slice:
			v, ok = l.value(e.X)
		case *types.Array:
			v, ok = l.place(e.X)
		case *types.Pointer:
			if _, array := t.Elem().Underlying().(*types.Array); !array {
				return v, false
			}
			if v, ok = l.value(e.X); ok {
				v = v.when(v.text + " != nil")
			}
		default:
			return v, false
		}
		if !ok {
			return v, false
		}
		at := v.and(i, "%s[%s]", v.text, i.text)
		return at.when("0 <= " + i.text).when(fmt.Sprintf("%s < len(%s)", i.text, v.text)), true
	}
	return v, false
}

// value returns e, if it is computed of what stays the same all through the
// loop, without effects, and cannot panic under its conditions.
func (l *loop) value(e ast.Expr) (v value, ok bool) {
	e = ast.Unparen(e)
	if c := l.info.Types[e].Value; c != nil {
		if c.Kind() != constant.Int {
			return v, false
		}
		return value{text: c.ExactString()}, true
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if !isInteger(l.info.TypeOf(e)) {
			return v, false
		}
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		case token.QUO, token.REM, token.SHL, token.SHR:
			c := l.info.Types[e.Y].Value
			if c == nil || c.Kind() != constant.Int || constant.Sign(c) <= 0 {
				return v, false
			}
		default:
			return v, false
		}
		x, ok := l.value(e.X)
		if !ok {
			return v, false
		}
		y, ok := l.value(e.Y)
		if !ok {
			return v, false
		}
		return x.and(y, "(%s %s %s)", x.text, e.Op, y.text), true
	case *ast.UnaryExpr:
		if e.Op != token.SUB && e.Op != token.XOR || !isInteger(l.info.TypeOf(e)) {
			return v, false
		}
		if v, ok = l.value(e.X); !ok {
			return v, false
		}
		v.text = "(" + e.Op.String() + v.text + ")"
		return v, true
	case *ast.CallExpr:
		return l.called(e)
	}
	if v, ok = l.place(e); !ok {
		return v, false
	}
	if l.reached(e) && l.mayWrite(l.site(e, false, false)) {
		return v, false
	}
	return v, true
}

// called is value for conversions of integers, len, min and max, and for simple
// functions.
func (l *loop) called(e *ast.CallExpr) (v value, ok bool) {
	tv := l.info.Types[e.Fun]
	if r := l.result(e); r != nil {
		return l.value(r)
	}
	switch {
	case tv.IsType() && len(e.Args) == 1:
		id, named := ast.Unparen(e.Fun).(*ast.Ident)
		if !named || l.inside(l.info.Uses[id]) || !isInteger(tv.Type) || !isInteger(l.info.TypeOf(e.Args[0])) {
			return v, false
		}
		if v, ok = l.value(e.Args[0]); !ok {
			return v, false
		}
		v.text = id.Name + "(" + v.text + ")"
		return v, true
	case tv.IsBuiltin() && builtinName(e) == "len":
		t := l.info.TypeOf(e.Args[0]).Underlying()
		if _, isSlice := t.(*types.Slice); !isSlice && !isString(t) {
			return v, false
		}
		if v, ok = l.value(e.Args[0]); !ok {
			return v, false
		}
		v.text = "len(" + v.text + ")"
		return v, true
	case tv.IsBuiltin() && (builtinName(e) == "min" || builtinName(e) == "max") && isInt(l.info.TypeOf(e)):
		text := "$" + builtinName(e) + "("
		for i, a := range e.Args {
			w, ok := l.value(a)
			if !ok {
				return v, false
			}
			if i > 0 {
				text += ", "
			}
			text += w.text
			v.pre = append(v.pre, w.pre...)
		}
		v.text = text + ")"
		return v, true
	}
	return v, false
}

// definition returns what a variable that is never assigned to was declared as.
func (l *loop) definition(v *types.Var) ast.Expr {
	if d := l.vars[v]; d != nil && d.assigned == 0 && !l.inMemory(v) {
		return d.def
	}
	return nil
}

// reached reports whether place e lies where others may reach it.
func (l *loop) reached(e ast.Expr) bool {
	v := rootVar(l.info, e)
	return v == nil || l.inMemory(v)
}

// embeddedPointer reports whether the selection passes an embedded pointer.
func embeddedPointer(sel *types.Selection) bool {
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

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// isInt reports whether t is an int; code that is inserted computes in them.
func isInt(t types.Type) bool {
	b, ok := types.Default(t).(*types.Basic)
	return ok && b.Kind() == types.Int
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

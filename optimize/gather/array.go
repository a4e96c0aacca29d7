package gather

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"taskinstr/internal/site"
	"taskinstr/optimize/loop"
)

// An array is the array that contains all elements which an expression reaches in a loop.
// A range must not continue from one array to the next array in memory: the second array
// may be freed before the range is checked.
type array struct {
	name  string // accesses with equal names reach the same array
	text  string // code in front of the loop for the whole array as a slice; "" if there is none
	walks bool   // the expression reaches another part of the array in each iteration
}

// arrayOf returns the array of e, a slice, an array, or a pointer to an array. ok is false
// if the loop may change the array.
func arrayOf(l *loop.Loop, e ast.Expr) (a array, ok bool) {
	if r, ok := invariant(l, e); ok {
		return array{name: r.name, text: r.text}, true
	}
	r, ok := (&resolver{l: l, open: map[*types.Var]bool{}}).root(e)
	if !ok || r.name == "" {
		return a, false
	}
	return array{name: types.ExprString(e) + " in " + r.name, text: r.text, walks: true}, true
}

// A root is a slice or array that has one value all through a loop: an invariant, or the
// value that a variable has when the loop begins.
type root struct {
	name string
	text string // see array
}

// invariant returns e as a root, if e reaches the same array all through the loop.
func invariant(l *loop.Loop, e ast.Expr) (r root, ok bool) {
	t := l.Info.TypeOf(e)
	if !indexable(t) {
		return r, false
	}
	var v loop.Invariant
	if site.IsArray(t) {
		v, ok = l.Place(e)
	} else {
		v, ok = l.Value(e)
	}
	if !ok {
		return r, false
	}
	r.name = v.Text
	text, conds := v.Text, strings.Join(v.Conds, " && ")
	switch t.Underlying().(type) {
	case *types.Pointer:
		if conds != "" {
			conds += " && "
		}
		conds += text + " != nil"
		text += "[:]"
	case *types.Array:
		text += "[:]"
	}
	if conds != "" {
		text = conds + ";" + text
	}
	if l.Unshadowed() && !strings.Contains(text, "$") { // code in front of the loop has no functions of plans
		r.text = text
	}
	return r, true
}

// A resolver follows the slices of a loop to the slice or array that they are parts of.
type resolver struct {
	l    *loop.Loop
	open map[*types.Var]bool // the variables that are being resolved
}

// root returns the root that e is a part of all through the loop. The root has no name if
// e is a variable that is being resolved and has no value when the loop begins. ok is false
// if there are several roots, or if nothing is known.
func (r *resolver) root(e ast.Expr) (x root, ok bool) {
	l, e := r.l, ast.Unparen(e)
	if x, ok := invariant(l, e); ok {
		return x, true
	}
	switch e := e.(type) {
	case *ast.SliceExpr:
		return r.root(e.X)
	case *ast.CallExpr:
		if l.Info.Type(e.Fun).IsType() && len(e.Args) == 1 {
			return r.root(e.Args[0])
		}
	case *ast.Ident:
		v, isVar := l.Info.Object(e).(*types.Var)
		if isVar && !v.IsField() && !l.InMemory(v) && indexable(v.Type()) && !site.IsArray(v.Type()) {
			return r.variable(v)
		}
	}
	return x, false
}

// variable is root for a local variable that the loop declares or assigns to.
func (r *resolver) variable(v *types.Var) (x root, ok bool) {
	if !r.l.Inside(v) {
		x.name = v.Name() + " at the beginning"
		if _, isSlice := v.Type().Underlying().(*types.Slice); isSlice && r.visible(v) {
			x.text = v.Name()
		}
	}
	if r.open[v] {
		return x, true
	}
	r.open[v] = true
	defer delete(r.open, v)
	values, ok := assigned(r.l, v)
	if !ok {
		return x, false
	}
	for _, e := range values {
		y, ok := r.root(e)
		switch {
		case !ok || y.name != "" && x.name != "" && y.name != x.name:
			return x, false
		case y.name != "":
			x = y
		}
	}
	return x, true
}

// visible reports whether the name of the variable denotes it in front of the loop.
func (r *resolver) visible(v *types.Var) bool {
	scope := r.l.Pkg.Types.Scope().Innermost(r.l.Stmt.Pos())
	if scope == nil {
		return false
	}
	_, o := scope.LookupParent(v.Name(), r.l.Stmt.Pos())
	return o == v
}

// assigned returns the values that the loop gives to a variable. ok is false if it gives
// values that are no expressions, or may leave the variable without a value.
func assigned(l *loop.Loop, v *types.Var) (values []ast.Expr, ok bool) {
	ok = true
	defined := !l.Inside(v)
	is := func(e ast.Expr) bool {
		id, isIdent := e.(*ast.Ident)
		return isIdent && (l.Info.Def(id) == v || l.Info.Use(id) == v)
	}
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, x := range n.Lhs {
				if !is(ast.Unparen(x)) {
					continue
				}
				if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
					ok = false
					return false
				}
				values, defined = append(values, n.Rhs[i]), defined || n.Tok == token.DEFINE
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if !is(id) {
					continue
				}
				if len(n.Names) != len(n.Values) {
					ok = false
					return false
				}
				values, defined = append(values, n.Values[i]), true
			}
		case *ast.RangeStmt:
			if n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value) {
				ok = false
			}
		}
		return ok
	})
	return values, ok && defined
}

// indexable reports whether t has elements in memory: it is a slice, an array, or a pointer
// to an array.
func indexable(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Pointer:
		return site.IsArray(t.Elem())
	}
	return false
}

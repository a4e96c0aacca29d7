package site

import (
	"go/ast"
	"go/types"
)

// Writes of memory that the program has just been given: the values of composite
// literals, the arguments that a call collects in a slice, and the first value of a
// variable that others may reach. Nobody else knows the memory yet. A goroutine that
// learns of it without synchronization races with these writes, and where the code that
// makes it known has no checks, no other report tells.

// firstValues lists the first values of the variables that the identifiers declare.
func (w *walk) firstValues(names ...*ast.Ident) {
	for _, id := range names {
		if id != nil && w.newVariable(id) {
			w.part(id, w.What(id), Write, false)
		}
	}
}

// newVariable reports whether others may reach the variable that id declares.
func (w *walk) newVariable(id *ast.Ident) bool {
	v, ok := w.Info.Defs[id].(*types.Var)
	return ok && !w.skip && !w.fn.nosplit && w.Reached(v)
}

// checksFresh reports whether initial writes of e are sites. The check is a call; a call
// of the program behind it in the same statement has to move in front of the statement,
// and where no call can move, there may be none.
func (w *walk) checksFresh(e ast.Expr) bool {
	if w.skip || w.fn.nosplit {
		return false
	}
	return w.ctx.before || w.ctx.root != nil && !w.CalledBehind(w.ctx.root, e)
}

// pointer lists &T{...} and new(x), a pointer to memory that e initializes.
func (w *walk) pointer(e ast.Expr) {
	t := w.TypeOf(e)
	if w.checksFresh(e) && w.Size(Elem(t)) != 0 {
		w.part(e, "new "+w.TypeName(Elem(t)), Write, false)
	}
}

// elements lists the elements of a slice literal.
func (w *walk) elements(e *ast.CompositeLit) {
	t := w.TypeOf(e)
	s, ok := Core(t).(*types.Slice)
	if ok && len(e.Elts) > 0 && w.checksFresh(e) && w.Size(s.Elem()) != 0 && w.ElementsSpelled() {
		w.part(e, w.elementOf(t), Write, true)
	}
}

// composite visits the elements of a composite literal. typ is the literal's type as the
// source spells it, nil where it does not.
func (w *walk) composite(e *ast.CompositeLit, typ ast.Expr) {
	key, value, isMap := w.ElementTypes(e, typ)
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if isMap {
				w.element(kv.Key, key)
			}
			x = kv.Value
		}
		w.element(x, value)
	}
}

// ElementTypes returns the types of keys and elements of a composite literal, nil where the source
// does not spell them, and whether it is a map. typ is the literal's type as the source spells it.
func (p *Package) ElementTypes(e *ast.CompositeLit, typ ast.Expr) (key, value ast.Expr, isMap bool) {
	c := Core(p.TypeOf(e))
	if t, ok := c.(*types.Pointer); ok { // an elided &T
		typ, c = Target(typ, t), Core(t.Elem())
	}
	_, isMap = c.(*types.Map)
	switch t := ast.Unparen(typ).(type) {
	case *ast.ArrayType:
		value = t.Elt
	case *ast.MapType:
		key, value = t.Key, t.Value
	}
	return key, value, isMap
}

// Target returns what typ, which spells type t, points to, nil where the source does not spell it. It
// returns typ if t is no pointer.
func Target(typ ast.Expr, t types.Type) ast.Expr {
	if star, ok := ast.Unparen(typ).(*ast.StarExpr); ok {
		return star.X
	}
	if IsPointer(t) {
		return nil
	}
	return typ
}

// element visits an element of a composite literal. The source may leave out the type of
// the element: typ is the type that the literal around it says.
func (w *walk) element(e, typ ast.Expr) {
	l, ok := e.(*ast.CompositeLit)
	if !ok || l.Type != nil {
		w.value(e)
		return
	}
	w.composite(l, typ)
	t := w.TypeOf(l)
	_, slice := Core(t).(*types.Slice)
	if !IsPointer(t) && !slice {
		return
	}
	if _, ok := w.SpellAs(Target(typ, t), Elem(t), l); !ok {
		return
	}
	if slice {
		w.elements(l)
	} else {
		w.pointer(l)
	}
}

// variadic lists the arguments that a call collects in a slice.
func (w *walk) variadic(c *ast.CallExpr) {
	if t := w.Collected(c); t != nil && w.checksFresh(c) && w.BuiltinsSpelled() {
		if _, ok := w.Spell(t, c); ok {
			w.part(c, "argument of type "+w.TypeName(t), Write, true)
		}
	}
}

// Collected returns the type of the arguments that call c collects in a slice whose
// elements have bytes; nil if it collects none.
func (p *Package) Collected(c *ast.CallExpr) types.Type {
	sig, ok := Core(p.TypeOf(c.Fun)).(*types.Signature)
	if !ok || !sig.Variadic() || c.Ellipsis.IsValid() || len(c.Args) < sig.Params().Len() {
		return nil
	}
	args := c.Args[sig.Params().Len()-1:]
	if _, tuple := p.TypeOf(args[0]).(*types.Tuple); tuple {
		return nil
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	if !ok || p.passesAddress(args) || p.Size(last.Elem()) == 0 {
		return nil
	}
	return last.Elem()
}

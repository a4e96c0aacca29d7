package site

import (
	"go/ast"
	"go/token"
	"go/types"
)

// forStatement visits a loop with up to three header parts.
func (w *walk) forStatement(s *ast.ForStmt, label string) {
	w.ctx = context{before: w.movable(label)}
	if s.Init != nil {
		w.simple(s.Init)
	}
	if s.Cond != nil {
		w.ctx = context{before: true}
		w.value(s.Cond)
	}
	if s.Post != nil {
		w.ctx = context{}
		w.simple(s.Post)
	}
	w.renewals(s)
	w.statements(s.Body.List)
}

// renewals lists the accesses that give each iteration its own loop variables: at the
// end of an iteration the loop copies their values into the next iteration's variables.
func (w *walk) renewals(s *ast.ForStmt) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE || !w.PerIteration || w.skip {
		return
	}
	for _, l := range init.Lhs {
		v, ok := w.Info.Defs[l.(*ast.Ident)].(*types.Var)
		if !ok || !w.Reached(v) {
			continue
		}
		what := "loop variable " + v.Name()
		w.part(l, what, Read, false)
		w.part(l, what, Read, false).Kind = Write // one decision of a plan is about both
	}
}

// rangeStatement visits a range loop.
func (w *walk) rangeStatement(s *ast.RangeStmt, label string) {
	movable := w.movable(label)
	w.ctx = context{before: movable}
	t := w.TypeOf(s.X)
	value := s.Value != nil && !IsBlank(s.Value)
	var elems types.Type // of the elements that each iteration reads
	overFunc := false
	switch c := Core(t).(type) {
	case *types.Array:
		if value {
			w.value(s.X)
		} else if w.Calls(s.X) { // otherwise the loop needs the length alone, a constant
			w.address(s.X)
		}
	case *types.Pointer: // to an array
		if value || w.Calls(s.X) {
			w.value(s.X)
		}
		if a, ok := Core(c.Elem()).(*types.Array); ok && value {
			elems = a.Elem()
		}
	case *types.Slice:
		w.value(s.X)
		if value {
			elems = c.Elem()
		}
	default:
		_, overFunc = c.(*types.Signature)
		w.value(s.X)
	}
	element := elems != nil && !w.skip && w.Size(elems) != 0 && !w.Fresh(s.X) && (movable || w.KeepsOperand(s) != nil)

	fn := w.fn
	if overFunc { // the iterator may run the body in another goroutine
		w.fn = &function{defers: fn.defers, results: fn.results, gotos: fn.gotos}
		if !w.skip && movable { // the compiler keeps the state of the loop in a variable
			for range 2 {
				w.fixed(s.X, "loop over a function", Write, false)
			}
		}
	}
	w.ctx = context{}
	w.rangeVariables(s, element)
	w.statements(s.Body.List)
	w.fn = fn
}

// KeepsOperand returns the operand of s if it is a local variable that keeps its value
// and its name in the body, else nil.
func (p *Package) KeepsOperand(s *ast.RangeStmt) *ast.Ident {
	id, ok := ast.Unparen(s.X).(*ast.Ident)
	if !ok || named(s.Key, id.Name) || named(s.Value, id.Name) {
		return nil
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || IsGlobal(v) || p.Shared(v) {
		return nil
	}
	if l := p.vars[v]; l == nil || l.Assigned {
		return nil
	}
	return id
}

func named(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// rangeVariables visits the variables of a range clause; element says that an iteration
// reads an element of a slice or of an array behind a pointer.
func (w *walk) rangeVariables(s *ast.RangeStmt, element bool) {
	if s.Key == nil {
		return
	}
	if element {
		w.add(s.X, w.TextOf(s.X), w.elementOf(Elem(w.TypeOf(s.X))), Read, true)
	}
	list := []ast.Expr{s.Key}
	if s.Value != nil {
		list = append(list, s.Value)
	}
	switch {
	case s.Tok == token.DEFINE && w.PerIteration:
		for _, e := range list {
			w.firstValues(e.(*ast.Ident))
		}
	case s.Tok == token.DEFINE: // all iterations share the variables
		for _, e := range list {
			if w.writable(e) {
				w.fixed(e, w.What(e), Write, false)
			}
		}
	case w.skip || !element && !w.PlacesToCheck(list):
		for _, e := range list {
			if !IsBlank(e) {
				w.address(e)
			}
		}
	default:
		w.assignedPlaces(list)
	}
}

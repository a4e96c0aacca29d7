package splice

import (
	"go/ast"
	"go/types"
	"strconv"

	"taskinstr/internal/site"
)

// Writes of memory that the program has just been given: the values of composite
// literals, the arguments that a call collects in a slice, the elements behind a
// slice that append has moved, and the first value of a variable that others may
// reach. Nobody else knows the memory yet, but whoever learns of it without
// synchronization races with these writes, and where the code that makes it known
// has no checks, no other report tells.
//
// Memory on the goroutine's own stack is no different in the source; the runtime
// dismisses its checks.

// checksFresh reports whether initial writes of e are checked. A helper's call must not
// change the order of evaluation: a call behind it in the same statement has to move in
// front of the statement, and where none can move, there may be none.
func (f *file) checksFresh(e ast.Expr) bool {
	if f.skip || f.fn.nosplit {
		return false
	}
	return f.seq.canHoist || f.seq.root != nil && !f.CalledBehind(f.seq.root, e)
}

// literalAddress wraps &T{...} and new(x), a pointer to memory that e initializes.
func (f *file) literalAddress(e ast.Expr, spelled string) {
	t := f.TypeOf(e)
	if !f.checksFresh(e) || f.Size(site.Elem(t)) == 0 {
		return
	}
	f.seq.pending++
	if f.omitPart(e, true, false) {
		return
	}
	a, b := f.offset(e.Pos()), f.offset(e.End())
	f.add(a, b, layerWrap, f.helper("_ti_w"), text(spelled), source(a, b), text(","+f.site(e, "new "+f.TypeName(site.Elem(t)), site.Write)+")"))
	f.pkg.stats.Writes++
}

// literalElements wraps a slice literal.
func (f *file) literalElements(e *ast.CompositeLit, spelled string) {
	t := f.TypeOf(e)
	s, ok := site.Core(t).(*types.Slice)
	if !ok || len(e.Elts) == 0 || !f.checksFresh(e) || f.Size(s.Elem()) == 0 || !f.pkg.usable("_ti_ws") {
		return
	}
	f.seq.pending++
	if f.omitPart(e, true, true) {
		return
	}
	a, b := f.offset(e.Pos()), f.offset(e.End())
	f.add(a, b, layerWrap, f.helper("_ti_ws"), text(f.site(e, "element of "+f.TypeName(t), site.Write)+","+spelled), source(a, b), text(")"))
	f.pkg.stats.Ranges++
}

// composite rewrites the elements of a composite literal. typ is the literal's type as
// the source spells it, nil where it does not.
func (f *file) composite(e *ast.CompositeLit, typ ast.Expr) {
	c := site.Core(f.TypeOf(e))
	if p, ok := c.(*types.Pointer); ok { // an elided &T
		c = site.Core(p.Elem())
		if star, ok := ast.Unparen(typ).(*ast.StarExpr); ok {
			typ = star.X
		} else {
			typ = nil
		}
	}
	var key, value ast.Expr
	switch t := ast.Unparen(typ).(type) {
	case *ast.ArrayType:
		value = t.Elt
	case *ast.MapType:
		key, value = t.Key, t.Value
	}
	_, isMap := c.(*types.Map)
	for _, x := range e.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			if isMap {
				f.literalElement(kv.Key, key)
			}
			x = kv.Value
		}
		f.literalElement(x, value)
	}
}

// literalElement rewrites an element of a composite literal, whose own type the source may
// leave out: typ is what the literal around it says.
func (f *file) literalElement(e, typ ast.Expr) {
	l, ok := e.(*ast.CompositeLit)
	if !ok || l.Type != nil {
		f.rvalue(e)
		return
	}
	f.composite(l, typ)
	t := f.TypeOf(l)
	_, slice := site.Core(t).(*types.Slice)
	if !site.IsPointer(t) && !slice {
		return
	}
	if star, ok := ast.Unparen(typ).(*ast.StarExpr); ok {
		typ = star.X
	} else if site.IsPointer(t) {
		typ = nil
	}
	spelled, ok := f.SpellAs(typ, site.Elem(t), l)
	switch {
	case !ok:
		f.pkg.stats.Unspelled++
	case slice:
		f.literalElements(l, spelled)
	default:
		f.literalAddress(l, "&"+spelled)
	}
}

// variadic wraps the arguments that a call collects in a slice.
func (f *file) variadic(c *ast.CallExpr) {
	t := f.Collected(c)
	if t == nil || !f.checksFresh(c) || !f.pkg.usable("_ti_va") {
		return
	}
	args := c.Args[site.Core(f.TypeOf(c.Fun)).(*types.Signature).Params().Len()-1:]
	spelled, ok := f.Spell(t, c)
	if !ok {
		f.pkg.stats.Unspelled++
		return
	}
	f.seq.pending++
	if f.omitPart(c, true, true) {
		return
	}
	a, b := f.offset(args[0].Pos()), f.offset(args[len(args)-1].End())
	h := f.helper("_ti_va")
	h.types = "[" + spelled + "]"
	f.add(a, b, layerReceiver, h, text(f.site(c, "argument of type "+f.TypeName(t), site.Write)+","), source(a, b), text(")..."))
	f.pkg.stats.Ranges++
}

// firstValues returns the write checks of variables that have just been given their
// first value.
func (f *file) firstValues(names []*ast.Ident) (ps []part) {
	for _, id := range names {
		if id != nil && f.newVariable(id) {
			if !f.omitPart(id, true, false) {
				ps = append(ps, f.helper("_ti_w"), text("&"+id.Name+","+f.site(id, f.What(id), site.Write)+"); "))
				f.storeAt[id] = store{site: len(f.pkg.sites) - 1}
				f.pkg.stats.Writes++
			}
		}
	}
	return ps
}

// lateResults checks the reads of named results that a function with deferred calls
// hands over. They come behind all of these, so the check is deferred before them.
func (f *file) lateResults(t *ast.FuncType, b *ast.BlockStmt) {
	if !f.fn.defers {
		return
	}
	for _, id := range site.Parameters(t.Results) {
		if f.newVariable(id) {
			f.pkg.helpers["_ti_result"] = true
			f.atStart(b, layerInner, text("defer _ti_result(&"+id.Name+","+f.site(id, "result "+id.Name, site.Read)+"); "))
			f.pkg.stats.Reads++
		}
	}
}

// firstBehind puts the check of a variable's first value behind the statement.
func (f *file) firstBehind(id *ast.Ident) {
	if f.newVariable(id) && !f.omitPart(id, true, false) {
		f.seq.after = append(f.seq.after, f.helper("_ti_w"), text("&"+id.Name+","+f.site(id, f.What(id), site.Write)+")"))
		f.storeAt[id] = store{site: len(f.pkg.sites) - 1}
		f.pkg.stats.Writes++
	}
}

// newVariable reports whether others may reach the variable that id declares.
func (f *file) newVariable(id *ast.Ident) bool {
	v, ok := f.Info.Defs[id].(*types.Var)
	return ok && !f.skip && !f.fn.nosplit && f.Shared(v) && f.Size(v.Type()) != 0
}

// atClause puts the write checks of the variables of a clause at its start.
func (f *file) atClause(colon int, names []*ast.Ident) {
	if ps := f.firstValues(names); len(ps) > 0 {
		f.add(colon, colon+1, layerEntry, append([]part{source(colon, colon+1), text(" ")}, ps...)...)
	}
}

// appended wraps append(s, x, y), which writes n elements at the end of its result.
func (f *file) appended(c *ast.CallExpr, n int) {
	dst := c.Args[0]
	if f.skip || f.omitPart(c, true, true) {
		return
	}
	f.wrapArg(c, "_ti_ap", strconv.Itoa(n)+","+f.site(c, "element of "+f.TypeName(f.TypeOf(dst)), site.Write))
	f.pkg.stats.Ranges++
}

// typeSwitched checks the first value of the variable of a type switch in a clause.
func (f *file) typeSwitched(cc *ast.CaseClause, tag ast.Node, v *types.Var) {
	id := tag.(*ast.AssignStmt).Lhs[0].(*ast.Ident)
	if f.skip || f.fn.nosplit || !f.Shared(v) || f.Size(v.Type()) == 0 {
		return
	}
	colon := f.offset(cc.Colon)
	f.add(colon, colon+1, layerEntry, source(colon, colon+1), text(" "), f.helper("_ti_w"), text("&"+id.Name+","+f.site(id, "variable "+id.Name, site.Write)+"); "))
	f.pkg.stats.Writes++
}

// freshConstant wraps a conversion of a constant string to n bytes or runes.
func (f *file) freshConstant(c *ast.CallExpr, n int) {
	if n == 0 || !f.checksFresh(c) || !f.pkg.usable("_ti_ws") {
		return
	}
	f.wrapArg(c, "_ti_ws", f.site(c, "element of "+f.TypeName(f.TypeOf(c)), site.Write))
	f.pkg.stats.Ranges++
}

// extended rewrites append(s, make([]T, n)...), which writes n zeros without making
// another slice. It reports whether it did.
func (f *file) extended(c *ast.CallExpr, dst, src ast.Expr) bool {
	m := ast.Unparen(src).(*ast.CallExpr)
	if len(m.Args) != 2 || f.skip || f.fn.nosplit || !f.pkg.usable("_ti_extend") {
		return false
	}
	f.rvalue(dst)
	f.rvalue(m.Args[1])
	if f.omitPart(c, true, true) {
		return true
	}
	number := f.site(c, "element of "+f.TypeName(f.TypeOf(dst)), site.Write)
	a, b := f.offset(c.Fun.Pos()), f.offset(c.Lparen)+1
	f.add(a, b, layerHost, f.helper("_ti_extend"), text(number+","))
	// make([]T, n)... becomes n.
	n := m.Args[1]
	if s, e := f.offset(src.Pos()), f.offset(n.Pos()); f.multiline(s, e) {
		f.add(s, e, layerHost, f.resync(e))
	} else {
		f.add(s, e, layerHost)
	}
	f.add(f.offset(n.End()), f.offset(c.Rparen), layerHost)
	f.pkg.stats.Ranges++
	return true
}

// arrayOf wraps the slice x that a conversion to an array copies.
func (f *file) arrayOf(x ast.Expr, s *types.Slice, to types.Type) {
	a, ok := to.(*types.Array)
	if !ok || a.Len() == 0 || f.Size(s.Elem()) == 0 || f.skip || f.omitPart(x, false, true) {
		return
	}
	f.wrapArg(x, "_ti_ra", strconv.FormatInt(a.Len(), 10)+","+f.site(x, "element of "+f.TypeName(f.TypeOf(x)), site.Read))
	f.pkg.stats.Ranges++
}

// textOrBytes rewrites the index of a value whose type parameter allows both strings
// and slices of bytes.
func (f *file) textOrBytes(e *ast.IndexExpr) {
	f.rvalue(e.X)
	f.rvalue(e.Index)
	if f.skip || f.fn.nosplit || !f.pkg.usable("_ti_ri") {
		return
	}
	a, b := f.offset(e.Pos()), f.offset(e.End())
	f.add(a, b, layerWrap, f.helper("_ti_ri"), text(f.site(e, "element of "+f.TypeName(f.TypeOf(e.X)), site.Read)+","),
		source(a, f.offset(e.X.End())), text(",int("), source(f.offset(e.Lbrack)+1, f.offset(e.Rbrack)), text("))"))
	f.seq.pending++
	f.pkg.stats.Reads++
}

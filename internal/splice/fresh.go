package splice

import (
	"go/ast"
	"go/types"
	"maps"
	"strconv"

	"taskinstr/internal/site"
)

// Fresh memory also needs checks of its first writes: the values of composite literals, the
// arguments that a call collects in a slice, the elements behind a slice that append has
// moved, and the first values of variables that other goroutines may reach. No other
// goroutine knows the memory yet. But a goroutine that learns of it without synchronization
// races with these writes, and if the code that publishes the memory has no checks, no
// other report shows the race.
//
// Memory on the goroutine's own stack looks the same in the source. The runtime dismisses
// the checks of such memory.

// checksFresh reports whether first writes of e have checks. The call of a helper must not
// change the order of evaluation. A later call in the same statement has to move in front
// of the statement; if calls cannot move, there must be no later call.
func (f *file) checksFresh(e ast.Expr) bool {
	if f.skip || f.fn.nosplit {
		return false
	}
	return f.seq.canHoist || f.seq.root != nil && !f.CalledBehind(f.seq.root, e)
}

// literalAddress wraps &T{...} or new(x), a pointer to memory that e initializes.
func (f *file) literalAddress(e ast.Expr, spelled string) {
	t := f.TypeOf(e)
	if !f.checksFresh(e) || f.Size(site.Elem(t)) == 0 {
		return
	}
	f.seq.pending++
	if f.omitPart(e, true, false) {
		return
	}
	f.enclose(e, layerWrap, ","+f.newSite(e, "new "+f.TypeName(site.Elem(t)))+")", f.helper("_ti_w").of(site.Elem(t)), text(spelled))
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
	f.enclose(e, layerWrap, ")", f.helper("_ti_ws"), text(f.newSite(e, "element of "+f.TypeName(t))+","+spelled))
	f.pkg.stats.Ranges++
}

// composite rewrites the elements of a composite literal. typ is the literal's type as the
// source spells it, or nil if the source leaves it out.
func (f *file) composite(e *ast.CompositeLit, typ ast.Expr) {
	key, value, isMap := f.ElementTypes(e, typ)
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

// literalElement rewrites an element of a composite literal. The source may leave out the
// element's own type; typ is the type that the surrounding literal implies.
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
	spelled, ok := f.SpellAs(site.Target(typ, t), site.Elem(t), l)
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
	a, b := f.Offset(args[0].Pos()), f.Offset(args[len(args)-1].End())
	h := f.helper("_ti_va")
	h.types = "[" + spelled + "]"
	f.add(a, b, layerReceiver, h, text(f.newSite(c, "argument of type "+f.TypeName(t))+","), source(a, b), text(")..."))
	f.pkg.stats.Ranges++
}

// firstValues returns the checks for the first values of variables.
func (f *file) firstValues(names []*ast.Ident) (ps []part) {
	for _, id := range names {
		if check := f.firstValue(id); check != nil {
			ps = append(append(ps, check...), text("; "))
		}
	}
	return ps
}

// firstValue returns the check for the first value of the variable that id declares, nil if there
// is none. id may be nil.
func (f *file) firstValue(id *ast.Ident) []part {
	if id == nil || !f.newVariable(id) || f.omitPart(id, true, false) {
		return nil
	}
	check := f.statement(f.helper("_ti_w").of(f.TypeOf(id)), "&"+id.Name, f.newSite(id, f.What(id)))
	f.storeAt[id] = store{site: len(f.pkg.sites) - 1}
	f.pkg.stats.Writes++
	return check
}

// lateResults checks the reads of named results in a function with deferred calls. The
// function reads them after all deferred calls, so the check is deferred before these.
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

// newVariable reports whether other goroutines may reach the variable that id declares, and
// its first value has a check.
func (f *file) newVariable(id *ast.Ident) bool {
	v, ok := f.Info.Defs[id].(*types.Var)
	return ok && !f.skip && !f.fn.nosplit && f.Reached(v)
}

// atClause adds the checks for the variables of a clause at the clause's start.
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
	f.wrapArg(c, "_ti_ap", strconv.Itoa(n)+","+f.newSite(c, "element of "+f.TypeName(f.TypeOf(dst))))
	f.pkg.stats.Ranges++
}

// typeSwitched checks the first value of a type switch's variable in a clause.
func (f *file) typeSwitched(cc *ast.CaseClause, tag ast.Node, v *types.Var) {
	id := tag.(*ast.AssignStmt).Lhs[0].(*ast.Ident)
	if f.skip || f.fn.nosplit || !f.Reached(v) {
		return
	}
	colon := f.Offset(cc.Colon)
	check := f.statement(f.helper("_ti_w").of(v.Type()), "&"+id.Name, f.newSite(id, "variable "+id.Name))
	f.add(colon, colon+1, layerEntry, append(append([]part{source(colon, colon+1), text(" ")}, check...), text("; "))...)
	f.pkg.stats.Writes++
}

// freshConstant wraps a conversion of a constant string to n bytes or runes.
func (f *file) freshConstant(c *ast.CallExpr, n int) {
	if n == 0 || !f.checksFresh(c) || !f.pkg.usable("_ti_ws") {
		return
	}
	f.wrapArg(c, "_ti_ws", f.newSite(c, "element of "+f.TypeName(f.TypeOf(c))))
	f.pkg.stats.Ranges++
}

// extended rewrites append(s, make([]T, n)...) so that it writes n zeros and makes no other
// slice. It reports whether it could.
func (f *file) extended(c *ast.CallExpr, dst, src ast.Expr) bool {
	m := ast.Unparen(src).(*ast.CallExpr)
	if len(m.Args) != 2 || f.skip || f.fn.nosplit || !f.pkg.usable("_ti_extend") || !f.keepImports(m.Args[0]) {
		return false
	}
	f.rvalue(dst)
	f.rvalue(m.Args[1])
	if f.omitPart(c, true, true) {
		return true
	}
	number := f.newSite(c, "element of "+f.TypeName(f.TypeOf(dst)))
	a, b := f.Offset(c.Fun.Pos()), f.Offset(c.Lparen)+1
	f.add(a, b, layerHost, f.helper("_ti_extend"), text(number+","))
	// make([]T, n)... becomes n.
	n := m.Args[1]
	if s, e := f.Offset(src.Pos()), f.Offset(n.Pos()); f.multiline(s, e) {
		f.add(s, e, layerHost, f.resync(e))
	} else {
		f.add(s, e, layerHost)
	}
	f.add(f.Offset(n.End()), f.Offset(c.Rparen), layerHost)
	f.pkg.stats.Ranges++
	return true
}

// keepImports keeps the imports in use that the type t names, whose text is left out. It reports whether it could.
func (f *file) keepImports(t ast.Expr) bool {
	uses, ok := map[string]bool{}, true
	ast.Inspect(t, func(n ast.Node) bool {
		x, isSelector := n.(*ast.SelectorExpr)
		if !isSelector {
			return ok
		}
		id, _ := x.X.(*ast.Ident)
		if _, imported := f.Info.ObjectOf(id).(*types.PkgName); !imported {
			return ok
		}
		switch o := f.Info.ObjectOf(x.Sel).(type) {
		case *types.TypeName:
			generic, _ := o.Type().(interface{ TypeParams() *types.TypeParamList })
			ok = ok && (generic == nil || generic.TypeParams().Len() == 0)
			uses["var _ *"+types.ExprString(x)] = true
		case *types.Const:
			uses["const _ = "+types.ExprString(x)] = true
		default:
			ok = false
		}
		return false
	})
	if ok {
		maps.Copy(f.uses, uses)
	}
	return ok
}

// arrayOf wraps the slice x if a conversion copies it to an array.
func (f *file) arrayOf(x ast.Expr, s *types.Slice, to types.Type) {
	a, ok := to.(*types.Array)
	if !ok || a.Len() == 0 || f.Size(s.Elem()) == 0 || f.skip || f.omitPart(x, false, true) {
		return
	}
	f.wrapArg(x, "_ti_ra", strconv.FormatInt(a.Len(), 10)+","+f.site(x, "element of "+f.TypeName(f.TypeOf(x)), site.Read))
	f.pkg.stats.Ranges++
}

// textOrBytes rewrites an index expression whose operand's type parameter allows both
// strings and slices of bytes.
func (f *file) textOrBytes(e *ast.IndexExpr) {
	f.rvalue(e.X)
	f.rvalue(e.Index)
	if f.skip || f.fn.nosplit || !f.pkg.usable("_ti_ri") {
		return
	}
	a, b := f.Offset(e.Pos()), f.Offset(e.End())
	f.add(a, b, layerWrap, f.helper("_ti_ri"), text(f.site(e, "element of "+f.TypeName(f.TypeOf(e.X)), site.Read)+","),
		source(a, f.Offset(e.X.End())), text(",int("), source(f.Offset(e.Lbrack)+1, f.Offset(e.Rbrack)), text("))"))
	f.seq.pending++
	f.pkg.stats.Reads++
}

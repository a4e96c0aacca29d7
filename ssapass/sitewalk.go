package ssapass

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
)

// A siteWalk visits the expressions of one file and looks up their SSA instructions.
// The instructions tell which expressions are read or written. Some instructions have
// no position of their own: loads of embedded fields within a selection, of range
// elements, and of results. The walk finds them through their neighbours.
type siteWalk struct {
	p     *Program
	sites *Sites
	x     *accessIndex
	info  *types.Info
	pkg   *types.Package
	text  []byte
	names map[string]string // short texts of expressions so far, each of them once
	base  int               // base of the positions of the file

	dead   bool // inside a function that cannot run
	unseen bool // inside a function of Site.Unseen
	called map[*ast.SelectorExpr]token.Pos
	result []*ast.FieldList // results of the enclosing functions
}

func (w *siteWalk) src(n ast.Node) string {
	a, b := int(n.Pos())-w.base, int(n.End())-w.base
	if a < 0 || b > len(w.text) || a > b {
		return ""
	}
	const short = 32
	if b-a > short {
		return string(w.text[a:b])
	}
	s, ok := w.names[string(w.text[a:b])]
	if !ok {
		s = string(w.text[a:b])
		w.names[s] = s
	}
	return s
}

func (w *siteWalk) file(f *ast.File) {
	w.called = map[*ast.SelectorExpr]token.Pos{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil {
				fn, ok := w.info.Defs[d.Name].(*types.Func)
				w.unseen = ok && w.p.unit != nil && w.p.unit.exposed(fn) && !w.x.live[d]
				w.function(d, d.Recv, d.Type, d.Body)
				w.unseen = false
			}
		case *ast.GenDecl:
			w.dead = false
			ast.Inspect(d, w.visit)
		}
	}
}

// function visits the parameters and the body of a declaration or literal.
func (w *siteWalk) function(n ast.Node, recv *ast.FieldList, t *ast.FuncType, body *ast.BlockStmt) {
	dead := w.dead
	w.dead = !w.x.live[n]
	for _, id := range site.Parameters(recv, t.Params, t.Results) {
		w.fresh(id, id.Pos(), w.src(id), false, w.x.allocs[id.Pos()])
	}
	w.result = append(w.result, t.Results)
	ast.Inspect(body, w.visit)
	w.result = w.result[:len(w.result)-1]
	w.dead = dead
}

func (w *siteWalk) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		w.function(n, nil, n.Type, n.Body)
		return false
	case *ast.Ident:
		if v, ok := w.info.ObjectOf(n).(*types.Var); ok && !v.IsField() {
			w.place(n, ssaPos(n))
			if w.info.Defs[n] != nil {
				w.fresh(n, n.Pos(), w.src(n), false, w.x.allocs[n.Pos()])
			}
		}
	case *ast.UnaryExpr:
		if l, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok && n.Op == token.AND {
			w.fresh(n, n.Pos(), w.src(n), false, w.x.allocs[l.Lbrace])
		}
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.SelectorExpr:
		w.selector(n)
	case *ast.IndexExpr, *ast.StarExpr:
		w.place(n.(ast.Expr), ssaPos(n.(ast.Expr)))
	case *ast.RangeStmt:
		w.rangeElems(n)
	case *ast.CallExpr:
		if s, ok := ast.Unparen(callee(n)).(*ast.SelectorExpr); ok {
			w.called[s] = n.Lparen
		}
		w.call(n)
	case *ast.ReturnStmt:
		w.results(n)
	}
	return true
}

// fresh adds the write that initializes the memory at the addresses of accs.
func (w *siteWalk) fresh(n ast.Node, pos token.Pos, text string, elems bool, accs []Access) {
	w.sites.add(w, pos, text, true, elems, accs)
	if t := w.sites.Lookup(NewKey(w.p.Fset, pos, text, true, elems)); t != nil {
		t.Fresh = true
	}
}

// literal looks up the memory of a slice literal, and of a literal without a type whose
// value is a pointer.
func (w *siteWalk) literal(l *ast.CompositeLit) {
	switch t := w.info.TypeOf(l); {
	case isSlice(t):
		w.fresh(l, l.Pos(), w.src(l), true, w.sliced(w.x.allocs[l.Lbrace]))
	case l.Type == nil && site.IsPointer(t):
		w.fresh(l, l.Pos(), w.src(l), false, w.x.allocs[l.Lbrace])
	}
}

// sliced returns the slices of the arrays that accs allocate.
func (w *siteWalk) sliced(accs []Access) (list []Access) {
	for _, a := range accs {
		for _, r := range *a.Addr.Referrers() {
			if s, ok := r.(*ssa.Slice); ok {
				list = append(list, Access{a.Fn, s, s})
			}
		}
	}
	return list
}

// variadic looks up the slice that has the variadic arguments of a call.
func (w *siteWalk) variadic(c *ast.CallExpr) {
	sig, ok := w.info.TypeOf(c.Fun).Underlying().(*types.Signature)
	if !ok || !sig.Variadic() || c.Ellipsis.IsValid() || len(c.Args) < sig.Params().Len() {
		return
	}
	var accs []Access
	for _, x := range w.x.calls[c.Lparen] {
		ci, ok := x.in.(ssa.CallInstruction)
		if !ok || len(ci.Common().Args) == 0 {
			continue
		}
		if s, ok := ci.Common().Args[len(ci.Common().Args)-1].(*ssa.Slice); ok {
			accs = append(accs, Access{x.fn, s, s})
		}
	}
	w.fresh(c, c.Pos(), w.src(c), true, accs)
}

// callee returns the function of a call without its type arguments.
func callee(c *ast.CallExpr) ast.Expr {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.IndexExpr:
		return f.X
	case *ast.IndexListExpr:
		return f.X
	}
	return c.Fun
}

// place looks up the loads and stores of e, which have position pos.
func (w *siteWalk) place(e ast.Expr, pos token.Pos) {
	loads, stores := w.x.loads[pos], w.x.stores[pos]
	if len(loads)+len(stores) == 0 && !w.dead {
		return
	}
	text := w.src(e)
	w.sites.add(w, e.Pos(), text, false, false, loads)
	w.sites.add(w, e.Pos(), text, true, false, stores)
}

func (w *siteWalk) selector(e *ast.SelectorExpr) {
	sel := w.info.Selections[e]
	if sel == nil {
		if _, ok := w.info.Uses[e.Sel].(*types.Var); ok {
			w.place(e, e.Sel.Pos())
		}
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		w.place(e, e.Sel.Pos())
		if len(sel.Index()) > 1 {
			for _, c := range w.x.fields[e.Sel.Pos()] {
				w.path(e, sel, c)
			}
			w.deadPath(e, sel)
		}
	case types.MethodVal:
		w.receiver(e, sel)
	}
}

// receiver looks up the loads between x and the receiver of method m in x.m.
func (w *siteWalk) receiver(e *ast.SelectorExpr, sel *types.Selection) {
	w.deadPath(e, sel)
	lparen, ok := w.called[e]
	if !ok {
		for _, c := range w.x.fields[e.Sel.Pos()] { // closure of the method value
			w.receiverOf(e, sel, c)
		}
		return
	}
	for _, c := range w.x.calls[lparen] {
		ci, ok := c.in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		switch cc := ci.Common(); {
		case cc.IsInvoke():
			w.receiverOf(e, sel, chain{c.fn, cc.Value})
		case len(cc.Args) > 0:
			w.receiverOf(e, sel, chain{c.fn, cc.Args[0]})
		}
	}
}

func (w *siteWalk) receiverOf(e *ast.SelectorExpr, sel *types.Selection, c chain) {
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	if u, ok := implicit(c.v); ok && !site.IsPointer(recv) {
		star := ""
		if t := pathType(sel); t == nil || site.IsPointer(t) {
			star = "*"
		}
		w.sites.add(w, e.X.Pos(), star+w.src(e.X)+pathNames(sel, len(sel.Index())-1), false, false, []Access{{c.fn, u, u.X}})
		c.v = u.X
		if star == "*" && len(sel.Index()) > 1 {
			// The path also loads the pointer itself.
			w.path(e, sel, c)
			return
		}
	}
	w.path(e, sel, c)
}

// path looks up the loads of embedded pointers between x and x.f. Parameter c is the
// operand of the last selection.
func (w *siteWalk) path(e *ast.SelectorExpr, sel *types.Selection, c chain) {
	fields := pathFields(sel)
	for j := len(fields) - 1; j >= 0; j-- {
		if site.IsPointer(fields[j].Type()) {
			u, ok := implicit(c.v)
			if !ok {
				return
			}
			w.sites.add(w, e.X.Pos(), w.src(e.X)+pathNames(sel, j+1), false, false, []Access{{c.fn, u, u.X}})
			c.v = u.X
		}
		switch f := c.v.(type) {
		case *ssa.FieldAddr:
			c.v = f.X
		case *ssa.Field:
			c.v = f.X
		default:
			return
		}
	}
}

// deadPath adds the loads of a path in a function that cannot run.
func (w *siteWalk) deadPath(e *ast.SelectorExpr, sel *types.Selection) {
	if !w.dead {
		return
	}
	for j := range len(sel.Index()) {
		for _, star := range []string{"", "*"} {
			w.sites.add(w, e.X.Pos(), star+w.src(e.X)+pathNames(sel, j), false, false, nil)
		}
	}
}

// implicit returns v as a load, if it is one that the source does not spell.
func implicit(v ssa.Value) (*ssa.UnOp, bool) {
	u, ok := v.(*ssa.UnOp)
	return u, ok && u.Op == token.MUL && !u.Pos().IsValid()
}

// pathFields returns the embedded fields on the path of the selection.
func pathFields(sel *types.Selection) (list []*types.Var) {
	t := sel.Recv()
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return list
		}
		list = append(list, st.Field(i))
		t = st.Field(i).Type()
	}
	return list
}

func pathNames(sel *types.Selection, n int) (s string) {
	for i, f := range pathFields(sel) {
		if i < n {
			s += "." + f.Name()
		}
	}
	return s
}

// pathType returns the type of the operand from which the method is selected.
func pathType(sel *types.Selection) types.Type {
	if l := pathFields(sel); len(l) > 0 {
		return l[len(l)-1].Type()
	}
	return sel.Recv()
}

// rangeElems looks up the elements that a range clause reads.
func (w *siteWalk) rangeElems(s *ast.RangeStmt) {
	if s.Value == nil {
		return
	}
	v := ast.Unparen(s.Value)
	if sel, ok := v.(*ast.SelectorExpr); ok {
		v = sel.Sel
	}
	w.sites.add(w, s.X.Pos(), w.src(s.X), false, true, w.x.ranges[v])
}

// call looks up the elements that builtins and conversions access.
func (w *siteWalk) call(c *ast.CallExpr) {
	tv := w.info.Types[c.Fun]
	if len(c.Args) == 0 || !tv.IsBuiltin() && !tv.IsType() {
		w.variadic(c)
		return
	}
	accs := func(i int) (list []Access) {
		for _, x := range w.x.calls[c.Lparen] {
			switch in := x.in.(type) {
			case *ssa.Convert:
				if !isSlice(in.X.Type()) {
					continue
				}
				list = append(list, Access{x.fn, in, in.X})
			case ssa.CallInstruction:
				if _, ok := in.Common().Value.(*ssa.Builtin); ok && i < len(in.Common().Args) {
					list = append(list, Access{x.fn, in, in.Common().Args[i]})
				}
			}
		}
		return list
	}
	elems := func(i int, write bool) {
		w.sites.add(w, c.Args[i].Pos(), w.src(c.Args[i]), write, true, accs(i))
	}
	if tv.IsType() {
		if t := w.info.TypeOf(c.Args[0]); !isSlice(t) {
			return
		}
		elems(0, false)
		return
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return
	}
	switch id.Name {
	case "append":
		w.sites.add(w, c.Pos(), w.src(c), true, true, accs(0))
		elems(0, true)
		if c.Ellipsis.IsValid() {
			elems(1, false)
		}
	case "copy":
		elems(0, true)
		if len(c.Args) > 1 {
			elems(1, false)
		}
	case "clear":
		elems(0, true)
	case "len":
		if _, ok := w.info.TypeOf(c.Args[0]).Underlying().(*types.Map); ok {
			elems(0, false) // len reads the count of the map
		}
	}
}

// results looks up the stores of a return statement to named results, and the loads of
// the results that it returns.
func (w *siteWalk) results(s *ast.ReturnStmt) {
	if len(w.result) == 0 || w.result[len(w.result)-1] == nil {
		return
	}
	for _, l := range w.result[len(w.result)-1].List {
		for _, n := range l.Names {
			var accs []Access
			for _, a := range w.x.stores[s.Return] {
				if a.Addr.Pos() == n.Pos() {
					accs = append(accs, a)
				}
			}
			w.sites.add(w, n.Pos(), n.Name, true, false, accs)
			w.sites.add(w, n.Pos(), n.Name, false, false, w.x.loads[n.Pos()])
		}
	}
}

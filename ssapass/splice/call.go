package splice

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strconv"
)

// A callPlace says where a call stands.
type callPlace uint8

const (
	inExpr   callPlace = iota // its value is used
	asStmt                    // an expression statement
	deferred                  // operand of go or defer: arguments now, call later
)

// callExpr rewrites a call or conversion.
func (f *file) callExpr(c *ast.CallExpr, at callPlace) {
	m := f.seq.mark()
	tv := f.pkg.cfg.Info.Types[c.Fun]
	switch {
	case tv.IsType():
		f.conversion(c, tv.Type, m)
		return
	case tv.IsBuiltin():
		f.builtin(c, at, m)
		return
	}
	if fn := f.atomicFunc(c.Fun); fn != nil {
		f.atomicCall(c, fn)
	} else {
		f.rvalue(c.Fun)
	}
	f.rvalues(c.Args)
	if at == inExpr {
		f.call(c, m)
	}
}

func (f *file) rvalues(es []ast.Expr) {
	for _, e := range es {
		f.rvalue(e)
	}
}

// conversion rewrites T(x).
func (f *file) conversion(c *ast.CallExpr, t types.Type, m mark) {
	x := c.Args[0]
	from := f.pkg.typeOf(x)
	calls := f.seq.calls
	can := f.seq.canHoist
	if isUnsafePointer(t) && isUintptr(from) {
		// An integer must become a pointer in the expression that made it, so
		// a call that yields it is moved together with its conversion.
		f.seq.canHoist = false
	}
	f.rvalue(x)
	f.seq.canHoist = can
	if isUnsafePointer(t) && isUintptr(from) && f.seq.calls > calls {
		f.call(c, m)
		return
	}
	if !f.skip && f.noCopy[c] && isString(core(t)) && isBytes(core(from)) && !isTypeParam(from) {
		// Compared, looked up or concatenated on the spot, the bytes are read
		// by the compiler's own code instead of the runtime's.
		f.wrapArg(x, "_ti_rs", f.site(x, "element of "+f.typeName(from)))
		f.pkg.stats.Ranges++
	}
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func isUintptr(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uintptr
}

func isString(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isBytes(t types.Type) bool {
	s, ok := t.(*types.Slice)
	if !ok {
		return false
	}
	b, ok := s.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// wrapArg hands x to a helper that returns it.
func (f *file) wrapArg(x ast.Expr, name, site string) {
	if f.skip {
		return
	}
	if !f.pkg.usable(name) {
		f.pkg.stats.Unranged++
		return
	}
	a, b := f.offset(x.Pos()), f.offset(x.End())
	f.add(a, b, layerWrap, f.helper(name), text(site+","), source(a, b), text(")"))
	f.seq.pending++
}

// builtin rewrites a call of a predeclared function or one of package unsafe.
func (f *file) builtin(c *ast.CallExpr, at callPlace, m mark) {
	name := ""
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = "unsafe." + fun.Sel.Name
	}
	_, tuple := f.pkg.typeOf(firstArg(c)).(*types.Tuple) // append(f())
	if f.skip || at == deferred || tuple {
		f.rvalues(c.Args)
		if at == inExpr && (name == "copy" || name == "recover") {
			f.call(c, m)
		}
		return
	}
	switch name {
	case "len", "cap":
		f.length(c.Args[0], name)
	case "append":
		f.appendCall(c)
	case "copy":
		f.copyCall(c)
		if at == inExpr {
			f.call(c, m)
		}
	case "clear":
		f.rvalue(c.Args[0])
		if t, ok := f.pkg.typeOf(c.Args[0]).Underlying().(*types.Slice); ok && f.pkg.size(t.Elem()) != 0 {
			f.wrapArg(c.Args[0], "_ti_ws", f.site(c.Args[0], "element of "+f.typeName(f.pkg.typeOf(c.Args[0]))))
			f.pkg.stats.Ranges++
		}
	case "recover":
		if at == inExpr {
			f.call(c, m)
		}
	default:
		f.rvalues(c.Args)
	}
}

func firstArg(c *ast.CallExpr) ast.Expr {
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[0]
}

// length rewrites the operand of len or cap: of a variable only the word with
// the number is read.
func (f *file) length(x ast.Expr, name string) {
	t := f.pkg.typeOf(x)
	if isArray(t) { // only a call in it is evaluated
		f.address(x)
		return
	}
	word := ""
	switch core(t).(type) {
	case *types.Slice:
		word = "_ti_rl"
		if name == "cap" {
			word = "_ti_rc"
		}
	case *types.Basic:
		word = "_ti_rl"
	case *types.Map:
		f.rvalue(x)
		if !isTypeParam(t) { // a type parameter's shape may be unknown to the helper
			f.wrapArg(x, "_ti_rm", f.site(x, "size of "+f.typeName(t)))
		}
		return
	}
	x = ast.Unparen(x)
	if word == "" || f.storageOf(x) != reachable {
		f.rvalue(x)
		return
	}
	f.address(x)
	a, b := f.offset(x.Pos()), f.offset(x.End())
	f.add(a, b, layerRead, text("(*"), f.helper(word), text("&"), source(a, b), text(","+f.site(x, f.what(x))+"))"))
	f.pkg.stats.Reads++
	f.seq.pending++
}

// appendCall rewrites append(s, x...) and append(s, x, y).
func (f *file) appendCall(c *ast.CallExpr) {
	dst := c.Args[0]
	t, ok := f.pkg.typeOf(dst).Underlying().(*types.Slice)
	plain := !ok || isTypeParam(f.pkg.typeOf(dst)) || len(c.Args) == 1
	if !plain && f.pkg.size(t.Elem()) == 0 {
		plain = true
	}
	n := len(c.Args) - 1
	if c.Ellipsis.IsValid() && !plain {
		src := c.Args[1]
		st := f.pkg.typeOf(src)
		name := "_ti_append"
		if isString(st.Underlying()) {
			name = "_ti_appends"
		}
		switch v := f.pkg.cfg.Info.Types[src].Value; {
		case v != nil && v.Kind() == constant.String:
			n = len(constant.StringVal(v))
		case isTypeParam(st) || isNil(st) || isMake(f.pkg, src) || !f.pkg.usable(name):
			plain = true
			f.pkg.stats.Unranged++
		default:
			f.rangeCall(c, name, dst, src)
			a := f.offset(c.Ellipsis)
			f.add(a, a+3, layerRead)
			f.rvalues(c.Args)
			return
		}
	}
	f.rvalue(dst)
	if !plain && !f.fresh(dst) {
		f.wrapArg(dst, "_ti_ap", strconv.Itoa(n)+","+f.site(c, "element of "+f.typeName(f.pkg.typeOf(dst))))
		f.pkg.stats.Ranges++
	}
	f.rvalues(c.Args[1:])
}

// fresh reports whether the slice e has no spare capacity that anybody else
// could know: a literal, or nil converted.
func (f *file) fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return f.pkg.cfg.Info.Types[e.Fun].IsType() && isNil(f.pkg.typeOf(e.Args[0])) || isMake(f.pkg, e)
	case *ast.Ident:
		return isNil(f.pkg.typeOf(e))
	}
	return false
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

func isMake(p *pkg, e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !p.cfg.Info.Types[c.Fun].IsBuiltin() {
		return false
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == "make"
}

// copyCall rewrites copy(dst, src).
func (f *file) copyCall(c *ast.CallExpr) {
	dst, src := c.Args[0], c.Args[1]
	dt, st := f.pkg.typeOf(dst), f.pkg.typeOf(src)
	t, ok := dt.Underlying().(*types.Slice)
	name := "_ti_copy"
	if isString(st.Underlying()) {
		name = "_ti_copys"
	}
	if !ok || isTypeParam(dt) || isTypeParam(st) || f.pkg.size(t.Elem()) == 0 || !f.pkg.usable(name) {
		f.pkg.stats.Unranged++
	} else {
		f.rangeCall(c, name, dst, src)
	}
	f.rvalues(c.Args)
}

// rangeCall replaces the name and parenthesis of a builtin call by a helper's.
func (f *file) rangeCall(c *ast.CallExpr, name string, dst, src ast.Expr) {
	a, b := f.offset(c.Fun.Pos()), f.offset(c.Lparen)+1
	sites := f.site(dst, "element of "+f.typeName(f.pkg.typeOf(dst))) + ","
	sites += f.site(src, "element of "+f.typeName(f.pkg.typeOf(src))) + ","
	f.add(a, b, layerHost, f.helper(name), text(sites))
	f.pkg.stats.Ranges += 2
}

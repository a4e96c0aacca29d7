package splice

import (
	"go/ast"
	"go/constant"
	"go/types"
	"unicode/utf8"

	"taskinstr/internal/site"
)

// A callPlace says where a call stands.
type callPlace uint8

const (
	inExpr   callPlace = iota // its value is used
	asStmt                    // an expression statement
	deferred                  // operand of defer: arguments now, call later
	started                   // operand of go: the same
)

// later reports whether the call itself is executed later.
func (at callPlace) later() bool { return at == deferred || at == started }

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
	if !f.methodCall(c, at) {
		f.callee(c)
		f.rvalues(c.Args)
	}
	f.variadic(c)
	if at == inExpr {
		f.call(c, m)
	}
}

// callee rewrites what a call calls.
func (f *file) callee(c *ast.CallExpr) {
	if fn := f.pkg.AtomicFunc(c.Fun); fn != nil {
		f.atomicCall(c, fn)
	} else if e, sel := f.pkg.Method(c.Fun); e == nil {
		f.reflectCall(c)
		f.rvalue(c.Fun)
	} else if sel.Kind() == types.MethodVal {
		f.receiver(e, sel)
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
	if site.IsUnsafePointer(t) && site.IsUintptr(from) {
		// An integer must become a pointer in the expression that made it, so
		// a call that yields it is moved together with its conversion.
		f.seq.canHoist = false
	}
	if site.IsUnsafePointer(t) && f.headerData(x) {
		f.seq.canHoist = can
		return
	}
	f.rvalue(x)
	f.seq.canHoist = can
	if site.IsUnsafePointer(t) && site.IsUintptr(from) && f.seq.calls > calls {
		f.call(c, m)
		return
	}
	if !f.skip && f.noCopy[c] && site.IsString(core(t)) && (site.IsBytes(core(from)) || site.Textual(from)) {
		// Compared, looked up or concatenated on the spot, the bytes are read
		// by the compiler's own code instead of the runtime's.
		helper := "_ti_rs"
		if site.Textual(from) {
			helper = "_ti_rt"
		}
		f.wrapArg(x, helper, f.site(x, "element of "+f.typeName(from)))
		f.pkg.stats.Ranges++
	}
	to, slice := core(t).(*types.Slice)
	if slice && site.IsString(core(from)) {
		if v := f.pkg.cfg.Info.Types[x].Value; v != nil && !isTypeParam(t) {
			n := len(constant.StringVal(v))
			if !site.IsBytes(to) {
				n = utf8.RuneCountInString(constant.StringVal(v))
			}
			f.freshConstant(c, n)
		}
		f.operation(c, m)
	}
	if s, ok := core(from).(*types.Slice); ok {
		f.arrayOf(x, s, core(t))
	}
}

// headerData visits h.Data, a field of a reflect.SliceHeader or StringHeader
// about to become a pointer. The compiler's checkptr knows that form only, so it
// is h that the check returns: Data is the first field of both.
func (f *file) headerData(x ast.Expr) bool {
	s := f.pkg.HeaderData(x)
	if s == nil || f.skip || f.fn.nosplit {
		return false
	}
	site := f.site(s, f.what(s))
	a, b := f.offset(s.X.Pos()), f.offset(s.X.End())
	amp := ""
	if isPointer(f.pkg.cfg.Info.Selections[s].Recv()) {
		f.rvalue(s.X)
	} else {
		f.address(s.X)
		amp = "&"
	}
	f.add(a, b, layerWrap, f.helper("_ti_rh"), text(site+","+amp), source(a, b), text(")"))
	f.pkg.stats.Reads++
	f.seq.pending++
	return true
}

// wrapArg hands x to a helper that returns it.
func (f *file) wrapArg(x ast.Expr, name, site string) {
	if f.skip {
		return
	}
	if !f.pkg.usable(name) || f.fn.nosplit {
		f.pkg.stats.Unranged++
		return
	}
	a, b := f.offset(x.Pos()), f.offset(x.End())
	f.add(a, b, layerWrap, f.helper(name), text(site+","), source(a, b), text(")"))
	f.seq.pending++
}

// builtin rewrites a call of a predeclared function or one of package unsafe.
func (f *file) builtin(c *ast.CallExpr, at callPlace, m mark) {
	name := site.BuiltinName(c)
	_, tuple := f.pkg.typeOf(firstArg(c)).(*types.Tuple) // append(f())
	if at.later() && !f.skip {
		f.deferredRange(c, name)
	}
	if f.skip || at.later() || tuple {
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
		if t, ok := core(f.pkg.typeOf(c.Args[0])).(*types.Slice); ok && f.pkg.size(t.Elem()) != 0 && !f.omitPart(c.Args[0], true, true) {
			f.wrapArg(c.Args[0], "_ti_ws", f.site(c.Args[0], "element of "+f.typeName(f.pkg.typeOf(c.Args[0]))))
			f.pkg.stats.Ranges++
		}
	case "recover":
		if at == inExpr {
			f.call(c, m)
		}
	case "delete":
		f.rvalue(c.Args[0])
		if t, ok := core(f.pkg.typeOf(c.Args[0])).(*types.Map); ok {
			f.mapKey(c.Args[1], t)
		} else {
			f.rvalue(c.Args[1])
		}
	case "new":
		if !f.pkg.cfg.Info.Types[c.Args[0]].IsType() {
			f.rvalue(c.Args[0])
			f.literalAddress(c, "")
		}
	default:
		f.rvalues(c.Args)
	}
	switch name {
	case "len", "cap", "append", "make", "new", "min", "max", "real", "imag", "complex":
		if at == inExpr {
			f.operation(c, m)
		}
	}
}

// deferredRange replaces copy or clear as operand of go or defer by a helper,
// which makes the checks when it is called.
func (f *file) deferredRange(c *ast.CallExpr, name string) {
	switch name {
	case "copy":
		if h := f.copyHelper(c); h != "" {
			f.laterCall(c, "_ti_later"+h[len("_ti_"):], c.Args)
			f.pkg.stats.Ranges += 2
		}
	case "clear":
		if t, ok := core(f.pkg.typeOf(c.Args[0])).(*types.Slice); ok && f.pkg.size(t.Elem()) != 0 && f.pkg.usable("_ti_ws") {
			f.laterCall(c, "_ti_laterclear", c.Args)
			f.pkg.stats.Ranges++
		}
	}
}

func (f *file) laterCall(c *ast.CallExpr, name string, args []ast.Expr) {
	f.pkg.helpers[name] = true
	open := name + "("
	for _, x := range args {
		open += f.site(x, "element of "+f.typeName(f.pkg.typeOf(x))) + ","
	}
	f.add(f.offset(c.Fun.Pos()), f.offset(c.Lparen)+1, layerHost, text(open))
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
		f.noCopy.Add(x) // len(string(b)) copies nothing
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
	if f.fn.nosplit {
		f.pkg.stats.Unranged++
		return
	}
	f.seq.pending++
	if f.omitPart(x, false, false) {
		return
	}
	a, b := f.offset(x.Pos()), f.offset(x.End())
	f.add(a, b, layerRead, text("(*"), f.helper(word), text("&"), source(a, b), text(","+f.site(x, f.what(x))+"))"))
	f.siteAt[x] = len(f.pkg.sites) - 1
	f.pkg.stats.Reads++
}

// appendCall rewrites append(s, x...) and append(s, x, y).
func (f *file) appendCall(c *ast.CallExpr) {
	dst := c.Args[0]
	t, ok := core(f.pkg.typeOf(dst)).(*types.Slice)
	plain := !ok || len(c.Args) == 1
	if !plain && f.pkg.size(t.Elem()) == 0 {
		plain = true
	}
	n := len(c.Args) - 1
	if c.Ellipsis.IsValid() && !plain {
		src := c.Args[1]
		st := f.pkg.typeOf(src)
		name := "_ti_append"
		if site.SharesBytes(st) {
			name = "_ti_appends"
		}
		switch v := f.pkg.cfg.Info.Types[src].Value; {
		case v != nil && v.Kind() == constant.String:
			n = len(constant.StringVal(v))
		case f.pkg.IsMake(src) && f.extended(c, dst, src):
			return
		case site.IsNil(st) || f.pkg.IsMake(src) || !f.pkg.usable(name) || f.fn.nosplit:
			plain = true
			f.pkg.stats.Unranged++
		default:
			if f.rangeCall(c, name, c, dst, src) {
				a := f.offset(c.Ellipsis)
				f.add(a, a+3, layerRead)
			}
			f.rvalues(c.Args)
			return
		}
	}
	f.rvalues(c.Args)
	if !plain {
		f.appended(c, n)
	}
}

// copyCall rewrites copy(dst, src).
func (f *file) copyCall(c *ast.CallExpr) {
	if name := f.copyHelper(c); name != "" && !f.fn.nosplit {
		f.rangeCall(c, name, c.Args[0], c.Args[0], c.Args[1])
	} else {
		f.pkg.stats.Unranged++
	}
	f.rvalues(c.Args)
}

// copyHelper returns the helper for copy(dst, src), "" if none fits.
func (f *file) copyHelper(c *ast.CallExpr) string {
	switch f.pkg.CopyOf(c) {
	case site.CopySlice:
		return "_ti_copy"
	case site.CopyText:
		return "_ti_copys"
	}
	return ""
}

// rangeCall replaces the name and parenthesis of a builtin call by a helper's, if
// a check is left. The plan knows that of the write as one of the elements of
// written.
func (f *file) rangeCall(c *ast.CallExpr, name string, written, dst, src ast.Expr) bool {
	w, r := !f.omitPart(written, true, true), !f.omitPart(src, false, true)
	switch {
	case !w && !r:
		return false
	case w != r && isHelper(name+"w"):
		if name += "r"; w {
			name = name[:len(name)-1] + "w"
		}
	default:
		w, r = true, true
	}
	sites := ""
	for _, s := range []struct {
		x    ast.Expr
		made bool
	}{{dst, w}, {src, r}} {
		if s.made {
			sites += f.site(s.x, "element of "+f.typeName(f.pkg.typeOf(s.x))) + ","
			f.pkg.stats.Ranges++
		}
	}
	a, b := f.offset(c.Fun.Pos()), f.offset(c.Lparen)+1
	f.add(a, b, layerHost, f.helper(name), text(sites))
	return true
}

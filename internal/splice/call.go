package splice

import (
	"go/ast"
	"go/constant"
	"go/types"
	"unicode/utf8"

	"taskinstr/internal/site"
)

// A callPlace is the syntax around a call.
type callPlace uint8

const (
	inExpr   callPlace = iota // the program uses its value
	asStmt                    // it is an expression statement
	deferred                  // it is the operand of defer: arguments now, call later
	started                   // it is the operand of go: likewise
)

// later reports whether the program makes the call itself later.
func (at callPlace) later() bool { return at == deferred || at == started }

// callExpr rewrites a call or conversion.
func (f *file) callExpr(c *ast.CallExpr, at callPlace) {
	m := f.seq.mark()
	tv := f.Info.Types[c.Fun]
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

// callee rewrites the function operand of call c.
func (f *file) callee(c *ast.CallExpr) {
	if fn := f.AtomicFunc(c.Fun); fn != nil {
		f.atomicCall(c, fn)
	} else if e, sel := f.Method(c.Fun); e == nil {
		f.reflectCall(c)
		f.rvalue(c.Fun)
	} else if sel.Kind() == types.MethodVal && !f.loadMethod(c, e, sel) {
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
	from := f.TypeOf(x)
	calls := f.seq.calls
	can := f.seq.canHoist
	if site.IsUnsafePointer(t) && site.IsUintptr(from) {
		// An integer must become a pointer in the expression that computed it. So a call
		// that returns the integer moves together with the conversion.
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
	if !f.skip && f.noCopy[c] && site.IsString(site.Core(t)) && (site.IsBytes(site.Core(from)) || site.Textual(from)) {
		// If the bytes are compared, looked up or concatenated on the spot, code of the
		// compiler reads them, and not the runtime.
		helper := "_ti_rs"
		if site.Textual(from) {
			helper = "_ti_rt"
		}
		f.wrapArg(x, helper, f.site(x, "element of "+f.TypeName(from), site.Read))
		f.pkg.stats.Ranges++
	}
	to, slice := site.Core(t).(*types.Slice)
	if slice && site.IsString(site.Core(from)) {
		if v := f.Info.Types[x].Value; v != nil && !site.IsTypeParam(t) {
			n := len(constant.StringVal(v))
			if !site.IsBytes(to) {
				n = utf8.RuneCountInString(constant.StringVal(v))
			}
			f.freshConstant(c, n)
		}
		f.operation(c, m)
	}
	if s, ok := site.Core(from).(*types.Slice); ok {
		f.arrayOf(x, s, site.Core(t))
	}
}

// headerData visits h.Data if it is a field of a reflect.SliceHeader or StringHeader that
// becomes a pointer, and reports whether it is. The compiler's checkptr knows this form
// only. So the check returns h itself, which has the address of Data, its first field.
func (f *file) headerData(x ast.Expr) bool {
	s := f.HeaderData(x)
	if s == nil || f.skip || f.fn.nosplit {
		return false
	}
	number := f.site(s, f.What(s), site.Read)
	amp := ""
	if site.IsPointer(f.Info.Selections[s].Recv()) {
		f.rvalue(s.X)
	} else {
		f.address(s.X)
		amp = "&"
	}
	f.enclose(s.X, layerWrap, ")", f.helper("_ti_rh"), text(number+","+amp))
	f.pkg.stats.Reads++
	f.seq.pending++
	return true
}

// wrapArg replaces x by a call of a helper that checks x and returns it. number names the
// site.
func (f *file) wrapArg(x ast.Expr, name, number string) {
	if f.skip {
		return
	}
	if !f.pkg.usable(name) || f.fn.nosplit {
		f.pkg.stats.Unranged++
		return
	}
	f.enclose(x, layerWrap, ")", f.helper(name).of(f.TypeOf(x)), text(number+","))
	f.seq.pending++
}

// builtin rewrites a call of a predeclared function or of a function of package unsafe.
func (f *file) builtin(c *ast.CallExpr, at callPlace, m mark) {
	name := site.BuiltinName(c)
	_, tuple := f.TypeOf(site.FirstArg(c)).(*types.Tuple) // append(f())
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
		if t, ok := site.Core(f.TypeOf(c.Args[0])).(*types.Slice); ok && f.Size(t.Elem()) != 0 && !f.omitPart(c.Args[0], true, true) {
			f.wrapArg(c.Args[0], "_ti_ws", f.site(c.Args[0], "element of "+f.TypeName(f.TypeOf(c.Args[0])), site.Write))
			f.pkg.stats.Ranges++
		}
	case "recover":
		if at == inExpr {
			f.call(c, m)
		}
	case "delete":
		f.rvalue(c.Args[0])
		if t, ok := site.Core(f.TypeOf(c.Args[0])).(*types.Map); ok {
			f.mapKey(c.Args[1], t)
		} else {
			f.rvalue(c.Args[1])
		}
	case "new":
		if !f.Info.Types[c.Args[0]].IsType() {
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

// deferredRange replaces copy or clear as the operand of go or defer by a helper. The
// helper makes the checks when the program calls it.
func (f *file) deferredRange(c *ast.CallExpr, name string) {
	switch name {
	case "copy":
		if h := f.copyHelper(c); h != "" {
			f.laterCall(c, "_ti_later"+h[len("_ti_"):], c.Args)
			f.pkg.stats.Ranges += 2
		}
	case "clear":
		if t, ok := site.Core(f.TypeOf(c.Args[0])).(*types.Slice); ok && f.Size(t.Elem()) != 0 && f.pkg.usable("_ti_ws") {
			f.laterCall(c, "_ti_laterclear", c.Args)
			f.pkg.stats.Ranges++
		}
	}
}

func (f *file) laterCall(c *ast.CallExpr, name string, args []ast.Expr) {
	f.pkg.helpers[name] = true
	open := name + "("
	kind := site.Write
	for _, x := range args {
		open += f.site(x, "element of "+f.TypeName(f.TypeOf(x)), kind) + ","
		kind = site.Read
	}
	f.add(f.Offset(c.Fun.Pos()), f.Offset(c.Lparen)+1, layerHost, text(open))
}

// length rewrites the operand of len or cap. If the operand is a variable, the program
// reads only the word with the number.
func (f *file) length(x ast.Expr, name string) {
	t := f.TypeOf(x)
	if site.IsArray(t) { // the program evaluates only a call in it
		f.address(x)
		return
	}
	word := ""
	switch site.Core(t).(type) {
	case *types.Slice:
		word = "_ti_rl"
		if name == "cap" {
			word = "_ti_rc"
		}
	case *types.Basic:
		word = "_ti_rl"
		f.noCopy.Add(x) // len(string(b)) makes no copy
	case *types.Map:
		f.rvalue(x)
		if !site.IsTypeParam(t) { // the helper may not know the shape of a type parameter
			f.wrapArg(x, "_ti_rm", f.site(x, "size of "+f.TypeName(t), site.Read))
		}
		return
	}
	x = ast.Unparen(x)
	if word == "" || f.Storage(x) != site.Reachable {
		f.rvalue(x)
		return
	}
	f.address(x)
	if f.fn.nosplit {
		f.pkg.stats.Unranged++
		return
	}
	f.seq.pending++
	fate := f.fate(x, false, false)
	if fate.Omit {
		return
	}
	check := f.helper
	switch {
	case fate.Final != "" || fate.Pooled != "":
		check = func(word string) part { return f.opening(word, fate) }
	case fate.Len > 0: // not of the word alone
		check = func(string) part { return f.opening("_ti_r", fate) }
	}
	open := check(word).of(t)
	f.enclose(x, layerRead, ","+f.siteWith(x, fate, f.What(x), site.Read)+"))", text("(*"), open, text("&"))
	f.siteAt[x] = len(f.pkg.sites) - 1
	f.pkg.stats.Reads++
}

// appendCall rewrites append(s, x...) and append(s, x, y).
func (f *file) appendCall(c *ast.CallExpr) {
	dst := c.Args[0]
	t, ok := site.Core(f.TypeOf(dst)).(*types.Slice)
	unchecked := !ok || len(c.Args) == 1 || f.Size(t.Elem()) == 0
	n := len(c.Args) - 1
	if c.Ellipsis.IsValid() && !unchecked {
		src := c.Args[1]
		st := f.TypeOf(src)
		name := "_ti_append"
		if site.SharesBytes(st) {
			name = "_ti_appends"
		}
		switch v := f.Info.Types[src].Value; {
		case v != nil && v.Kind() == constant.String:
			n = len(constant.StringVal(v))
		case f.IsMake(src) && f.extended(c, dst, src):
			return
		case site.IsNil(st) || f.IsMake(src) || !f.pkg.usable(name) || f.fn.nosplit:
			unchecked = true
			f.pkg.stats.Unranged++
		default:
			if f.rangeCall(c, name, c, dst, src) {
				a := f.Offset(c.Ellipsis)
				f.add(a, a+3, layerRead)
			}
			f.rvalues(c.Args)
			return
		}
	}
	f.rvalues(c.Args)
	if !unchecked {
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
	switch f.CopyOf(c) {
	case site.CopySlice:
		return "_ti_copy"
	case site.CopyText:
		return "_ti_copys"
	}
	return ""
}

// rangeCall replaces the name and the parenthesis of a builtin call by a helper and its
// sites. It reports false if the plan leaves out both checks. The plan knows the write as
// an access of the elements of written.
func (f *file) rangeCall(c *ast.CallExpr, name string, written, dst, src ast.Expr) bool {
	wrote, read := f.fate(written, true, true), f.fate(src, false, true)
	if wrote.Omit && read.Omit {
		return false
	}
	if !f.denotes("nil", c.Pos(), types.Universe.Lookup("nil")) {
		wrote.Omit, read.Omit = false, false // no name says that a check has no site
	}
	sites := ""
	for _, s := range []struct {
		x    ast.Expr
		kind site.Kind
		fated
	}{{dst, site.Write, wrote}, {src, site.Read, read}} {
		number := "nil"
		if !s.Omit {
			number = f.site(s.x, "element of "+f.TypeName(f.TypeOf(s.x)), s.kind)
			f.pkg.stats.Ranges++
			if s.Pooled != "" {
				f.pkg.helpers["_ti_when"] = true
				number = "_ti_when(" + f.pkg.leaked(s.Pooled) + "," + number + ")"
			}
		}
		sites += number + ","
	}
	a, b := f.Offset(c.Fun.Pos()), f.Offset(c.Lparen)+1
	f.add(a, b, layerHost, f.helper(name), text(sites))
	return true
}

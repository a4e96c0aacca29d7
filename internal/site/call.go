package site

import (
	"go/ast"
	"go/constant"
	"go/types"
	"unicode/utf8"
)

// A callTime says when a call runs.
type callTime uint8

const (
	now      callTime = iota
	later             // operand of go: the arguments now, the call later
	deferred          // operand of defer: the same
)

// call visits a call or conversion.
func (w *walk) call(c *ast.CallExpr, at callTime) {
	tv := w.Info.Types[c.Fun]
	switch {
	case tv.IsType():
		w.conversion(c, tv.Type)
		return
	case tv.IsBuiltin():
		w.builtin(c, at)
		return
	}
	if !w.methodCall(c, at) {
		if fn := w.AtomicFunc(c.Fun); fn != nil {
			w.add(c, w.TextOf(c), "atomic operation", Atomic, false).Fixed = true
		} else if e, sel := w.Method(c.Fun); e == nil {
			w.value(c.Fun)
		} else if sel.Kind() == types.MethodVal {
			w.receiver(e, sel)
		}
		w.values(c.Args)
	}
	w.variadic(c)
}

// methodCall visits a call that may lead to a method wrapper. It reports whether c is
// such a call.
func (w *walk) methodCall(c *ast.CallExpr, at callTime) bool {
	e, sel := w.Method(c.Fun)
	if e == nil || !w.checksMethods() || !w.Mediated(sel) {
		return false
	}
	x, args := e.X, c.Args
	if sel.Kind() == types.MethodExpr {
		if _, tuple := w.TypeOf(FirstArg(c)).(*types.Tuple); tuple || w.Info.Types[c.Args[0]].IsNil() {
			return false
		}
		x, args = c.Args[0], c.Args[1:]
		w.value(x)
	} else {
		w.receiver(e, sel)
	}
	if at != deferred || w.Nameable(x) { // the receiver of a deferred call is kept in a variable
		w.fixed(e, "method "+sel.Obj().Name(), Read, false)
	}
	w.values(args)
	return true
}

// FirstArg returns the first argument of a call, nil without any.
func FirstArg(c *ast.CallExpr) ast.Expr {
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[0]
}

// conversion visits T(x).
func (w *walk) conversion(c *ast.CallExpr, t types.Type) {
	x := c.Args[0]
	from := w.TypeOf(x)
	if IsUnsafePointer(t) {
		if s := w.HeaderData(x); s != nil && !w.skip && !w.fn.nosplit {
			w.fixed(s, w.What(s), Read, false)
			if IsPointer(w.Info.Selections[s].Recv()) {
				w.value(s.X)
			} else {
				w.address(s.X)
			}
			return
		}
	}
	// An integer must become a pointer in the expression that made it: a call that
	// yields it moves together with its conversion.
	before := w.ctx.before
	w.ctx.before = before && !(IsUnsafePointer(t) && IsUintptr(from))
	w.value(x)
	w.ctx.before = before
	if !w.skip && w.inPlace[c] && IsString(Core(t)) && (IsBytes(Core(from)) || Textual(from)) {
		w.fixed(x, w.elementOf(from), Read, true)
	}
	if to, ok := Core(t).(*types.Slice); ok && IsString(Core(from)) {
		w.constantText(c, x, to, t)
	}
	if s, ok := Core(from).(*types.Slice); ok {
		if a, ok := Core(t).(*types.Array); ok && a.Len() != 0 && w.Size(s.Elem()) != 0 && !w.skip {
			w.part(x, w.elementOf(from), Read, true)
		}
	}
}

// constantText lists the bytes or runes that a conversion of a constant string writes.
func (w *walk) constantText(c *ast.CallExpr, x ast.Expr, to *types.Slice, t types.Type) {
	v := w.Info.Types[x].Value
	if v == nil || IsTypeParam(t) {
		return
	}
	n := len(constant.StringVal(v))
	if !IsBytes(to) {
		n = utf8.RuneCountInString(constant.StringVal(v))
	}
	if n != 0 && w.checksFresh(c) && w.ElementsSpelled() {
		w.fixed(c, w.elementOf(w.TypeOf(c)), Write, true)
	}
}

// builtin visits a call of a predeclared function or a function of package unsafe.
func (w *walk) builtin(c *ast.CallExpr, at callTime) {
	name := BuiltinName(c)
	_, tuple := w.TypeOf(FirstArg(c)).(*types.Tuple) // append(f())
	if at != now && !w.skip {
		w.laterElements(c, name)
	}
	if w.skip || at != now || tuple {
		w.values(c.Args)
		return
	}
	switch name {
	case "len", "cap":
		w.length(c.Args[0])
	case "append":
		w.appendCall(c)
	case "copy":
		if name := w.CopyOf(c); name != Unchecked && !w.fn.nosplit {
			w.elementsOf(c.Args[0], c.Args[0], c.Args[1])
		}
		w.values(c.Args)
	case "clear":
		w.value(c.Args[0])
		if t, ok := Core(w.TypeOf(c.Args[0])).(*types.Slice); ok && w.Size(t.Elem()) != 0 {
			w.part(c.Args[0], w.elementOf(w.TypeOf(c.Args[0])), Write, true)
		}
	case "new":
		if !w.Info.Types[c.Args[0]].IsType() {
			w.value(c.Args[0])
			w.pointer(c)
		}
	default:
		w.values(c.Args)
	}
}

// BuiltinName returns the name of the predeclared function that c calls, and the names of
// functions of package unsafe behind "unsafe.".
func BuiltinName(c *ast.CallExpr) string {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		return "unsafe." + fun.Sel.Name
	}
	return ""
}

// A Copy says which check fits a call of copy.
type Copy uint8

const (
	Unchecked Copy = iota // its elements have no bytes, or the package redeclares a name
	CopySlice             // from a slice
	CopyText              // from a string, or a value that is a string or a slice of bytes
)

// CopyOf returns the check that fits copy(dst, src).
func (p *Package) CopyOf(c *ast.CallExpr) Copy {
	t, ok := Core(p.TypeOf(c.Args[0])).(*types.Slice)
	switch {
	case !ok || p.Size(t.Elem()) == 0 || !p.BuiltinsSpelled():
		return Unchecked
	case SharesBytes(p.TypeOf(c.Args[1])):
		return CopyText
	}
	return CopySlice
}

// laterElements lists the elements that copy or clear accesses as operand of go or defer.
func (w *walk) laterElements(c *ast.CallExpr, name string) {
	switch name {
	case "copy":
		if w.CopyOf(c) != Unchecked {
			w.fixed(c.Args[0], w.elementOf(w.TypeOf(c.Args[0])), Write, true)
			w.fixed(c.Args[1], w.elementOf(w.TypeOf(c.Args[1])), Read, true)
		}
	case "clear":
		if t, ok := Core(w.TypeOf(c.Args[0])).(*types.Slice); ok && w.Size(t.Elem()) != 0 && w.ElementsSpelled() {
			w.fixed(c.Args[0], w.elementOf(w.TypeOf(c.Args[0])), Write, true)
		}
	}
}

// elementsOf lists the elements that a builtin call writes to dst and reads from src. The
// key of the write names written.
func (w *walk) elementsOf(written, dst, src ast.Expr) {
	s := w.part(dst, w.elementOf(w.TypeOf(dst)), Write, true)
	s.Key = w.KeyOf(written, w.TextOf(written), true, true)
	w.part(src, w.elementOf(w.TypeOf(src)), Read, true)
}

// length visits the operand of len or cap: of a variable the program reads only the word
// with the number.
func (w *walk) length(x ast.Expr) {
	t := w.TypeOf(x)
	if IsArray(t) { // the program evaluates only a call in it
		w.address(x)
		return
	}
	word := false
	switch Core(t).(type) {
	case *types.Slice:
		word = true
	case *types.Basic:
		word = true
		w.inPlace.Add(x) // len(string(b)) copies nothing
	case *types.Map:
		w.value(x)
		if !IsTypeParam(t) { // a helper may not know the shape of a type parameter
			w.fixed(x, "size of "+w.TypeName(t), Read, true)
		}
		return
	}
	x = ast.Unparen(x)
	if !word || w.Storage(x) != Reachable {
		w.value(x)
		return
	}
	w.address(x)
	if !w.skip && !w.fn.nosplit {
		w.part(x, w.What(x), Read, false)
	}
}

// appendCall visits append(s, x...) and append(s, x, y).
func (w *walk) appendCall(c *ast.CallExpr) {
	dst := c.Args[0]
	what := w.elementOf(w.TypeOf(dst))
	t, ok := Core(w.TypeOf(dst)).(*types.Slice)
	checked := ok && len(c.Args) > 1 && w.Size(t.Elem()) != 0
	if c.Ellipsis.IsValid() && checked {
		src := c.Args[1]
		st := w.TypeOf(src)
		make := w.IsMake(src)
		v := w.Info.Types[src].Value
		switch {
		case v != nil && v.Kind() == constant.String: // the number of bytes is known
		case make && len(ast.Unparen(src).(*ast.CallExpr).Args) == 2 && !w.fn.nosplit && w.ExtendSpelled():
			// append(s, make([]T, n)...) makes no other slice.
			w.value(dst)
			w.value(ast.Unparen(src).(*ast.CallExpr).Args[1])
			w.part(c, what, Write, true)
			return
		case IsNil(st) || make || !w.BuiltinsSpelled() || w.fn.nosplit:
			checked = false
		default:
			w.elementsOf(c, dst, src)
			w.values(c.Args)
			return
		}
	}
	w.values(c.Args)
	if checked {
		w.part(c, what, Write, true)
	}
}

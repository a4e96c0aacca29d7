package splice

import (
	"go/ast"
	"go/types"
	"slices"

	"taskinstr/internal/site"
)

// call records a call: an operation of a mutex, or the accesses of the function's body.
func (r *branchWalk) call(c *ast.CallExpr) {
	if tv := r.f.pkg.cfg.Info.Types[c.Fun]; tv.IsType() {
		r.all(c.Args)
		return
	}
	if name := r.f.builtinName(c); name != "" {
		r.builtinCall(c, name)
		return
	}
	fn, recv := r.f.staticCallee(c)
	if fn == nil {
		r.all(c.Args)
		r.stop(c, "a dynamic call")
		return
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "sync" && recv != nil {
		r.mutex(c, fn, recv)
		return
	}
	if recv != nil {
		if site.IsPointer(fn.Signature().Recv().Type()) && !site.IsPointer(r.f.pkg.TypeOf(recv)) {
			r.operands(recv)
		} else {
			r.reads(recv)
		}
	}
	r.all(c.Args)
	if !r.stopped {
		r.follow(c, fn, recv)
	}
}

// builtinCall records the reads of the arguments of a builtin.
func (r *branchWalk) builtinCall(c *ast.CallExpr, name string) {
	switch name {
	case "len", "cap", "min", "max", "complex", "real", "imag", "print", "println":
		r.all(c.Args)
	case "new", "make":
		r.all(c.Args[1:])
	default: // append, copy, clear, delete, close, panic, recover
		r.stop(c, "a call of "+name)
	}
}

// staticCallee returns the function that c calls, nil if it is not known, and the receiver.
func (f *file) staticCallee(c *ast.CallExpr) (fn *types.Func, recv ast.Expr) {
	switch x := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		fn, _ = f.pkg.cfg.Info.Uses[x].(*types.Func)
	case *ast.SelectorExpr:
		sel := f.pkg.cfg.Info.Selections[x]
		if sel == nil {
			fn, _ = f.pkg.cfg.Info.Uses[x.Sel].(*types.Func)
			break
		}
		if sel.Kind() == types.MethodVal && !types.IsInterface(sel.Recv()) {
			fn, _ = sel.Obj().(*types.Func)
			recv = x.X
		}
	}
	return fn, recv
}

// mutex records Lock, RLock, Unlock and RUnlock.
func (r *branchWalk) mutex(c *ast.CallExpr, fn *types.Func, recv ast.Expr) {
	key := r.in.TextOf(recv)
	shared := false
	switch fn.Name() {
	case "RLock":
		shared = true
		fallthrough
	case "Lock":
		l, ok := r.lockOf(c, recv)
		if !ok {
			r.stop(c, "a lock whose address cannot be told in advance")
			return
		}
		r.operands(recv)
		l.key, l.shared = key, shared
		r.locks = append(r.locks, l)
	case "Unlock", "RUnlock":
		for i, l := range slices.Backward(r.locks) {
			if l.key == key {
				r.locks = slices.Delete(r.locks, i, i+1)
				return
			}
		}
		l, ok := r.lockOf(c, recv)
		if !ok {
			r.stop(c, "the release of a lock whose address cannot be told in advance")
			return
		}
		r.operands(recv)
		// The lock gets no key, because the side may take it again.
		l.shared, l.givenUp = fn.Name() == "RUnlock", true
		r.locks = append(r.locks, l)
	default:
		r.stop(c, "a call of sync."+fn.Name())
	}
}

// lockOf returns the address of the mutex whose method c calls.
func (r *branchWalk) lockOf(c *ast.CallExpr, recv ast.Expr) (l lockAt, ok bool) {
	s := r.spell()
	x := c.Fun.(*ast.SelectorExpr)
	sel := r.f.pkg.cfg.Info.Selections[x]
	if t := sel.Recv(); site.IsPointer(t) {
		l.address, ok = s.target(recv, t)
	} else if l.address, ok = s.place(recv); ok {
		l.address = "&" + l.address
	}
	if ok && len(sel.Index()) > 1 { // an embedded mutex
		l.address, ok = r.embedded(l.address, sel)
	}
	l.conds = s.conds
	return l, ok
}

// embedded returns the address of the embedded mutex whose method sel promotes.
func (r *branchWalk) embedded(address string, sel *types.Selection) (string, bool) {
	t := site.Elem(sel.Recv())
	names := ""
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := t.Underlying().(*types.Struct)
		if !ok || site.IsPointer(st.Field(i).Type()) {
			return "", false
		}
		v := st.Field(i)
		if !v.Exported() && v.Pkg() != r.f.pkg.cfg.Pkg {
			return "", false
		}
		names += "." + v.Name()
		t = v.Type()
	}
	return "&(" + address + ")" + names, true
}

// follow records the accesses of the body of function fn. Its arguments have been recorded.
func (r *branchWalk) follow(c *ast.CallExpr, fn *types.Func, recv ast.Expr) {
	file, decl := r.f.pkg.declaration(fn)
	switch {
	case decl == nil || decl.Body == nil:
		r.stop(c, "a call of "+r.calledName(fn)+", whose body is not in the package")
		return
	case slices.Contains(r.calls, fn) || r.depth == branchCallDepth:
		r.stop(c, "a recursive or deep call of "+r.calledName(fn))
		return
	case fn.Signature().Variadic() || fn.Signature().TypeParams() != nil || fn.Signature().RecvTypeParams() != nil:
		r.stop(c, "a call of "+r.calledName(fn)+", which is variadic or generic")
		return
	}
	params := site.Parameters(decl.Type.Params)
	values := make([]ast.Expr, len(params))
	if len(c.Args) == len(params) {
		copy(values, c.Args)
	}
	for i, id := range params {
		if v, ok := r.f.pkg.cfg.Info.Defs[id].(*types.Var); ok {
			r.parameter(v, values[i])
		}
	}
	if ids := site.Parameters(decl.Recv); len(ids) == 1 && recv != nil {
		if v, ok := r.f.pkg.cfg.Info.Defs[ids[0]].(*types.Var); ok {
			r.receiver(v, recv)
		}
	}
	from, in := r.from, r.in
	r.from, r.in = decl.Body, file
	r.depth++
	r.calls = append(r.calls, fn)
	r.block(decl.Body.List)
	r.from, r.in = from, in
	r.depth--
	r.calls = r.calls[:len(r.calls)-1]
	r.stopped = r.lost // a return is the callee's
}

// calledName returns the name of a function in reasons.
func (r *branchWalk) calledName(fn *types.Func) string {
	if fn.Pkg() != nil && fn.Pkg() != r.f.pkg.cfg.Pkg && fn.Signature().Recv() == nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// declaration returns the declaration of a function of the package, and its file.
func (p *pkg) declaration(fn *types.Func) (*file, *ast.FuncDecl) {
	for _, f := range p.files {
		for _, d := range f.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && p.cfg.Info.Defs[d.Name] == fn {
				return f, d
			}
		}
	}
	return nil, nil
}

// parameter notes the value of a parameter of a call. A parameter in shared memory has none: it
// has an address of its own in each call.
func (r *branchWalk) parameter(v *types.Var, arg ast.Expr) {
	if r.f.pkg.Shared(v) {
		r.known[v] = false
		return
	}
	r.setLocal(v, arg)
}

func (r *branchWalk) receiver(v *types.Var, recv ast.Expr) {
	r.known[v] = false
	if r.f.pkg.Shared(v) {
		return
	}
	t := r.f.pkg.TypeOf(recv)
	switch {
	case site.IsPointer(v.Type()) && !site.IsPointer(t):
		s := r.spell()
		if p, ok := s.place(recv); ok && len(s.conds) == 0 {
			r.values[v], r.known[v] = "(&"+p+")", true
		}
	case site.IsPointer(v.Type()) == site.IsPointer(t):
		r.setLocal(v, recv)
	}
}

package accesses

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"taskinstr/internal/site"
)

// Classes of functions: closures, loops over functions, calls, results, and packages'
// initializers.

// closure reports whether n makes a closure, which is an object: a literal, a deferred
// call, a go statement, a method value, or an instance of a generic function as a value. It
// also holds for a call that the code of a deferred call or go statement makes.
func (c *comparison) closure(a *access, n ast.Node) bool {
	if a.kind == Atomic {
		return false
	}
	if a.kind == Read {
		return !slices.ContainsFunc(a.functions, func(f string) bool { return !wrapsCall.MatchString(f) })
	}
	switch n := n.(type) {
	case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.Ident:
		f, ok := c.pkg.Info.Uses[n].(*types.Func)
		return ok && f.Signature().Recv() == nil && c.pkg.Info.Instances[n].TypeArgs.Len() > 0
	}
	if c.methodValue(n) {
		return true
	}
	s, ok := c.outer(n).(*ast.SelectorExpr)
	return ok && ast.Unparen(s.X) == n && c.methodValue(s)
}

// wrapsCall matches the symbols of the functions that make deferred and started calls.
var wrapsCall = regexp.MustCompile(`\.(gowrap|deferwrap)[0-9]+$`)

// methodValue reports whether n is a method that the program does not call there.
func (c *comparison) methodValue(n ast.Node) bool {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	sel := c.pkg.Info.Selections[s]
	call, called := c.outer(s).(*ast.CallExpr)
	return sel != nil && sel.Kind() == types.MethodVal && (!called || call.Fun != s)
}

// declared returns the variables that n declares. A function declares its parameters.
func (c *comparison) declared(n ast.Node) (list []*types.Var) {
	add := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := c.pkg.Info.Defs[id].(*types.Var); ok && !v.IsField() {
				list = append(list, v)
			}
		}
	}
	switch n := n.(type) {
	case *ast.Ident:
		add(n)
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			add(l)
		}
	case *ast.RangeStmt:
		add(n.Key)
		add(n.Value)
	case *ast.FuncDecl:
		if f, ok := c.pkg.Info.Defs[n.Name].(*types.Func); ok {
			if r := f.Signature().Recv(); r != nil {
				list = append(list, r)
			}
			list = slices.AppendSeq(list, f.Signature().Params().Variables())
		}
	}
	return list
}

// copiedIntoClosure reports whether n makes a closure that copies variables, or declares a
// variable that a closure copies.
func (c *comparison) copiedIntoClosure(a *access, n ast.Node) bool {
	switch s := n.(type) {
	case *ast.DeferStmt:
		n = ast.Unparen(s.Call.Fun)
	case *ast.GoStmt:
		n = ast.Unparen(s.Call.Fun)
	}
	if a.kind == Write {
		return slices.ContainsFunc(c.declared(n), func(v *types.Var) bool { return c.facts.captured[v] && c.facts.own(v) })
	}
	l, ok := n.(*ast.FuncLit)
	if !ok || a.kind != Read {
		return false
	}
	found := false
	ast.Inspect(l.Body, func(m ast.Node) bool {
		if id, ok := m.(*ast.Ident); ok {
			v, ok := c.pkg.Info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField() && c.facts.captured[v] && c.facts.own(v)
		}
		return !found
	})
	return found
}

// assignedOnTheSpot reports whether n assigns to a variable that is shared with function
// literals only, which are called or deferred where they stand.
func (c *comparison) assignedOnTheSpot(a *access, n ast.Node) bool {
	return a.kind == Write && slices.ContainsFunc(c.assigned(n), func(v *types.Var) bool { return c.facts.captured[v] && c.facts.own(v) })
}

// assigned returns the variables that n assigns to, in whole or in part.
func (c *comparison) assigned(n ast.Node) (list []*types.Var) {
	var places []ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		places = n.Lhs
	case *ast.IncDecStmt:
		places = []ast.Expr{n.X}
	}
	for _, p := range places {
		if v := c.facts.root(p); v != nil {
			list = append(list, v)
		}
	}
	return list
}

// loopState reports whether n belongs to the control flow of a loop over a function, or
// returns from a function with such a loop, which keeps the results for bodies that return.
func (c *comparison) loopState(a *access, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.RangeStmt, *ast.BranchStmt:
	case *ast.ReturnStmt:
		_, body := c.function(n)
		return c.loopsOverFunc(body)
	case *ast.IfStmt: // the result of an inlined literal
		call, ok := ast.Unparen(n.Cond).(*ast.CallExpr)
		if !ok {
			return false
		}
		l := c.literalIn(call.Fun)
		return l != nil && c.loopsOverFunc(l.Body)
	default:
		return false
	}
	for p := n; p != nil; p = c.parent[p] {
		switch p := p.(type) {
		case *ast.RangeStmt:
			if c.overFunc(p) {
				return true
			}
		case *ast.FuncLit:
			return false
		}
	}
	return false
}

// loopsOverFunc reports whether body has a loop over a function.
func (c *comparison) loopsOverFunc(body *ast.BlockStmt) bool {
	return within(body, func(n ast.Node) bool {
		s, ok := n.(*ast.RangeStmt)
		return ok && c.overFunc(s)
	})
}

// literalIn returns the function literal in the declaration of variable e, or nil.
func (c *comparison) literalIn(e ast.Expr) (l *ast.FuncLit) {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v := c.pkg.Info.Uses[id]
	ast.Inspect(c.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			if id, ok := s.Lhs[0].(*ast.Ident); ok && v != nil && c.pkg.Info.Defs[id] == v {
				l, _ = s.Rhs[0].(*ast.FuncLit)
			}
		}
		return l == nil
	})
	return l
}

// within reports whether is holds for a node of body outside of function literals.
func within(body *ast.BlockStmt, is func(ast.Node) bool) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || n == nil {
			return false
		}
		found = found || is(n)
		return !found
	})
	return found
}

// result reports whether n returns values in results that live on the heap. It reads them
// to pass them on, and their writes have checks.
func (c *comparison) result(a *access, n ast.Node) bool {
	r, ok := n.(*ast.ReturnStmt)
	if !ok || a.kind != Read || len(r.Results) == 0 {
		return false
	}
	return slices.ContainsFunc(c.byToken[a.offset], func(k *check) bool { return k.kind == Write })
}

// function returns the type and the body of the function around n.
func (c *comparison) function(n ast.Node) (*ast.FuncType, *ast.BlockStmt) {
	for p := n; p != nil; p = c.parent[p] {
		switch p := p.(type) {
		case *ast.FuncDecl:
			return p.Type, p.Body
		case *ast.FuncLit:
			return p.Type, p.Body
		}
	}
	return nil, nil
}

// declaration returns the function declaration around n.
func (c *comparison) declaration(n ast.Node) *ast.FuncDecl {
	for p := n; p != nil; p = c.parent[p] {
		if d, ok := p.(*ast.FuncDecl); ok {
			return d
		}
	}
	return nil
}

// norace reports whether n belongs to a function marked go:norace, and a is a hook.
func (c *comparison) norace(a *access, n ast.Node) bool {
	if isCall(a.callee) {
		return false
	}
	d := c.declaration(n)
	return d != nil && d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(l *ast.Comment) bool { return strings.HasPrefix(l.Text, "//go:norace") })
}

// callee returns the declared function that call calls, or nil if it calls a value.
func (c *comparison) callee(call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(c.pkg.Info, call).(*types.Func)
	return f
}

// inlined reports whether n calls a function, and a may be an access of its inlined code.
// The compiler gives the position of the call to the variables and constants in the
// function's return statements, and to parameters that move to the heap. About a function
// of another package nothing more is known.
func (c *comparison) inlined(a *access, n ast.Node) bool {
	if s, ok := n.(*ast.AssignStmt); ok && len(s.Rhs) == 1 && a.kind == Read {
		n = ast.Unparen(s.Rhs[0])
	}
	if a.kind == Write && !slices.ContainsFunc(a.functions, func(f string) bool { return !isInit.MatchString(f) }) {
		p := n
		for p != nil && c.isElementOfNew(p) {
			p = c.converted(p)
		}
		switch p := c.outer(p).(type) {
		case *ast.ReturnStmt: // the write of a variable that the function initializes
			return true
		case *ast.CallExpr: // a value that the function computes from its arguments
			return c.callee(p) != nil
		}
	}
	call, ok := n.(*ast.CallExpr)
	if !ok || !isCall(a.callee) {
		return false
	}
	if a.kind == Write && c.isElementOfNew(call) { // apart from parameters, the access is a write of the element
		return c.movesParameters(a, call)
	}
	if c.readsOperands(call) {
		return false
	}
	if l, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return c.returns(a, l.Body)
	}
	return c.inlinedFrom(a, c.callee(call))
}

// movesParameters reports whether a may write parameters of the called function that move to the heap.
func (c *comparison) movesParameters(a *access, call *ast.CallExpr) bool {
	fn := c.callee(call)
	if fn == nil || fn.Pkg() != c.pkg.Pkg {
		return fn != nil && a.callee == "runtime.racewriterange" && fn.Signature().Recv() != nil && !site.IsPointer(fn.Signature().Recv().Type()) && !isInterface(fn.Signature().Recv().Type())
	}
	return slices.ContainsFunc(slices.Collect(fn.Origin().Signature().Params().Variables()), func(v *types.Var) bool { return !c.facts.own(v) })
}

// readsOperands reports whether the call itself reads operands without a check of their own: those that
// do not fit into registers.
func (c *comparison) readsOperands(call *ast.CallExpr) bool {
	operands := call.Args
	if s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.pkg.Info.Selections[s] != nil {
		if f := c.callee(call); f != nil && !site.IsPointer(f.Signature().Recv().Type()) {
			operands = append(slices.Clip(operands), s.X)
		}
	}
	return slices.ContainsFunc(operands, func(e ast.Expr) bool {
		return !inRegisters(c.pkg.typeOf(e)) && !c.facts.private(e) && !c.checked(ast.Unparen(e), Read)
	})
}

// inlinedFrom reports whether a may be an access of the code of fn, nil if that is not known.
func (c *comparison) inlinedFrom(a *access, fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() != nil && isInterface(fn.Signature().Recv().Type()) {
		return false
	}
	d := c.facts.funcs[fn.Origin()]
	if d == nil {
		return fn.Pkg() != c.pkg.Pkg
	}
	if d.Body == nil {
		return false
	}
	s := fn.Origin().Signature()
	for v := range s.Params().Variables() {
		if !c.facts.own(v) {
			return true
		}
	}
	return s.Recv() != nil && !c.facts.own(s.Recv()) || c.returns(a, d.Body)
}

// isElementOfNew reports whether e is an element of a composite literal, or an argument
// that a call collects in a slice.
func (c *comparison) isElementOfNew(e ast.Node) bool {
	switch p := c.converted(e).(type) {
	case *ast.CompositeLit, *ast.KeyValueExpr:
		return true
	case *ast.CallExpr:
		return slices.ContainsFunc(c.extra(p), func(x ast.Expr) bool { return c.inside(e, x) })
	}
	return false
}

// returns reports whether a return statement of body has an access like a without a
// position of its own.
func (c *comparison) returns(a *access, body *ast.BlockStmt) bool {
	return within(body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok {
			return false
		}
		found := false
		ast.Inspect(r, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				found = found || a.kind == Write && isLiteral(e) || a.kind == Read && !c.facts.private(e)
			}
			return !found
		})
		return found
	})
}

// dictionary reports whether n needs type arguments, in a generic function or in one that
// is inlined at n. An instance without code of its own copies the result of the code for
// all types of its shape.
func (c *comparison) dictionary(a *access, n ast.Node) bool {
	d := c.declaration(n)
	generic := false
	if d != nil {
		f, ok := c.pkg.Info.Defs[d.Name].(*types.Func)
		generic = ok && isGeneric(f)
	}
	if n == d {
		return generic
	}
	e, ok := n.(ast.Expr)
	if !ok || a.callee != callRead {
		return false
	}
	if call, ok := n.(*ast.CallExpr); ok {
		if f := c.callee(call); f != nil && isGeneric(f.Origin()) {
			return true
		}
	}
	if !generic {
		return false
	}
	if s, ok := e.(*ast.SelectorExpr); ok {
		if _, ok := c.pkg.Info.Uses[s.Sel].(*types.Func); ok {
			return true
		}
	}
	tv := c.pkg.Info.Types[e]
	_, fn := tv.Type.(*types.Signature)
	return tv.IsType() || fn || c.facts.private(e)
}

func isGeneric(f *types.Func) bool {
	return f.Signature().TypeParams().Len() > 0 || f.Signature().RecvTypeParams().Len() > 0
}

// initialValue reports whether a belongs to the code of package-level initializers that run
// alone.
func (c *comparison) initialValue(a *access, n ast.Node) bool {
	other := slices.ContainsFunc(a.functions, func(f string) bool { return !isInit.MatchString(f) })
	return !c.facts.accompanied && (!other || c.initializer(n))
}

// initialLiteral reports whether n is a literal, or an element of one, that an initializer
// does not publish: only its variable leads to it.
func (c *comparison) initialLiteral(a *access, n ast.Node) bool {
	if a.kind == Atomic || !c.initializer(n) {
		return false
	}
	if s, ok := c.parent[n].(*ast.ValueSpec); ok && a.kind == Read {
		return slices.ContainsFunc(s.Values, func(e ast.Expr) bool { // a call may return a literal
			_, call := ast.Unparen(e).(*ast.CallExpr)
			return call || isLiteral(e)
		})
	}
	for p := n; ; p = c.converted(p) {
		switch x := p.(type) {
		case *ast.CompositeLit, *ast.KeyValueExpr:
		case *ast.UnaryExpr:
			if x.Op != token.AND && p != n {
				return false
			}
		case *ast.ValueSpec:
			list := c.declared(n)
			if p == n {
				for _, id := range x.Names {
					list = append(list, c.declared(id)...)
				}
			}
			return !slices.ContainsFunc(list, func(v *types.Var) bool { return !c.facts.keeps(v) })
		default:
			if p != n {
				return false
			}
		}
	}
}

// isInit matches the symbol of the function that initializes a package's variables.
var isInit = regexp.MustCompile(`^(.*/)?[^./]*\.(init|map\.init\.[0-9]+)$`)

// initializer reports whether n is part of the initializer of a package-level variable.
func (c *comparison) initializer(n ast.Node) bool {
	t, _ := c.function(n)
	return t == nil
}

package splice

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"taskinstr/internal/site"
)

// A method wrapper is a function that the compiler generates for calls of a method through
// an interface, as a value, or through a dictionary of type arguments. A wrapper makes
// accesses that the source does not spell out: it copies the target of a pointer receiver,
// and it reads the embedded pointers and interfaces on the way to a promoted method. Only
// the run-time type tells which bytes these are. So a call that may lead to a wrapper
// passes its receiver through the runtime (rt/files/runtime/wrapper.go):
//
//	i.M(x)              _ti_i(i, call).M(x)
//	v.M(x), v a T       _ti_m(v, call).M(x)     T a type parameter
//	(*T).M(p, x)        (*T).M(_ti_m(p, call), x)
//	go i.M(x)           go _ti_go(i, call).M(x)
//	defer i.M(x)        v := i; defer v.M(x); if _ti_has(v, call) { defer _ti_late(v, call) }
//	i.M                 _ti_bound1_0(i.M, call)
//	(*T).M              _ti_expr2_0((*T).M, call)
//
// The runtime stores in call the last type whose wrapper makes no accesses. A call with
// this type costs one comparison. Deferred calls run in reverse order, so the check runs
// right before the method. The runtime itself still calls the method, so recover works. The
// two helpers of method values return their operand if the type's wrapper makes no
// accesses, and otherwise a function that makes the check and calls the operand. There is
// one such helper for each number of parameters and results.

// A dynamicCall is an element of the generated table of calls.
type dynamicCall struct {
	site string
	name string
}

// callTable returns the declaration of the table of calls, on one line.
func (p *pkg) callTable() string {
	var list []string
	for _, c := range p.dynamics {
		list = append(list, fmt.Sprintf("{site: %s, name: %q}", c.site, c.name))
	}
	return fmt.Sprintf("; var _ti_calls = [%d]_ti_call{%s}", len(list), strings.Join(list, ", "))
}

// dynamic registers the use e of method m. It returns the argument of a helper that names
// the use.
func (f *file) dynamic(e ast.Node, m *types.Func) string {
	number := f.site(e, "method "+m.Name(), site.Read)
	f.pkg.sites[len(f.pkg.sites)-1].Wrapper = true
	f.pkg.dynamics = append(f.pkg.dynamics, dynamicCall{number, m.Name()})
	f.pkg.stats.Dynamic++
	return fmt.Sprintf("&_ti_calls[%d]", len(f.pkg.dynamics)-1)
}

// checksDynamic reports whether uses of methods have checks here.
func (f *file) checksDynamic() bool {
	return !f.skip && !f.fn.nosplit && f.DynamicSpelled()
}

// methodCall rewrites the function operand of a method call. In a call of a method
// expression it also rewrites the receiver, the first argument. It reports whether c is
// such a call and was rewritten.
func (f *file) methodCall(c *ast.CallExpr, at callPlace) bool {
	e, sel := f.Method(c.Fun)
	if e == nil || !f.checksDynamic() || !f.Mediated(sel) {
		return false
	}
	x, direct := e.X, false
	if sel.Kind() == types.MethodExpr {
		if _, tuple := f.TypeOf(site.FirstArg(c)).(*types.Tuple); tuple || f.Info.Types[c.Args[0]].IsNil() {
			return false
		}
		x = c.Args[0]
		f.rvalue(x)
	} else {
		direct = f.receiver(e, sel)
	}
	f.seq.pending++ // calls in the arguments come before the check
	args := c.Args
	if sel.Kind() == types.MethodExpr {
		args = args[1:]
	}
	if at == deferred && !f.Nameable(x) {
		f.pkg.stats.Undeferred++
		f.rvalues(args)
		return true
	}
	call := f.dynamic(e, sel.Obj().(*types.Func))
	amp := ""
	if sel.Kind() == types.MethodVal && !direct && !site.IsPointer(sel.Recv()) && !site.IsTypeParam(sel.Recv()) && f.Storage(x) == site.Reachable {
		amp = "&" // the program reads the fields together with the operand
	}
	if at != deferred {
		name := "_ti_m"
		var of types.Type
		switch {
		case at == started:
			name = "_ti_go"
		case direct:
			name, of = "_ti_i", operandType(sel)
		}
		name = f.pkg.typed(name, of)
		f.enclose(x, layerReceiver, ","+call+")", text(name+"("+amp))
		f.rvalues(args)
		return true
	}
	f.rvalues(args)
	u := f.variable(x)
	f.pkg.helpers["_ti_has"], f.pkg.helpers["_ti_late"] = true, true
	v := u.names[0]
	f.seq.after = append(f.seq.after, text("; if _ti_has("+v+","+call+") { defer _ti_late("+v+","+call+") }"))
	return true
}

// operandType returns the type of x in x.M with the embedded fields on the way to M.
func operandType(sel *types.Selection) types.Type {
	t, path := sel.Recv(), sel.Index()
	for _, i := range path[:len(path)-1] {
		t = site.Elem(t).Underlying().(*types.Struct).Field(i).Type()
	}
	return t
}

// reflectCall makes package reflect pass the functions that it calls to the runtime. The
// place is the statement of the call itself, in the method Value.call, which keeps its
// operands in variables.
func (f *file) reflectCall(c *ast.CallExpr) {
	id, ok := c.Fun.(*ast.Ident)
	if !ok || id.Name != "call" || f.Path != "reflect" || !f.checksDynamic() {
		return
	}
	in := f.Pkg.Scope().Innermost(c.Pos())
	for _, name := range []string{"rcvr", "rcvrtype", "fn", "in"} {
		if _, o := in.LookupParent(name, c.Pos()); o == nil {
			return
		}
	}
	f.pkg.helpers["_ti_reflected"] = true
	f.pkg.stats.Dynamic++
	a := f.Offset(c.Pos())
	f.add(a, f.Offset(c.End()), layerHost, text("_ti_reflected(rcvrtype != nil, unsafe.Pointer(&rcvr), fn, unsafe.Pointer(&in)); "), source(a, f.Offset(c.End())))
}

// reflectTarget makes package reflect find the function that a helper of method values has
// replaced. The place is the statement that loads the code pointer of the function value p.
func (f *file) reflectTarget(s *ast.AssignStmt) {
	if f.Path != "reflect" || !f.checksDynamic() || len(s.Lhs) != 1 {
		return
	}
	a, b := f.Offset(s.Pos()), f.Offset(s.End())
	if string(f.Text[a:b]) != "p = *(*unsafe.Pointer)(p)" {
		return
	}
	f.pkg.helpers["_ti_target"] = true
	f.add(a, b, layerHost, text("p = _ti_target(p); "), source(a, b))
}

// methodValue wraps a method value or method expression e that the program does not call on
// the spot.
func (f *file) methodValue(e *ast.SelectorExpr, sel *types.Selection) {
	if !f.checksDynamic() || !f.Mediated(sel) {
		return
	}
	sig, ok := f.TypeOf(e).(*types.Signature)
	if !ok {
		return
	}
	kind := "expr"
	if sel.Kind() == types.MethodVal {
		if site.IsTypeParam(site.Elem(sel.Recv())) {
			f.pkg.stats.Unbound++
			return
		}
		kind = "bound"
	}
	name := fmt.Sprintf("_ti_%s%d_%d", kind, sig.Params().Len(), sig.Results().Len())
	if sig.Variadic() {
		name += "v"
	}
	f.pkg.bound[name] = sig
	if kind == "expr" {
		f.pkg.helpers["_ti_mcall"] = true
	} else {
		f.pkg.helpers["_ti_icall"], f.pkg.helpers["_ti_bound"] = true, true
	}
	f.enclose(e, layerReceiver, ","+f.dynamic(e, sel.Obj().(*types.Func))+")", text(name+"("))
}

// wrapperLine is the first line of the helpers of method values in the generated file. The
// runtime treats functions from this line on as wrappers of the compiler: stack traces
// leave them out, and recover looks through them.
const wrapperLine = 1_000_000

// methodMagic is the first word of the record that the function of such a helper captures.
// The next word is the replaced function, which package reflect finds there.
const methodMagic = "0x7461736b696d6574"

// boundHelper returns the source of a helper for method values (_ti_bound...) or method
// expressions (_ti_expr...), for functions with as many parameters and results as sig.
func boundHelper(name string, sig *types.Signature) string {
	var kinds, params, names []string
	n := sig.Params().Len()
	for i := range n {
		t := fmt.Sprintf("A%d", i)
		kinds = append(kinds, t)
		if sig.Variadic() && i == n-1 {
			t = "..." + t
		}
		params = append(params, fmt.Sprintf("a%d %s", i, t))
		names = append(names, fmt.Sprintf("a%d", i))
	}
	var results []string
	for i := range sig.Results().Len() {
		t := fmt.Sprintf("R%d", i)
		kinds = append(kinds, t)
		results = append(results, t)
	}
	typeParams := ""
	if len(kinds) > 0 {
		typeParams = "[" + strings.Join(kinds, ", ") + " interface{}]"
	}
	call, ret := strings.Join(names, ", "), ""
	if sig.Variadic() {
		call += "..."
	}
	if len(results) > 0 {
		ret = "return "
	}
	typ := fmt.Sprintf("func(%s) (%s)", strings.Join(params, ", "), strings.Join(results, ", "))
	var b strings.Builder
	fmt.Fprintf(&b, "\nfunc %s%s(f %s, c *_ti_call) %s {\n", name, typeParams, typ, typ)
	b.WriteString("\tm := &struct {\n\t\tmagic uint64\n\t\tf " + typ + "\n\t\tc *_ti_call\n\t\tr unsafe.Pointer\n\t}{" + methodMagic + ", f, c, nil}\n")
	check := "\t\te := interface{}(a0)\n\t\t_ti_mcall(unsafe.Pointer(&e), m.c)\n"
	if strings.HasPrefix(name, "_ti_bound") {
		b.WriteString("\tif m.r = _ti_bound(unsafe.Pointer(&f), c); uintptr(m.r) == 0 {\n\t\treturn f\n\t}\n")
		check = "\t\t_ti_icall(m.r, m.c)\n"
	}
	fmt.Fprintf(&b, "\treturn %s {\n%s\t\t%sm.f(%s)\n\t}\n}\n", typ, check, ret, call)
	return b.String()
}

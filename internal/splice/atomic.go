package splice

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"taskinstr/internal/atomics"
	"taskinstr/internal/site"
)

// The compiler turns calls of sync/atomic functions into instructions, which call no hook.
// So wrappers in the generated file replace the functions and report the operations. The
// typed methods report their operations in package sync/atomic itself.

// atomicCall replaces the called function of call c by its wrapper.
func (f *file) atomicCall(c *ast.CallExpr, fn *types.Func) {
	a, b := f.Offset(c.Fun.Pos()), f.Offset(c.Lparen)+1
	f.atomicUse(c.Fun, fn)
	name := "_ti_atomic_" + fn.Name() + "("
	if quiet := f.quietLoad(c); quiet != "" {
		f.pkg.quietKinds[fn.Name()] = true
		name = "_ti_quiet_" + fn.Name() + "(" + quiet + ","
	}
	f.add(a, b, layerHost, text(name+f.site(c, "atomic operation", site.Atomic)+","))
}

// A Load is an atomic load of a field that only first values and atomic operations write. The detector orders it, and records it only if
// another package of the program overwrites values of the struct (see Fate.Final).
type Load struct {
	At   site.Pos // of the parenthesis of the call
	Type string   // a struct type of the package
}

// quietLoad returns the condition on which the detector need not record c, "" if the plan does not name it.
func (f *file) quietLoad(c *ast.CallExpr) string {
	if !f.plan {
		return ""
	}
	l, ok := f.pkg.loads[f.PosOf(c.Lparen)]
	if !ok {
		return ""
	}
	f.pkg.quiet[l] = true
	f.pkg.finals[l.Type] = true
	return FinalVar(l.Type) + `==""`
}

// loadMethod replaces call c of the method Load of an atomic variable e.X by one of a function, if the plan names it. It reports whether
// it has.
func (f *file) loadMethod(c *ast.CallExpr, e *ast.SelectorExpr, sel *types.Selection) bool {
	t, ok := types.Unalias(site.Elem(sel.Recv())).(*types.Named)
	if !ok || len(sel.Index()) != 1 {
		return false
	}
	kind, known := quietTypes[t.Obj().Name()]
	if m := sel.Obj(); m.Pkg() == nil || m.Pkg().Path() != "sync/atomic" || m.Name() != "Load" || !known {
		return false
	}
	fn, ok := sel.Obj().Pkg().Scope().Lookup(kind.load).(*types.Func)
	if !ok {
		return false
	}
	quiet := f.quietLoad(c)
	if quiet == "" || f.line(e.X.End()) != f.line(c.Lparen) {
		return false
	}
	f.pkg.atomics[fn.Name()] = fn
	f.pkg.quietKinds[fn.Name()], f.pkg.quietKinds[t.Obj().Name()] = true, true
	amp := "&"
	if site.IsPointer(sel.Recv()) {
		amp = ""
		f.rvalue(e.X)
	} else {
		f.address(e.X)
	}
	f.enclose(e.X, layerHost, "", text("_ti_load_"+t.Obj().Name()+"("+quiet+","+f.site(c, "atomic operation", site.Atomic)+","+amp))
	f.add(f.Offset(e.X.End()), f.Offset(c.Lparen)+1, layerHost, text(""))
	return true
}

// quietTypes are the atomic types of one word, each with the function that loads it.
var quietTypes = map[string]struct{ load, word, result, open, close string }{
	"Bool":    {"LoadUint32", "uint32", "bool", "", " != 0"},
	"Int32":   {"LoadInt32", "int32", "int32", "", ""},
	"Int64":   {"LoadInt64", "int64", "int64", "", ""},
	"Pointer": {"LoadPointer", "unsafe.Pointer", "*T", "(*T)(", ")"},
	"Uint32":  {"LoadUint32", "uint32", "uint32", "", ""},
	"Uint64":  {"LoadUint64", "uint64", "uint64", "", ""},
	"Uintptr": {"LoadUintptr", "uintptr", "uintptr", "", ""},
}

// loadFunctions returns the source of the functions that loadMethod calls.
func (p *pkg) loadFunctions() string {
	var b strings.Builder
	for _, n := range slices.Sorted(maps.Keys(p.quietKinds)) {
		k, ok := quietTypes[n]
		if !ok {
			continue
		}
		params, of := "", ""
		if n == "Pointer" {
			params, of = "[T any]", "[T]"
		}
		fmt.Fprintf(&b, "\nfunc _ti_load_%s%s(q bool, s *uint32, a *atomic.%s%s) %s { return %s_ti_quiet_%s(q, s, (*%s)(unsafe.Pointer(a)))%s }\n",
			n, params, n, of, k.result, k.open, k.load, k.word, k.close)
	}
	return b.String()
}

// atomicValue replaces a sync/atomic function that the program uses as a value.
func (f *file) atomicValue(e ast.Expr, fn *types.Func) {
	if f.AtomicFunc(e) == nil {
		return
	}
	f.atomicUse(e, fn)
	f.add(f.Offset(e.Pos()), f.Offset(e.End()), layerHost, text("_ti_atomicf_"+fn.Name()))
	f.pkg.helpers["_ti_atomicf_"+fn.Name()] = true
}

func (f *file) atomicUse(e ast.Expr, fn *types.Func) {
	f.pkg.stats.Atomic++
	f.pkg.atomics[fn.Name()] = fn
	f.uses["var _ = "+types.ExprString(ast.Unparen(e))] = true
}

// atomicWrappers returns the source of the wrappers.
func (p *pkg) atomicWrappers() string {
	if len(p.atomics) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(atomics.Event)
	announces := false
	for _, n := range slices.Sorted(maps.Keys(p.atomics)) {
		sig := p.atomics[n].Signature()
		qual := func(*types.Package) string { return "unsafe" }
		w := atomics.Wrapper{Name: "_ti_atomic_" + n, Func: n, Package: "atomic.", Site: true}
		for v := range sig.Params().Variables() {
			w.Params = append(w.Params, types.TypeString(v.Type(), qual))
		}
		if sig.Results().Len() == 1 {
			w.Result = types.TypeString(sig.Results().At(0).Type(), qual)
		}
		announces = announces || w.Announces()
		b.WriteString(w.Text())
		if p.quietKinds[n] {
			w.Name, w.Quiet = "_ti_quiet_"+n, true
			b.WriteString(w.Text())
			w.Quiet = false
		}
		if value := "_ti_atomicf_" + n; p.helpers[value] {
			w.Name, w.Site = value, false
			b.WriteString(w.Text())
		}
	}
	if announces {
		b.WriteString(atomics.Loading)
	}
	b.WriteString(p.loadFunctions())
	return b.String()
}

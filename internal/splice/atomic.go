package splice

import (
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
	f.add(a, b, layerHost, text("_ti_atomic_"+fn.Name()+"("+f.site(c, "atomic operation", site.Atomic)+","))
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
	f.atomicName = types.ExprString(ast.Unparen(e))
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
		if value := "_ti_atomicf_" + n; p.helpers[value] {
			w.Name, w.Site = value, false
			b.WriteString(w.Text())
		}
	}
	if announces {
		b.WriteString(atomics.Loading)
	}
	return b.String()
}

package splice

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

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
	var b strings.Builder
	scheduled := false
	for _, n := range slices.Sorted(maps.Keys(p.atomics)) {
		sig := p.atomics[n].Signature()
		qual := func(*types.Package) string { return "unsafe" }
		var params, args []string
		for i := range sig.Params().Len() {
			params = append(params, fmt.Sprintf("a%d %s", i, types.TypeString(sig.Params().At(i).Type(), qual)))
			args = append(args, fmt.Sprintf("a%d", i))
		}
		result := ""
		if sig.Results().Len() == 1 {
			result = types.TypeString(sig.Results().At(0).Type(), qual)
		}
		call := "atomic." + n + "(" + strings.Join(args, ", ") + ")"
		report := func(op int, s string) string {
			return fmt.Sprintf("_ti_atomic(unsafe.Pointer(a0), unsafe.Sizeof(*a0), %d, %s)", op, s)
		}
		point := func(write string) string {
			scheduled = true
			return "\tif _ti_scheduled {\n\t\t_ti_loading(unsafe.Pointer(a0), " + write + ")\n\t}\n"
		}
		body := func(s string) string {
			switch site.AtomicOpOf(n) {
			case site.AtomicLoad:
				return point("false") + fmt.Sprintf("\tr := %s\n\tif %s {\n\t\tr = %s\n\t\t%s\n\t}\n\treturn r\n", call, report(1, s), call, report(4, s))
			case site.AtomicStore:
				return fmt.Sprintf("\theld := %s\n\t%s\n\tif held {\n\t\t%s\n\t}\n", report(2, s), call, report(4, s))
			}
			fail := ""
			if kind, ok := strings.CutPrefix(n, "CompareAndSwap"); ok {
				fail = point("true") + fmt.Sprintf("\tfor atomic.Load%s(a0) != a1 {\n\t\tif !%s {\n\t\t\treturn false\n\t\t}\n\t}\n", kind, report(5, s))
			}
			return fail + fmt.Sprintf("\t%s\n\tr := %s\n\t%s\n\treturn r\n", report(3, s), call, report(4, s))
		}
		fmt.Fprintf(&b, "\nfunc _ti_atomic_%s(s *uint32, %s) %s {\n%s}\n", n, strings.Join(params, ", "), result, body("s"))
		if p.helpers["_ti_atomicf_"+n] {
			fmt.Fprintf(&b, "\nfunc _ti_atomicf_%s(%s) %s {\n%s}\n", n, strings.Join(params, ", "), result, body("nil"))
		}
	}
	if scheduled {
		b.WriteString(loading)
	}
	return b.String()
}

// loading declares what announces an operation that begins with a load to a schedule.
const loading = `
//go:linkname _ti_scheduled runtime.tr_scheduled
var _ti_scheduled bool

//go:noescape
//go:linkname _ti_loading runtime.taskinstr_loading
func _ti_loading(p unsafe.Pointer, write bool)
`

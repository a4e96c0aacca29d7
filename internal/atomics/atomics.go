// Package atomics writes wrappers of the functions of sync/atomic. The compiler turns a call of such a
// function into instructions, which call no hook. Its wrapper also reports the operation to
// runtime.taskinstr_atomic (rt/files/runtime/atomic.go, with the meaning of the codes). Package splice puts
// wrappers into the packages of a program, and package rt puts them into sync/atomic, for the methods of its types.
package atomics

import (
	"fmt"
	"strings"
)

// An Op is a kind of operation.
type Op uint8

const (
	None   Op = iota
	Load      // read
	Store     // write
	Update    // read, modify and write
)

// OpOf returns the operation of the function of sync/atomic called name, None if it has no operation of its own.
func OpOf(name string) Op {
	switch {
	case strings.HasPrefix(name, "Load"):
		return Load
	case strings.HasPrefix(name, "Store"):
		return Store
	}
	for _, p := range []string{"Add", "And", "Or", "Swap", swap} {
		if strings.HasPrefix(name, p) {
			return Update
		}
	}
	return None
}

// swap begins the names of the operations that may fail.
const swap = "CompareAndSwap"

// The codes of runtime.taskinstr_atomic.
const (
	codeLoad = 1 + iota
	codeStore
	codeUpdate
	codeDone
	codeFail
	codeQuietLoad
)

// Event declares the function through which wrappers report operations. Loading declares the function that
// announces a load to a schedule, which chooses then (runtime.taskinstr_loading), and its condition. Their
// file imports unsafe.
const (
	Event = `
//go:noescape
//go:linkname _ti_atomic runtime.taskinstr_atomic
func _ti_atomic(p unsafe.Pointer, n, op uintptr, s *uint32) bool
`
	Loading = `
//go:linkname _ti_scheduled runtime.tr_scheduled
var _ti_scheduled bool

//go:noescape
//go:linkname _ti_loading runtime.taskinstr_loading
func _ti_loading(p unsafe.Pointer, write bool)
`
)

// A Wrapper stands in for a function of sync/atomic. Its parameters are a0, a1, and so on.
type Wrapper struct {
	Name    string   // of the wrapper
	Func    string   // of the function
	Package string   // the qualifier of the function's name: "atomic.", or nothing
	Params  []string // the types of the parameters, beginning with the address
	Result  string   // the type of the result, or nothing
	Site    bool     // the wrapper has the site of the call as a parameter s in front of the others
	Quiet   bool     // the wrapper has a parameter q in front of all others: the detector need not record the load
}

// Announces reports whether the wrapper needs Loading.
func (w *Wrapper) Announces() bool { return OpOf(w.Func) == Load || strings.HasPrefix(w.Func, swap) }

// Text returns the declaration of the wrapper. A function without a known operation counts as an update.
func (w *Wrapper) Text() string {
	var params, args []string
	site := "nil"
	if w.Quiet {
		params = append(params, "q bool")
	}
	if w.Site {
		site = "s"
		params = append(params, "s *uint32")
	}
	for i, t := range w.Params {
		args = append(args, fmt.Sprintf("a%d", i))
		params = append(params, args[i]+" "+t)
	}
	call := w.Package + w.Func + "(" + strings.Join(args, ", ") + ")"
	event := func(code any) string {
		return fmt.Sprintf("_ti_atomic(unsafe.Pointer(a0), unsafe.Sizeof(*a0), %v, %s)", code, site)
	}
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, "\t"+format+"\n", a...) }
	fmt.Fprintf(&b, "\nfunc %s(%s) %s {\n", w.Name, strings.Join(params, ", "), w.Result)
	kind, swaps := strings.CutPrefix(w.Func, swap)
	if w.Announces() {
		line("if _ti_scheduled { _ti_loading(unsafe.Pointer(a0), %t) }", swaps)
	}
	switch OpOf(w.Func) {
	case Load:
		var code any = codeLoad
		if w.Quiet {
			code = "op"
			line("op := uintptr(%d)", codeLoad)
			line("if q { op = %d }", codeQuietLoad)
		}
		line("r := %s", call)
		line("if %s { r = %s; %s }", event(code), call, event(codeDone))
		line("return r")
	case Store:
		line("held := %s", event(codeStore))
		line("%s", call)
		line("if held { %s }", event(codeDone))
	default:
		if swaps { // one that fails publishes nothing
			line("for %sLoad%s(a0) != a1 { if !%s { return false } }", w.Package, kind, event(codeFail))
		}
		line("%s", event(codeUpdate))
		line("r := %s", call)
		line("%s", event(codeDone))
		line("return r")
	}
	b.WriteString("}\n")
	return b.String()
}

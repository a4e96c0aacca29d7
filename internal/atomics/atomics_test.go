package atomics

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// Each function of sync/atomic has an operation, and a wrapper of the same type that calls it.
func TestWrappers(t *testing.T) {
	pkg, err := importer.ForCompiler(token.NewFileSet(), "source", nil).Import("sync/atomic")
	if err != nil {
		t.Fatal(err)
	}
	text := "package p\n\nimport (\n\t\"sync/atomic\"\n\t\"unsafe\"\n)\n" + Event + Loading
	var names []string
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		names = append(names, name)
		if OpOf(name) == None {
			t.Errorf("%s has no operation", name)
		}
		w := Wrapper{Name: "_" + name, Func: name, Package: "atomic."}
		for v := range f.Signature().Params().Variables() {
			w.Params = append(w.Params, v.Type().String())
		}
		if r := f.Signature().Results(); r.Len() > 0 {
			w.Result = r.At(0).Type().String()
		}
		text += w.Text()
		w.Name, w.Site = "s"+w.Name, true
		text += w.Text()
	}
	if len(names) < 30 {
		t.Errorf("%d functions, want all of them", len(names))
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	c := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	p, err := c.Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		want := pkg.Scope().Lookup(name).Type()
		if got := p.Scope().Lookup("_" + name).Type(); !types.Identical(got, want) {
			t.Errorf("the wrapper of %s is a %v, want %v", name, got, want)
		}
	}
}

// A load is made again where the detector says so, and a compare-and-swap that fails publishes nothing.
func TestEvents(t *testing.T) {
	for _, c := range []struct {
		w    Wrapper
		want []string
	}{
		{Wrapper{Name: "l", Func: "LoadInt32", Params: []string{"*int32"}, Result: "int32"}, []string{"_ti_loading(unsafe.Pointer(a0), false)", "LoadInt32(a0)", ", 1, nil)", "LoadInt32(a0)", ", 4, nil)"}},
		{Wrapper{Name: "s", Func: "StoreInt32", Params: []string{"*int32", "int32"}, Site: true}, []string{", 2, s)", "StoreInt32(a0, a1)", "if held", ", 4, s)"}},
		{Wrapper{Name: "a", Func: "AddInt32", Params: []string{"*int32", "int32"}, Result: "int32"}, []string{", 3, nil)", "AddInt32(a0, a1)", ", 4, nil)"}},
		{Wrapper{Name: "c", Func: "CompareAndSwapInt32", Params: []string{"*int32", "int32", "int32"}, Result: "bool"}, []string{"_ti_loading(unsafe.Pointer(a0), true)", "LoadInt32(a0) != a1", ", 5, nil)", "return false", ", 3, nil)", "CompareAndSwapInt32(a0, a1, a2)", ", 4, nil)"}},
	} {
		rest := c.w.Text()
		for _, s := range c.want {
			_, after, ok := strings.Cut(rest, s)
			if !ok {
				t.Errorf("%s: no %q in order in\n%s", c.w.Func, s, c.w.Text())
				break
			}
			rest = after
		}
	}
}

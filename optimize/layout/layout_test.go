package layout_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
	"unsafe"

	"taskinstr/optimize/layout"
)

// The source text below declares the same types.
type (
	inner struct {
		a int8
		b int64
		c [3]int16
	}
	outer struct {
		x inner
		y string
		z *inner
	}
)

const source = `package p

type inner struct { a int8; b int64; c [3]int16 }

type outer struct { x inner; y string; z *inner }

type generic[T any] struct { p *T; n int; t T; after int }

func f[T any](x T, p *T, s []T, a [2]T, g generic[T], h *generic[T], i generic[int]) {}
`

func check(t *testing.T) *types.Package {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("the sizes are those of 64-bit targets")
	}
	scope := check(t).Scope()
	in, out := scope.Lookup("inner").Type(), scope.Lookup("outer").Type()
	for _, c := range []struct {
		name string
		got  int64
		want uintptr
	}{
		{"size of inner", layout.Size(in), unsafe.Sizeof(inner{})},
		{"size of outer", layout.Size(out), unsafe.Sizeof(outer{})},
		{"offset of b", layout.Offset(in.Underlying().(*types.Struct), 1), unsafe.Offsetof(inner{}.b)},
		{"offset of c", layout.Offset(in.Underlying().(*types.Struct), 2), unsafe.Offsetof(inner{}.c)},
		{"offset of z", layout.Offset(out.Underlying().(*types.Struct), 2), unsafe.Offsetof(outer{}.z)},
	} {
		if c.got != int64(c.want) {
			t.Errorf("%s: got %d, the compiler has %d", c.name, c.got, c.want)
		}
	}
}

func TestConcrete(t *testing.T) {
	want := map[string]bool{"x": false, "p": true, "s": true, "a": false, "g": false, "h": true, "i": true}
	params := check(t).Scope().Lookup("f").Type().(*types.Signature).Params()
	for v := range params.Variables() {
		if got := layout.Concrete(v.Type()); got != want[v.Name()] {
			t.Errorf("%s: the size of %s is concrete: %v", v.Name(), v.Type(), got)
		} else if !got && layout.Size(v.Type()) != 0 {
			t.Errorf("%s: %s has the size %d", v.Name(), v.Type(), layout.Size(v.Type()))
		}
	}
}

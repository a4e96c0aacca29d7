package splice

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"

	"taskinstr/internal/site"
)

// sourceConfig type-checks a package of one file without imports.
func sourceConfig(t *testing.T, src string) Config {
	t.Helper()
	fset := token.NewFileSet()
	a, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := newInfo()
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{a}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Fset: fset, Files: []*ast.File{a}, Src: [][]byte{[]byte(src)}, Path: "p", Pkg: pkg, Info: info}
}

// TestChecks compares what Config.Checks is told with the checks that a package
// gets: not told are those that no plan can speak of, and a write check that
// comes before a call that its store follows.
func TestChecks(t *testing.T) {
	const src = `package p

type T struct {
	a, b int
	s    []int
}

var g int

func f() int { return 1 }

func plain(p *T) {
	x := 0
	q := &x
	*q = p.a
	p.b++
	p.a = f()
	for ; g < 3; p.a, p.b = f(), f() {
	}
}

func parts(p *T, x []int) {
	for i := 0; i < len(p.s); i++ {
	}
	x = append(x, 1)
	clear(x)
	copy(x, p.s)
	x = append(x, p.s...)
	for _, v := range x {
		p.a = v
	}
}

//go:norace
func never(p *T) { p.a, g = 1, 2 }
`
	c := sourceConfig(t, src)
	var got []string
	c.Checks = func(k site.Key, whole bool) {
		mode := " r"
		if k.Write {
			mode = " w"
		}
		if k.Elems {
			mode += "e"
		}
		if !whole {
			mode += " part"
		}
		got = append(got, k.Expr+mode)
	}
	if _, err := Package(c); err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	got = slices.Compact(got) // a plan is asked twice of a range clause, and there are two writes of p.a
	want := []string{"*q w", "append(x, 1) we part", "append(x, p.s...) we part", "g r", "p.a r", "p.a w", "p.b w", "p.s r", "p.s r part", "p.s re part", "x re", "x w part", "x we part"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

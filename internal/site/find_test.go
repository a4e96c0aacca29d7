package site

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// sourceOf type-checks a package of one file without imports.
func sourceOf(t *testing.T, src string) Source {
	t.Helper()
	fset := token.NewFileSet()
	a, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("p", fset, []*ast.File{a}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Source{Fset: fset, Files: []*ast.File{a}, Src: [][]byte{[]byte(src)}, Path: "p", Pkg: pkg, Info: info}
}

// plannable returns the sites of a text that a plan may decide about.
func plannable(t *testing.T, src string) []Site {
	t.Helper()
	sites, err := Find(sourceOf(t, src))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(sites, func(s Site) bool { return !s.Plannable() })
}

// TestPlannable lists the sites of a package that a plan may decide about. Fixed sites are not
// among them, nor is a write whose check comes before a call that the store follows.
func TestPlannable(t *testing.T) {
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
	var got []string
	for _, s := range plannable(t, src) {
		k := s.Key
		mode := " r"
		if k.Write {
			mode = " w"
		}
		if k.Elems {
			mode += "e"
		}
		if s.Part {
			mode += " part"
		}
		got = append(got, k.Expr+mode)
	}
	slices.Sort(got)
	got = slices.Compact(got) // a plan is asked twice of a range clause, and there are two writes of p.a
	want := []string{"*q w", "append(x, 1) we part", "append(x, p.s...) we part", "g r", "p.a r", "p.a w", "p.b w", "p.s r", "p.s r part", "p.s re part", "x re", "x w part", "x we part"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

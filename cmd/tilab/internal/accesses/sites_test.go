package accesses

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// TestSites checks the list of sites with their kinds.
func TestSites(t *testing.T) {
	const text = `package p

import "sync/atomic"

type T struct{ a, b int; v []int; s string; n uint32 }

func f(t *T, w []int, b []byte) int {
	t.a = t.b
	t.a++
	t.v = append(t.v, 1)
	t.v = append(t.v, w...)
	copy(w, t.v)
	clear(w)
	atomic.AddUint32(&t.n, 1)
	for _, x := range w {
		t.b += x
	}
	if string(b) == t.s {
		return len(t.v)
	}
	return 0
}
`
	fset := token.NewFileSet()
	a, err := parser.ParseFile(fset, "p.go", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("p", fset, []*ast.File{a}, info)
	if err != nil {
		t.Fatal(err)
	}
	src := site.Source{Fset: fset, Files: []*ast.File{a}, Src: [][]byte{[]byte(text)}, Path: "p", Pkg: pkg, Info: info}
	r, err := splice.Package(splice.Config{Source: src})
	if err != nil {
		t.Fatal(err)
	}
	list := sites(r, fset)
	var got []string
	for _, s := range list {
		got = append(got, fmt.Sprintf("%d %s %s", s.position.Line, s.kind, s.expr))
	}
	slices.Sort(got)
	for _, want := range []string{
		"8 write t.a", "8 read t.b",
		"9 write t.a",
		"10 write t.v", "10 read t.v", "10 write append(t.v, 1)",
		"11 write t.v", "11 read w",
		"12 write w", "12 read t.v",
		"13 write w",
		"14 atomic atomic.AddUint32(&t.n, 1)",
		"15 read w",
		"16 write t.b",
		"18 read b", "18 read t.s",
		"19 read t.v",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no site %q among\n%s", want, strings.Join(got, "\n"))
		}
	}
	found, err := site.Find(src)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, s := range found {
		want = append(want, fmt.Sprintf("%d %s %s", fset.Position(s.Pos).Line, kindOf[s.Kind], s.Expr))
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the rewriter makes the checks\n%s\npackage site finds\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(list) != r.Stats.Checks {
		t.Errorf("%d sites are listed, %d checks were made", len(list), r.Stats.Checks)
	}
}

package frequency

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const text = `package p

const size = 4

type t struct{ a [8]int }

func Entry(s []int, x *t) {
	for i := 0; i < 100; i++ { // 100
		for j := 10; j >= 0; j -= 2 { // 6
			leaf()
		}
	}
	for range size { // 4
		for range x.a { // 8
		}
	}
	for range s { // unknown
		for range "äb" { // 2
			go func() { leaf() }()
		}
	}
	for len(s) > 0 { // unknown
	}
	for k := 0; k < len(s); k++ { // unknown
	}
	for k := 9; k != 3; k-- { // 6
	}
}

func leaf() { rec(3) }

func rec(n int) {
	for i := 1; i <= 3; i++ { // 3
		rec(n - 1)
	}
}

func unused() {}

func Branches(n int) {
	if n > 0 {
		half()
	} else {
		ping()
	}
	switch n {
	case 1:
		quarter()
	case 2, 3:
	case 4:
	default:
	}
}

func half()    {}
func quarter() {}

func ping() { pong() }
func pong() { ping() }
`

func TestFunctions(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	cfg := types.Config{Importer: importer.Default()}
	if _, err := cfg.Check("p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	fns := Functions(fset, info, []*ast.File{f})
	var trips []float64
	for _, l := range fns[0].Loops {
		trips = append(trips, l.Trips)
		if l.Known == (l.Trips == UnknownTrips) {
			t.Errorf("loop at %d: %v trips, known is %v", l.Start.Line, l.Trips, l.Known)
		}
	}
	want := []float64{100, 6, 4, 8, 10, 2, 10, 10, 6}
	for i := range want {
		if len(trips) != len(want) || trips[i] != want[i] {
			t.Fatalf("trip counts %v, want %v", trips, want)
		}
	}
	// Leaf is called 100*6 + 10*2 times, rec as often and in a cycle.
	for name, weight := range map[string]float64{"Entry": 1, "leaf": 620, "rec": 6200, "unused": 1, "half": 0.5, "quarter": 0.25, "ping": 10, "pong": 10} {
		for _, f := range fns {
			if f.Decl.Name.Name == name && f.Weight != weight {
				t.Errorf("%s: weight %v, want %v", name, f.Weight, weight)
			}
		}
	}
	loops, n := fns[0].Around(10, 4)
	if len(loops) != 2 || n != 600 {
		t.Errorf("the call of leaf: %d loops, estimate %v", len(loops), n)
	}
	if _, n := fns[2].Around(34, 3); n != 18600 {
		t.Errorf("the recursive call: estimate %v", n)
	}
}

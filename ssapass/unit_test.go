package ssapass

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

const unitSource = `package unit

import (
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

var Open, shut = &box{}, &box{}

type box struct{ n int }

func pure(n int) int { return n + 1 }
func quiet(n int) int { return pure(n) }
func reads(b *box) int { return b.n }
func sends(c chan int) { c <- 1 }
func calls(f func()) { f() }
func foreign() string { return strings.ToUpper("x") }
func known() int { return sort.SearchInts(nil, 1) }
func never() { for { pure(1) } }
func locks(mu *sync.Mutex) { mu.Lock(); mu.Unlock() }
func loads(n *int64) int64 { return atomic.LoadInt64(n) }
func own() int {
	xs := []int{1}
	return xs[0]
}
func given() []int {
	xs := []int{1}
	sort.Ints(xs)
	return nil
}
`

// unitOf analyses a package alone, with a fact of sort.SearchInts only.
func unitOf(t *testing.T, src string) *Analysis {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "unit.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("unit", fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	p, err := LoadUnit(Unit{
		Fset: fset, Files: []*ast.File{f}, Texts: [][]byte{[]byte(src)}, Path: "unit", Pkg: pkg, Info: info, Module: &packages.Module{Path: "unit"},
		Fact: func(f *types.Func) (Fact, bool) { return Fact{}, f.FullName() == "sort.SearchInts" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.Analyze()
}

func TestUnitFacts(t *testing.T) {
	facts := map[string]Fact{}
	for f, x := range unitOf(t, unitSource).Facts() {
		facts[f.Name()] = x
	}
	for _, c := range []struct {
		name   string
		has    Sync
		hasNot Sync
		memory bool
		never  bool
	}{
		{"pure", 0, anything, false, false},
		{"quiet", 0, anything, false, false},
		{"reads", 0, anything &^ MayPanic, true, false},
		{"sends", MayRelease | MayAcquire | MayBlock, MaySpawn | CallsUnseen, false, false},
		{"calls", anything, 0, true, false},
		{"foreign", anything, 0, true, false},
		{"known", 0, anything, false, false},
		{"never", 0, MayRelease, false, true},
		{"locks", MayLock | MayRelease | MayAcquire, CallsUnseen | MaySpawn, true, false},
		{"loads", MayAcquire, MayRelease | CallsUnseen, true, false},
		{"own", 0, MayRelease | MayAcquire, false, false},
	} {
		f, ok := facts[c.name]
		if !ok {
			t.Errorf("%s: no fact", c.name)
			continue
		}
		if f.Sync&c.has != c.has || f.Sync&c.hasNot != 0 || f.Memory != c.memory || f.NeverReturns != c.never {
			t.Errorf("%s: sync %#x, memory %v, never returns %v; want %#x and not %#x, %v, %v", c.name, f.Sync, f.Memory, f.NeverReturns, c.has, c.hasNot, c.memory, c.never)
		}
	}
}

// TestUnitShared: packages that import the unit, and functions that it calls in other
// packages, may know the memory that it passes to them.
func TestUnitShared(t *testing.T) {
	a := unitOf(t, unitSource)
	p := a.Program().SSA.Package(a.Program().Packages[0].Types)
	if !a.SharedAt(a.Points.Points(p.Members["Open"].(*ssa.Global))) {
		t.Error("an exported variable is taken for the package's own")
	}
	shared := map[string]bool{}
	for _, s := range a.Sites.List {
		for _, c := range s.Accesses {
			if s.Key.Expr == "xs[0]" {
				shared[c.Fn.Name()] = a.SharedAt(a.Where(s, c))
			}
		}
	}
	if shared["own"] {
		t.Error("a slice that only one function knows is shared")
	}
	for _, b := range p.Func("given").Blocks {
		for _, in := range b.Instrs {
			if x, ok := in.(*ssa.Slice); ok && !a.SharedAt(a.Points.Elems(x)) {
				t.Error("a slice that was given to another package is taken for the function's own")
			}
		}
	}
}

// TestUnitMethods: a method of a library is not among the callees of a function value,
// even if its signature without the receiver is the same.
func TestUnitMethods(t *testing.T) {
	p := unitOf(t, `package unit

type box struct{ n *int }

func (b box) Take(p *int) { *b.n = *p }

func take(p *int) {}

func call(f func(*int), p *int) { f(p) }
`).Program()
	for _, in := range p.SSA.Package(p.Packages[0].Types).Func("call").Blocks[0].Instrs {
		if c, ok := in.(*ssa.Call); ok {
			if l := p.Unknown(c.Common()); len(l) != 1 || l[0].Name() != "take" {
				t.Errorf("the call may run %v, want take alone", l)
			}
			return
		}
	}
	t.Error("no call")
}

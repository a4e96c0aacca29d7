package ssapass

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
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

func Pure(n int) int { return n + 1 }
func Quiet(n int) int { return Pure(n) }
func Reads(b *box) int { return b.n }
func Sends(c chan int) { c <- 1 }
func Calls(f func()) { f() }
func Foreign() string { return strings.ToUpper("x") }
func Known() int { return sort.SearchInts(nil, 1) }
func Never() { for { Pure(1) } }
func Locks(mu *sync.Mutex) { mu.Lock(); mu.Unlock() }
func Loads(n *int64) int64 { return atomic.LoadInt64(n) }
func Own() int {
	xs := []int{1}
	return xs[0]
}
func Given() []int {
	xs := []int{1}
	sort.Ints(xs)
	return nil
}
`

// The types of the standard library are shared by the tests.
var (
	unitFset     = token.NewFileSet()
	unitImporter = importer.ForCompiler(unitFset, "source", nil)
)

// unlike returns the lines of src whose comment "want WORD" contradicts the answers. answers has
// the lines with an access, and whether WORD is to be the given word.
func unlike(src, word string, answers map[int]bool) (wrong []string) {
	for i, l := range strings.Split(src, "\n") {
		_, want, ok := strings.Cut(l, "// want ")
		if answer, found := answers[i+1]; ok && (!found || answer != (want == word)) {
			wrong = append(wrong, fmt.Sprintf("line %d: has an access %v, %s %v, want %s", i+1, found, word, answer, want))
		}
	}
	return wrong
}

// unitOf analyses a package alone, with a fact of sort.SearchInts only.
func unitOf(t *testing.T, src string) *Analysis { return unitIn(t, false, src) }

// unitIn is unitOf for a package that may be a main package.
func unitIn(t *testing.T, main bool, src string) *Analysis {
	t.Helper()
	u := checkUnit(t, unitFset, unitImporter, "unit", src)
	u.Main = main
	u.Fact = func(f *types.Func) (Fact, bool) { return Fact{}, f.FullName() == "sort.SearchInts" }
	return analyzeUnits(t, u)
}

// checkUnit returns a package of one file as a unit.
func checkUnit(t *testing.T, fset *token.FileSet, imp types.Importer, path, src string) *Unit {
	t.Helper()
	f, err := parser.ParseFile(fset, path+".go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := NewInfo(0)
	pkg, err := (&types.Config{Importer: imp}).Check(path, fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return &Unit{
		Fset: fset, Files: []*ast.File{f}, Texts: [][]byte{[]byte(src)}, Path: path, Pkg: pkg, Info: info, Module: &packages.Module{Path: path},
	}
}

// analyzeUnits analyses packages together.
func analyzeUnits(t *testing.T, list ...*Unit) *Analysis {
	t.Helper()
	p, err := LoadUnits(list)
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
		{"Pure", 0, anything, false, false},
		{"Quiet", 0, anything, false, false},
		{"Reads", 0, anything &^ MayPanic, false, false},
		{"Sends", MayRelease | MayAcquire | MayBlock, MaySpawn | CallsUnseen, false, false},
		{"Calls", anything, 0, true, false},
		{"Foreign", anything, 0, true, false},
		{"Known", 0, anything, false, false},
		{"Never", 0, MayRelease, false, true},
		{"Locks", MayLock | MayRelease | MayAcquire, CallsUnseen | MaySpawn, false, false},
		{"Loads", MayAcquire, MayRelease | CallsUnseen, false, false},
		{"Own", 0, MayRelease | MayAcquire, false, false},
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
	if shared["Own"] {
		t.Error("a slice that only one function knows is shared")
	}
	for in := range instrs.Of(p.Func("Given")) {
		if x, ok := in.(*ssa.Slice); ok && !a.SharedAt(a.Points.Elems(x)) {
			t.Error("a slice that was given to another package is taken for the function's own")
		}
	}
}

// TestUnitMethods: a method of a library is not among the callees of a function value,
// even if its signature without the receiver is the same.
func TestUnitMethods(t *testing.T) {
	p := unitOf(t, `package unit

type box struct{ n *int }

func (b box) Take(p *int) { *b.n = *p }

func Plain(p *int) {}

func Call(f func(*int), p *int) { f(p) }
`).Program()
	for _, in := range p.SSA.Package(p.Packages[0].Types).Func("Call").Blocks[0].Instrs {
		if c, ok := in.(*ssa.Call); ok {
			if l := p.Unknown(c.Common()); len(l) != 1 || l[0].Name() != "Plain" {
				t.Errorf("the call may run %v, want Plain alone", l)
			}
			return
		}
	}
	t.Error("no call")
}

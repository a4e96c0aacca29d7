package ssapass

import (
	"go/types"
	"strings"
	"testing"
)

// unitsOf analyses packages together, each given as its path and its source, dependencies first.
func unitsOf(t *testing.T, main bool, sources ...[2]string) *Analysis {
	t.Helper()
	checked := map[string]*types.Package{}
	imp := importerFunc(func(path string) (*types.Package, error) {
		if p := checked[path]; p != nil {
			return p, nil
		}
		return unitImporter.Import(path)
	})
	var list []*Unit
	for _, s := range sources {
		u := checkUnit(t, unitFset, imp, s[0], s[1])
		u.Main = main
		checked[s[0]] = u.Pkg
		list = append(list, u)
	}
	return analyzeUnits(t, list...)
}

// sharedIn returns, by line of the package's file, whether other tasks may reach the memory of all
// accesses there.
func sharedIn(a *Analysis, path string) map[int]bool {
	lines := map[int]bool{}
	for _, s := range a.Sites.List {
		if s.Pkg.Path() != path || len(s.Accesses) == 0 {
			continue
		}
		shared := true
		for _, c := range s.Accesses {
			shared = shared && a.SharedAt(a.Where(s, c))
		}
		lines[s.Key.Line] = lines[s.Key.Line] || shared
	}
	return lines
}

// TestUnits: an exported function of a member has all its callers in sight, if nobody else
// imports the members.
func TestUnits(t *testing.T) {
	lib := `package lib

type Box struct{ N int }

func Fill(b *Box) {
	b.N = 1 // want own
}

func Share(b *Box) {
	b.N = 2 // want shared
}

var Kept *Box
`
	main := `package main

import "lib"

func main() {
	b := &lib.Box{}
	lib.Fill(b)
	c := &lib.Box{}
	lib.Share(c)
	go lib.Share(c)
	lib.Kept = &lib.Box{}
}
`
	for _, is := range []struct {
		main bool
		want string
	}{{true, lib}, {false, strings.ReplaceAll(lib, "want own", "want shared")}} {
		a := unitsOf(t, is.main, [2]string{"lib", lib}, [2]string{"main", main})
		for _, w := range unlike(is.want, "shared", sharedIn(a, "lib")) {
			t.Errorf("main %v: %s", is.main, w)
		}
	}
}

// TestUnitsLinked: the body of a function may be in another member.
func TestUnitsLinked(t *testing.T) {
	a := unitsOf(t, true, [2]string{"lib", `package lib

import _ "unsafe"

type Box struct{ N int }

//go:linkname fill main.fill
func fill(b *Box)

func Fill(b *Box) { fill(b) }
`}, [2]string{"main", `package main

import (
	"lib"
	_ "unsafe"
)

//go:linkname fill
func fill(b *lib.Box) {
	b.N = 1
	go func() { b.N = 2 }()
}

func main() { lib.Fill(&lib.Box{}) }
`})
	f := a.prog.SSA.FuncValue(a.prog.Packages[0].Types.Scope().Lookup("Fill").(*types.Func))
	if s := a.Summary(f).Sync; s&MaySpawn == 0 || s&CallsUnseen != 0 {
		t.Errorf("Fill: sync %#x; want a task, and no unseen call", s)
	}
}

// TestUnitsInit: a task of one package's initializer runs beside the initializer of a package that
// neither imports, whatever the order of the imports is.
func TestUnitsInit(t *testing.T) {
	base := [2]string{"base", `package base

var N int
`}
	starter := [2]string{"starter", `package starter

import "base"

func init() {
	go func() { println(base.N) }()
}
`}
	reader := `package reader

import "base"

func init() {
	base.N = 1
}
`
	for _, order := range []string{"import (_ \"reader\"; _ \"starter\")", "import (_ \"starter\"; _ \"reader\")"} {
		a := unitsOf(t, true, base, starter, [2]string{"reader", reader}, [2]string{"main", "package main\n" + order + "\nfunc main() {}\n"})
		found := false
		for _, s := range a.Sites.List {
			if s.Pkg.Path() == "reader" && len(s.Accesses) > 0 {
				found = true
				if !a.WrittenInParallel(a.Where(s, s.Accesses[0])) {
					t.Errorf("%s: %s at line %d counts as written while no other task is live", order, s.Key.Expr, s.Key.Line)
				}
			}
		}
		if !found {
			t.Error("no access in reader")
		}
	}
}

// TestDeepFunctionValues: the keys of closures of closures have a bound.
func TestDeepFunctionValues(t *testing.T) {
	a := unitIn(t, true, `package main

func walk(f, g func()) {
	walk(func() { f(); g() }, func() { g(); f() })
}

func main() { walk(func() {}, func() {}) }
`)
	r, f := a.newRegions(), a.prog.funcs[0]
	v := r.value(f, nil)
	for range 100 {
		v = r.value(f, []*funcValue{v, v})
		if len(v.key) > 1200 {
			t.Fatalf("a key of %d bytes", len(v.key))
		}
	}
}

// TestPrivateToTasks: a function literal that is the argument of WaitGroup.Go or Once.Do makes its
// variables known, and nothing else does so before.
func TestPrivateToTasks(t *testing.T) {
	src := `package unit

import "sync"

func F(n int) {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ { // want private
		wg.Go(func() { println(i) })
	}
	x := 0
	x++ // want private
	var once sync.Once
	once.Do(func() { println(x) })
	x++ // want known
	y := 0
	y++ // want known
	keep(func() { println(y) })
	y++ // want known
	wg.Wait()
}

var kept func()

func keep(f func()) { kept = f }
`
	a := unitOf(t, src)
	lines := map[int]bool{}
	for _, s := range a.Sites.List {
		if s.Key.Write && len(s.Accesses) > 0 && s.Key.Expr != "kept" {
			lines[s.Key.Line] = true
			for _, c := range s.Accesses {
				lines[s.Key.Line] = lines[s.Key.Line] && a.Private(c.Instr)
			}
		}
	}
	for _, w := range unlike(src, "private", lines) {
		t.Error(w)
	}
}

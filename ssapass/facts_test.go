package ssapass

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/gcexportdata"
)

// A chained package is analyzed by itself, with the inputs of its compilation: the types of
// its imports come from export data, and their facts from bytes.
type chained struct {
	export, facts []byte
	analysis      *Analysis
}

// analyzeChained analyses the package; its imports are looked up by path among those
// analysed before.
func analyzeChained(t *testing.T, done map[string]*chained, path, src string) *chained {
	t.Helper()
	fset := token.NewFileSet()
	var known Facts
	loaded := map[string]*types.Package{}
	imp := importerFunc(func(p string) (*types.Package, error) {
		if p == "unsafe" {
			return types.Unsafe, nil
		}
		from := done[p]
		if from == nil {
			return nil, fmt.Errorf("no package %s", p)
		}
		facts, err := DecodeFacts(from.facts)
		if err != nil {
			return nil, err
		}
		known.Merge(facts)
		return gcexportdata.Read(bytes.NewReader(from.export), fset, loaded, p)
	})
	u := checkUnit(t, fset, imp, path, src)
	u.Fact = known.Of
	c := &chained{analysis: analyzeUnits(t, u)}
	c.facts = c.analysis.Exported().Encode()
	var export bytes.Buffer
	if err := gcexportdata.Write(&export, fset, u.Pkg); err != nil {
		t.Fatal(err)
	}
	c.export = export.Bytes()
	done[path] = c
	return c
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// TestFactsChain: package c imports b alone, and calls methods of a that b's types
// lead to.
func TestFactsChain(t *testing.T) {
	done := map[string]*chained{}
	analyzeChained(t, done, "a", `package a

type T struct{ n int }

func (t *T) Quiet() int { return t.n }

func (t *T) Loud(c chan int) { c <- t.n }

type Far struct{ n int }

func (f *Far) Quiet() int { return f.n }

type Generic[E any] struct{ e E }

func (g *Generic[E]) Quiet() {}

func hidden() {}
`)
	b := analyzeChained(t, done, "b", `package b

import "a"

type holder struct{ inner []map[string]func() *a.T }

var Exported holder

func Get() *a.T { return new(a.T) }

func All() (h holder) { return h }

var far a.Far

func use() int { return far.Quiet() }
`)
	facts, err := DecodeFacts(b.facts)
	if err != nil {
		t.Fatal(err)
	}
	list := facts.String()
	for _, has := range []string{"a.T:", "b.Get: sync 0x0, () fresh|0\n", "b.All: "} {
		if !strings.Contains(list, has) {
			t.Errorf("b passes on no fact of %s:\n%s", has, list)
		}
	}
	for _, not := range []string{"a.Far", "hidden", "b.use", "a.hidden"} {
		if strings.Contains(list, not) {
			t.Errorf("b passes on a fact of %s, which no importer can call:\n%s", not, list)
		}
	}
	c := analyzeChained(t, done, "c", `package c

import "b"

func Quiet() int { return b.Get().Quiet() }

func Loud(c chan int) { b.Get().Loud(c) }
`)
	got := map[string]Fact{}
	for f, x := range c.analysis.Facts() {
		got[f.Name()] = x
	}
	if x := got["Quiet"]; x.Sync&^MayPanic != 0 {
		t.Errorf("Quiet: sync %#x, want none", x.Sync)
	}
	if x := got["Loud"]; x.Sync&MayRelease == 0 || x.Sync&CallsUnseen != 0 {
		t.Errorf("Loud: sync %#x, want a release and no external code", x.Sync)
	}
}

// TestFactsClones: a compiled package has clones of methods, of which its source knows nothing. The
// facts of the other methods are still theirs.
func TestFactsClones(t *testing.T) {
	done := map[string]*chained{}
	analyzeChained(t, done, "a", `package a

type T struct{ n int }

func (t *T) First() int { return t.n }

func (t *T) Loud(c chan int) { c <- t.n }

func (t *T) Last(c chan int) { <-c }

func (t *T) Quiet() int { return t.n }
`)
	fset := token.NewFileSet()
	u := checkUnit(t, fset, nil, "a", `package a

type T struct{ n int }

func (t *T) First() int { return t.n }; func (t *T) _ti_c_First() int { return t.n }; func (t *T) _ti_c1_First() int { return t.n }

func (t *T) Loud(c chan int) { c <- t.n }

func (t *T) Last(c chan int) { <-c }

func (t *T) Quiet() int { return t.n }
`)
	var export bytes.Buffer
	if err := gcexportdata.Write(&export, fset, u.Pkg); err != nil {
		t.Fatal(err)
	}
	done["a"].export = export.Bytes()
	b := analyzeChained(t, done, "b", `package b

import "a"

func Loud(t *a.T, c chan int) { t.Loud(c) }

func Quiet(t *a.T) int { return t.Quiet() }

func Last(t *a.T, c chan int) { t.Last(c) }
`)
	want := map[string]Sync{"Loud": MayRelease, "Quiet": 0, "Last": MayAcquire}
	for f, x := range b.analysis.Facts() {
		if x.Sync&CallsUnseen != 0 || x.Sync&want[f.Name()] != want[f.Name()] || want[f.Name()] == 0 && x.Sync&^MayPanic != 0 {
			t.Errorf("%s: sync %#x, want %#x", f.Name(), x.Sync, want[f.Name()])
		}
	}
}

// TestFactsBytes: equal facts give equal bytes, damaged bytes are an error, bytes of another
// version are no facts.
func TestFactsBytes(t *testing.T) {
	src := "package p\n\n"
	for i := range 30 {
		src += fmt.Sprintf("func F%d(p *int) { *p = %d }\n", i, i)
	}
	first := analyzeChained(t, map[string]*chained{}, "p", src).facts
	if again := analyzeChained(t, map[string]*chained{}, "p", src).facts; !bytes.Equal(first, again) {
		t.Error("the same package has other bytes the second time")
	}
	f, err := DecodeFacts(first)
	if err != nil || f.Len() != 30 {
		t.Fatalf("%d functions, %v", f.Len(), err)
	}
	if !bytes.Equal(f.Encode(), first) {
		t.Error("encoding what was decoded gives other bytes")
	}
	for i := len(factsVersion); i < len(first); i++ {
		if _, err := DecodeFacts(first[:i]); err == nil {
			t.Errorf("cut at %d of %d: no error", i, len(first))
		}
	}
	for _, other := range []string{"", "taskinstr facts 0\nx", "something else"} {
		if f, err := DecodeFacts([]byte(other)); err != nil || f.Len() != 0 {
			t.Errorf("%q: %d functions, %v", other, f.Len(), err)
		}
	}
}

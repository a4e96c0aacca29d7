package ssapass

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// leanProgram has tables, a loop over elements, a method that reflection alone calls, and
// tasks that meet in tables.
var leanProgram = map[string]string{
	"main.go": `package main

import (
	"fmt"
	"os"
	"reflect"
	"text/template"
	"unicode"
	"m/table"
)

type T struct{ n int }

func (t *T) Hidden() int { t.n++; return t.n }

func main() {
	t := &T{}
	done := make(chan bool)
	go func() {
		for _, p := range table.Pointers {
			*p++
		}
		for _, r := range table.Rows {
			t.n += r.A + table.Names[r.Name]
		}
		done <- true
	}()
	for i := range table.Rows {
		table.Rows[i].A++
	}
	*table.Pointers[0] = 1
	fmt.Println(table.Numbers[t.n&7], table.Any[1], unicode.IsLetter(rune(t.n)))
	<-done
	m, _ := reflect.TypeOf(t).MethodByName("Hidden")
	m.Func.Call([]reflect.Value{reflect.ValueOf(t)})
	template.Must(template.New("").Parse("{{.Hidden}}")).Execute(os.Stdout, t)
}
`,
	"table/table.go": `package table

type Row struct {
	A, B int
	Name string
}

var x, y = new(int), new(int)

var Numbers = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

var Rows = []Row{
	{1, 2, "a"}, {2, 3, "b"}, {A: 3}, {A: 4}, {A: 5, B: 6}, {5, 6, "c"}, {7, 8, "d"}, {8, 9, "e"}, {B: len(*name())},
}

var Names = map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8, "i": 9}

var Any = []any{1, 2, 3, "a", "b", "c", 1.5, x, y}

var Pointers = []*int{x, x, x, x, x, x, x, x, y}

func name() *string { s := "name"; return &s }
`,
}

// TestLean compares the facts of a program that is loaded lean with those of the whole
// program, and the functions that may run.
func TestLean(t *testing.T) {
	dir := module(t, leanProgram)
	describe := func(lean bool) (sites, funcs []string) {
		phases := []string{}
		p := loadBy(t, Config{Dir: dir, Patterns: []string{"."}, Lean: lean, Phase: func(name string) { phases = append(phases, name) }})
		if slices.Contains(phases, "load again") {
			t.Error("the bodies that reflection may call were left out at first")
		}
		a := p.Analyze()
		for _, s := range a.Sites.List {
			if strings.HasPrefix(s.Key.File, dir) {
				sites = append(sites, fmt.Sprintf("%s:%d:%d %s write %v elems %v, %d accesses: %s",
					s.Key.File[len(dir):], s.Key.Line, s.Key.Col, s.Key.Expr, s.Key.Write, s.Key.Elems, len(s.Accesses), facts(a, s)))
			}
		}
		for _, f := range p.Functions() {
			if !below(f, "slices") && !below(f, "cmp") { // see standIns
				funcs = append(funcs, f.String())
			}
		}
		slices.Sort(sites)
		slices.Sort(funcs)
		return sites, slices.Compact(funcs)
	}
	wantSites, wantFuncs := describe(false)
	gotSites, gotFuncs := describe(true)
	compare := func(what string, got, want []string) {
		for _, s := range want {
			if _, ok := slices.BinarySearch(got, s); !ok {
				t.Errorf("%s: lean loading lacks %s", what, s)
			}
		}
		for _, s := range got {
			if _, ok := slices.BinarySearch(want, s); !ok {
				t.Errorf("%s: lean loading adds %s", what, s)
			}
		}
	}
	compare("sites", gotSites, wantSites)
	compare("functions", gotFuncs, wantFuncs)
	if len(wantSites) < 20 {
		t.Errorf("%d sites", len(wantSites))
	}
}

// below reports whether a package declares f or the generic function of which f is an
// instance.
func below(f *ssa.Function, path string) bool {
	pkg := packageOf(f)
	return pkg != nil && pkg.Path() == path
}

// TestShorten counts the stores of tables.
func TestShorten(t *testing.T) {
	dir := module(t, leanProgram)
	p := loadBy(t, Config{Dir: dir, Patterns: []string{"."}, Lean: true})
	got := map[string]int{}
	for _, f := range p.Functions() {
		if f.String() != "m/table.init" {
			continue
		}
		for in := range instrs.Of(f) {
			switch in := in.(type) {
			case *ssa.IndexAddr:
				got[in.X.Type().String()]++
			case *ssa.MapUpdate:
				got["map"]++
			}
		}
	}
	want := map[string]int{
		"*[10]int": 1, // all numbers have one shape
		"*[9]*int": 9, // pointers
		"*[9]any":  9, // each is an object
		// {A, B, Name}, {A}, {A, B}, and the row that a call fills; the slice is shorter
		"*[4]m/table.Row": 4,
		"map":             1,
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: %d elements of %v, want %d", k, got[k], got, n)
		}
	}
}

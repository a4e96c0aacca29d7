package ssapass

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// sortProgram sorts pointers with functions that write.
var sortProgram = map[string]string{
	"main.go": `package main

import (
	"cmp"
	"slices"
)

type T struct{ key, compared int }

// In package slices a stable sort calls functions of the other sort. So a second sort of T
// would have more facts with stand-ins.
type U struct{ key, compared int }

func compare(a, b *T) int {
	a.compared++
	return cmp.Compare(a.key, b.key)
}

func compareStable(a, b *U) int {
	b.compared++
	return cmp.Compare(a.key, b.key)
}

func main() {
	list := []*T{{key: 2}, {key: 1}}
	local := []*U{{key: 4}, {key: 3}}
	numbers := []int{3, 2, 1}
	done := make(chan bool)
	go func() {
		slices.SortFunc(list, compare)
		slices.Sort(numbers)
		done <- true
	}()
	list[0].key = numbers[0]
	<-done
	slices.SortStableFunc(local, compareStable)
	local[0].key++
}
`,
}

// TestStandIns loads a program that sorts twice, with stand-ins and with the bodies of package
// slices. Both programs must have the same facts.
func TestStandIns(t *testing.T) {
	dir := module(t, sortProgram)
	load := func(lean bool) (sites []string, sizes map[string]int) {
		p := loadBy(t, Config{Dir: dir, Patterns: []string{"."}, Lean: lean})
		a := p.Analyze()
		for _, s := range a.Sites.List {
			if strings.HasPrefix(s.Key.File, dir) {
				sites = append(sites, fmt.Sprintf("%d:%d %s write %v: %s", s.Key.Line, s.Key.Col, s.Key.Expr, s.Key.Write, facts(a, s)))
			}
		}
		slices.Sort(sites)
		sizes = map[string]int{}
		for _, f := range p.Functions() {
			if o := f.Origin(); o != nil && o.Pkg != nil && o.Pkg.Pkg.Path() == "slices" {
				sizes[o.Name()] += instructions(f)
			}
		}
		return sites, sizes
	}
	want, whole := load(false)
	got, short := load(true)
	if !slices.Equal(got, want) {
		t.Errorf("with stand-ins:\n%s\nwithout:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(want) < 10 {
		t.Errorf("%d sites", len(want))
	}
	for name := range standIns {
		const most = 30
		if whole[name] <= most || short[name] == 0 || short[name] > most {
			t.Errorf("%s: %d instructions, with a stand-in %d", name, whole[name], short[name])
		}
	}
}

func instructions(f *ssa.Function) (n int) {
	for _, b := range f.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// TestWithoutStandIn replaces one body and leaves out another: no line gets another number.
func TestWithoutStandIn(t *testing.T) {
	const text = "package p\n\nfunc f() {\n\tx()\n\tlonger(1, 2)\n}\n\nfunc g() { y() }\n"
	body := func(from string, standIn string) bodyText {
		start := strings.Index(text, from) + strings.Index(text[strings.Index(text, from):], "{")
		return bodyText{start: start, end: start + strings.Index(text[start:], "}") + 1, standIn: standIn}
	}
	got := string(without([]byte(text), []bodyText{body("func f", "s(a, b)"), body("func g", "")}))
	want := "package p\n\nfunc f() {\n    \ns(a, b)      \n}\n\nfunc g()        \n"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

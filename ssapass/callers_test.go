package ssapass

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

const callersSource = `package main

import "fmt"

type T struct{ n int }

func (t *T) static() {}
func (t *T) asked()  {}

type U struct{}

func (U) String() string { return "U" } // for the runtime, when the program dies

func once()     {}
func twice()    {}
func started()  {}
func deferred() {}
func taken()    {}
func nobody()   {}
func again(n int) {
	if n > 0 {
		again(n - 1)
	}
}
func generic[E any](E) {}

type asker interface{ asked() }

func main() {
	t := &T{}
	t.static()
	t.asked()
	asker(t).asked()
	_ = U{}.String()
	once()
	twice()
	twice()
	go started()
	defer deferred()
	f := taken
	taken()
	again(3)
	generic(1)
	fmt.Print(f)
	func() { println(1) }()
	if t.n > 0 {
		main()
	}
}
`

// TestCallers: a function whose callers are all known is called by name only.
func TestCallers(t *testing.T) {
	p := load(t, module(t, map[string]string{"main.go": callersSource}), false, ".")
	a := p.Analyze()
	byName := map[string]*ssa.Function{}
	for _, f := range p.Functions() {
		if pkg := packageOf(f); pkg != nil && pkg.Name() == "main" && f.Synthetic != "package initializer" {
			byName[f.Name()] = f
		}
	}
	for _, tt := range []struct {
		name  string
		calls int
		all   bool
	}{
		{"static", 1, true}, {"asked", 2, false}, {"String", 1, false}, {"once", 1, true}, {"twice", 2, true}, {"started", 1, true},
		{"deferred", 1, true}, {"taken", 1, false}, {"again", 2, true}, {"generic[int]", 1, true}, {"main$1", 1, true}, {"main", 1, false},
	} {
		f := byName[tt.name]
		if f == nil {
			t.Errorf("no function %s", tt.name)
			continue
		}
		if calls, all := a.Callers(f); len(calls) != tt.calls || all != tt.all {
			t.Errorf("%s: %d calls, all %v; want %d, %v", tt.name, len(calls), all, tt.calls, tt.all)
		}
	}
}

package ssapass

import (
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestUnitLinkname: go:linkname hands unexported functions and variables to external
// code.
func TestUnitLinkname(t *testing.T) {
	p := unitOf(t, `package unit

import _ "unsafe"

type box struct{ n int }

//go:linkname handed
func handed(b *box) { b.n = 1 }

//go:linkname renamed other.renamed
func renamed(b *box) { b.n = 2 }

func own(b *box) { b.n = 3 }

//go:linkname state
var state = &box{}

var mine = &box{}

func Use() int { own(mine); return state.n + mine.n }
`).Program()
	opens(t, p, map[string]bool{"handed": true, "renamed": true, "own": false}, map[string]bool{"state": true, "mine": false})
}

// opens tests which functions external code calls, and which variables it uses.
func opens(t *testing.T, p *Program, funcs, vars map[string]bool) {
	t.Helper()
	s := p.SSA.Package(p.Packages[0].Types)
	entered := map[string]bool{}
	for _, f := range p.entries {
		entered[f.Name()] = true
	}
	for name, want := range funcs {
		if entered[name] != want {
			t.Errorf("external code calls %s: %v, want %v", name, entered[name], want)
		}
	}
	for name, want := range vars {
		if got := p.open(s.Members[name].(*ssa.Global)); got != want {
			t.Errorf("external code uses %s: %v, want %v", name, got, want)
		}
	}
}

// TestUnitGenerics: an instance that another package makes of a generic function may use
// everything that the function's body names.
func TestUnitGenerics(t *testing.T) {
	p := unitOf(t, `package unit

type box struct{ n int }

func (b *box) grow() { b.n++ }
func (b *box) shrink() { b.n-- }

type list[E any] struct{ e []E }

func (l *list[E]) Add(e E) {
	state.grow()
	helper(state)
	l.e = append(l.e, e)
}

func Each[E any](f func(E), e E) { count = count + 1; f(e); other[E](e) }

func other[E any](e E) {}

func helper(b *box) { b.n = 1 }
func own(b *box)    { b.shrink() }

var state, mine = &box{}, &box{}
var count int

func Use() int { own(mine); return state.n + mine.n + count }
`).Program()
	opens(t, p, map[string]bool{"grow": true, "helper": true, "own": false, "shrink": false, "other": false}, map[string]bool{"state": true, "count": true, "mine": false})
}

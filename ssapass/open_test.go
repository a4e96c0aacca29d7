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
	s := p.SSA.Package(p.Packages[0].Types)
	entered := map[string]bool{}
	for _, f := range p.entries {
		entered[f.Name()] = true
	}
	for name, want := range map[string]bool{"handed": true, "renamed": true, "own": false} {
		if entered[name] != want {
			t.Errorf("external code calls %s: %v, want %v", name, entered[name], want)
		}
	}
	for name, want := range map[string]bool{"state": true, "mine": false} {
		if got := p.open(s.Members[name].(*ssa.Global)); got != want {
			t.Errorf("external code names %s: %v, want %v", name, got, want)
		}
	}
}

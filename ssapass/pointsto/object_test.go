package pointsto

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestDataTypes asks for types that are met by many ways: 2 to the power of 60 for the first
// of the chain.
func TestDataTypes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`package p
type data struct { next *data; other map[string][]data }
type printer struct { n int }
func (printer) String() string { return "" }
type mixed struct { a, b *data; list []struct { c *mixed; d *printer } }
type last struct { n int }
`)
	const n = 60
	name := func(i int) string {
		if i == n {
			return "last"
		}
		return "chain" + strings.Repeat("x", i)
	}
	for i := range n {
		b.WriteString("type " + name(i) + " struct { a *" + name(i+1) + "; b []" + name(i+1) + " }\n")
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", b.String(), 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &solver{dataTypes: map[types.Type]bool{}}
	for name, want := range map[string]bool{"data": true, "printer": false, "mixed": false, "last": true, name(0): true} {
		if got := s.isData(pkg.Scope().Lookup(name).Type()); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

package gather

import (
	"go/ast"
	"go/parser"
	"testing"
)

// TestLoops: a function has the loops among its own statements, however deep, and no others.
func TestLoops(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{"", false},
		{"f(a[0], func() { for { } })", false},
		{"defer func() { for range a { } }()", false},
		{"x := map[int]func(){0: func() { for { } }}; _ = x", false},
		{"for { }", true},
		{"for i := range a { _ = i }", true},
		{"if x { switch { case y: select { default: L: for { break L } } } }", true},
		{"func() { }(); { for range a { } }", true},
	} {
		e, err := parser.ParseExpr("func() { " + c.body + " }")
		if err != nil {
			t.Fatal(err)
		}
		if got := loops(e.(*ast.FuncLit).Body); got != c.want {
			t.Errorf("%s: %t, want %t", c.body, got, c.want)
		}
	}
}

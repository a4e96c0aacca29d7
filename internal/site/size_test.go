package site

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// body returns the body of function f in a file.
func body(t *testing.T, text string) *ast.BlockStmt {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == "f" {
			return d.Body
		}
	}
	t.Fatal("no function f")
	return nil
}

func TestDefers(t *testing.T) {
	returns := func(n int) string { return strings.Repeat("if a { return };", n) }
	for _, tt := range []struct {
		name, body string
		want       bool
	}{
		{"one return", returns(1), true},
		{"as many returns as the compiler codes", returns(14), true},
		{"more returns", returns(15), false},
		{"a deferred call", "defer g();" + returns(6), true},
		{"a deferred call and more returns", "defer g();" + returns(7), false},
		{"returns of a literal", "g(func() {" + returns(20) + "})", true},
		{"a deferred call in a block", "if a { defer g() }", false},
		{"a big function", strings.Repeat("p.x[1] = p.y;", 400), false},
	} {
		if got := Defers(body(t, "package x; func f() {"+tt.body+"}")); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestBig compiles a function with checks that is not big, and a function twice as large as
// a big one. The compiler inlines checks into the first one alone.
func TestBig(t *testing.T) {
	const check = "*check(&p.x) = *check(&p.y);"
	text := func(n int, stmt string) string {
		return `package x
type node struct { x, y int }
func slow(p *int)
//go:nosplit
func check(p *int) *int { slow(p); return p }
func f(p *node) {` + strings.Repeat(stmt, n) + "}\n"
	}
	inlined := func(n int) bool {
		dir := t.TempDir()
		name := filepath.Join(dir, "x.go")
		if err := os.WriteFile(name, []byte(text(n, check)), 0o666); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "compile", "-p", "x", "-m", "-o", filepath.Join(dir, "x.a"), name).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Contains(string(out), "inlining call to check")
	}
	// A user's statement has no calls: the size of the checks is an estimate.
	n := 1
	for !Big(body(t, text(n, "p.x = p.y;"))) {
		n++
	}
	if !inlined(n / 4) {
		t.Errorf("the compiler inlines no checks into a function of %d statements, a quarter of a big one", n/4)
	}
	if inlined(2 * n) {
		t.Errorf("the compiler inlines checks into a function of %d statements, twice a big one", 2*n)
	}
}

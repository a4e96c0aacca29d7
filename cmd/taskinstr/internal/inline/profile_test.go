package inline

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"strings"
	"testing"
)

// checked type-checks a package of one file.
func checked(t *testing.T, path, src string) Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check(path, fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	return Package{Fset: fset, Files: []*ast.File{f}, Path: path, Types: pkg, Info: info}
}

const profiled = `package x

type T struct{ a int }

func (t *T) Get() int { return t.a }

func Two(t *T) int {
	n := t.Get()
	return n + t.Get()
}

//go:noinline
func kept(t *T) int { return t.a }

func recovers() { recover() }

func literals(t *T, all func(func(int) bool)) {
	f := func() int {
		g := func() int { return t.Get() }
		return g() + kept(t)
	}
	for range all {
		go func() { Two(t) }()
		t.Get()
	}
	recovers()
	f()
}

func init() {}

func init() {
	defer print()
	new(T).Get()
}

func generic[P any](p P) P { return p }

//go:nosplit
func unsplit(t *T) int { return Two(t) }

//go:nosplit
//go:norace
func unsplitBare(t *T) int { return Two(t) }
`

func TestAnalyze(t *testing.T) {
	r := Analyze(checked(t, "a.b/x.y", profiled), nil, Unproven{})
	want := `GO PREPROFILE V1
a.b/x%2ey.(*T).Get
a.b/x%2ey.(*T).Get
0 1
a.b/x%2ey.Two
a.b/x%2ey.Two
0 1
a.b/x%2ey.Two
-
1 1
a.b/x%2ey.Two
-
2 1
a.b/x%2ey.literals.func1.1
-
0 1
a.b/x%2ey.literals.func1
-
1 1
a.b/x%2ey.literals
-
2 1
a.b/x%2ey.literals.func2
-
0 1
a.b/x%2ey.literals.func2
-
-15 1
a.b/x%2ey.literals.func2
-
-14 1
a.b/x%2ey.literals-range1.1
-
0 1
a.b/x%2ey.literals-range1.1
-
-15 1
a.b/x%2ey.literals-range1.1
-
-14 1
a.b/x%2ey.literals-range1
-
1 1
a.b/x%2ey.literals-range1
-
-14 1
a.b/x%2ey.literals-range1
-
-13 1
a.b/x%2ey.literals
-
6 1
a.b/x%2ey.literals
-
-9 1
a.b/x%2ey.literals
-
-8 1
a.b/x%2ey.literals-range1
-
2 1
a.b/x%2ey.literals
-
7 1
a.b/x%2ey.init.0
a.b/x%2ey.init.0
0 1
a.b/x%2ey.init.1
-
2 1
a.b/x%2ey.unsplit
a.b/x%2ey.unsplit
0 1
a.b/x%2ey.unsplitBare
a.b/x%2ey.unsplitBare
0 1
`
	if string(r.Profile) != want {
		t.Errorf("profile:\n%swant:\n%s", r.Profile, want)
	}
	text := "a.b/x%2ey.(*T).Get\t3\na.b/x%2ey.Two\t17 8 9\n"
	if got := string(r.Facts.Encode()); got != text {
		t.Errorf("facts:\n%swant:\n%s", got, text)
	}
	facts := Facts{}
	if err := facts.Add([]byte(text)); err != nil || !maps.EqualFunc(facts, r.Facts, func(a, b Func) bool { return a.Cost == b.Cost && len(a.Lines) == len(b.Lines) }) {
		t.Errorf("facts do not come back: %v, %v", facts, err)
	}
	if err := facts.Add([]byte("f\tmuch\n")); err == nil {
		t.Error("facts with a word for a number are no error")
	}
}

// TestImports asks for the calls of an imported function, and for those in its body.
func TestImports(t *testing.T) {
	p := checked(t, "main", "package main\n\nimport \"strings\"\n\nfunc main() {\n\tdefer print()\n\tprint(strings.TrimSpace(\"x\"))\n}\n")
	r := Analyze(p, Facts{"strings.TrimSpace": {Cost: 70, Lines: []int{3, 1000}}}, Unproven{})
	for _, want := range []string{"main.main\n-\n2 1\n", "main.main\n-\n-2 1\n", "main.main\n-\n995 1\n"} {
		if !strings.Contains(string(r.Profile), want) {
			t.Errorf("no edge %q in\n%s", want, r.Profile)
		}
	}
	if r := Analyze(p, nil, Unproven{}); r.Profile != nil {
		t.Errorf("a profile without facts:\n%s", r.Profile)
	}
}

// TestAnalyzeCopied: a copy is inlined as its function is, and so are the functions that it calls.
func TestAnalyzeCopied(t *testing.T) {
	p := checked(t, "x", profiled)
	p.Copied = func(d *ast.FuncDecl) bool { return d.Name.Name == "Get" || d.Name.Name == "Two" }
	text := string(Analyze(p, nil, Unproven{}).Profile)
	for _, want := range []string{"x.(*T).Getꞏcopy\nx.(*T).Getꞏcopy\n0 1\n", "x.Twoꞏcopy\n-\n1 1\n", "x.Twoꞏcopy\n-\n2 1\n", "x.Two\n-\n1 1\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

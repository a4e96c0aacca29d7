package passtest

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"

	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// Analyze loads and analyses the packages in dir that match the patterns.
func Analyze(t testing.TB, dir string, patterns ...string) *ssapass.Analysis {
	t.Helper()
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Patterns: patterns, Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod")})
	if err != nil {
		t.Fatal(err)
	}
	return p.Analyze()
}

// Program writes a main package m of one file and analyses it.
func Program(t testing.TB, name, text string) *ssapass.Analysis {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module m\n\ngo 1.25\n")
	write(t, dir, name, text)
	return Analyze(t, dir, ".")
}

// All units have the same imports, which are read from source once.
var (
	fset    = token.NewFileSet()
	imports = importer.ForCompiler(fset, "source", nil)
)

// Unit analyses a package of one file by itself. Its imports are external code without facts.
func Unit(t testing.TB, name, text string) *ssapass.Analysis {
	t.Helper()
	f, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	const path = "m"
	info := ssapass.NewInfo(len(text))
	info.Scopes = map[ast.Node]*types.Scope{}
	conf := types.Config{Importer: imports}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, info)
	if err != nil {
		t.Fatal(err)
	}
	p, err := ssapass.LoadUnit(ssapass.Unit{
		Fset: fset, Files: []*ast.File{f}, Texts: [][]byte{[]byte(text)}, Path: path, Pkg: pkg, Info: info, Sizes: types.SizesFor("gc", "amd64"),
		Module: &packages.Module{Path: path},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p.Analyze()
}

// Plan makes the plan of the passes, in the words of the option -passes.
func Plan(t testing.TB, a *ssapass.Analysis, passes string) *optimize.Plan {
	t.Helper()
	s, err := optimize.Parse(passes)
	if err != nil {
		t.Fatal(err)
	}
	p, err := optimize.Make(a, s, optimize.Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write writes a file below dir.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// read returns the text of a file.
func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

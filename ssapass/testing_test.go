package ssapass

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTestRunners compares testRunners with the names in the runtime's function tr_lends:
// the detector and the analysis have to agree on which goroutines count as calls.
func TestTestRunners(t *testing.T) {
	const file = "../rt/files/runtime/hooks.go"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	fuzz := false
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); !ok || d.Name.Name != "tr_lends" {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				for _, e := range n.List {
					s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					names = append(names, s)
				}
			case *ast.BasicLit:
				// The linker's name of a function literal has a dot where package ssa has a dollar sign.
				fuzz = fuzz || n.Value == strconv.Quote("testing."+strings.Replace(fuzzRunner, "$", ".", 1))
			}
			return true
		})
	}
	if !slices.Equal(names, testRunners) {
		t.Errorf("tr_lends of %s has %q, testRunners has %q", file, names, testRunners)
	}
	if !fuzz {
		t.Errorf("tr_lends of %s does not have fuzzRunner %q", file, fuzzRunner)
	}
}

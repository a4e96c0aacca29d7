package splice

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// TestOldLoops leaves packages alone whose loops a compiler would change that
// does not know their language version.
func TestOldLoops(t *testing.T) {
	for _, c := range []struct {
		body, version string
		fresh, alone  bool
	}{
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", true, true},
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", false, false},
		{"for i := 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.22", true, false},
		{"for i := range fs { p = &i }", "go1.21", true, true},
		{"for _, f := range fs { p = new(int); *p = f() }", "go1.21", true, false},
		{"i := 0; for i = 0; i < 3; i++ { fs = append(fs, func() int { return i }) }", "go1.21", true, false},
	} {
		src := "package p\n\nvar fs []func() int\nvar p *int\n\nfunc f() { " + c.body + " }\n"
		fset, info := token.NewFileSet(), newInfo()
		a, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := new(types.Config).Check("p", fset, []*ast.File{a}, info)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Package(Config{Fset: fset, Files: []*ast.File{a}, Src: [][]byte{[]byte(src)}, Path: "p", Pkg: pkg, Info: info,
			GoVersion: c.version, FreshLoops: c.fresh})
		if err != nil {
			t.Fatal(err)
		}
		if alone := r.Files[0] == nil; alone != c.alone || alone != (r.Stats.OldLoops > 0) {
			t.Errorf("%s, %s: left alone %t (%d loops), want %t", c.body, c.version, alone, r.Stats.OldLoops, c.alone)
		}
	}
}

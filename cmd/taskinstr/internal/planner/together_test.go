package planner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/testfile"
)

// TestChoose: the main module and the modules that the command line names are analysed together,
// with small other modules, and with every package that imports one of these.
func TestChoose(t *testing.T) {
	big := testfile.Write(t, filepath.Join(t.TempDir(), "big.go"), "")
	if err := os.Truncate(big, maxOther+1); err != nil {
		t.Fatal(err)
	}
	all := map[string]*packages.Package{}
	var list []*packages.Package
	add := func(path, module string, imports ...string) *packages.Package {
		p := &packages.Package{ID: path, PkgPath: path, Imports: map[string]*packages.Package{}}
		if module != "" {
			p.Module = &packages.Module{Path: module, Main: module == "m"}
		}
		for _, i := range imports {
			p.Imports[i] = all[i]
		}
		all[path] = p
		list = append(list, p)
		return p
	}
	add("fmt", "")
	add("m/base", "m", "fmt")
	add("o/y", "o", "fmt")
	add("o/x", "o", "m/base")
	add("n/z", "n", "o/x")
	add("m/cmd", "m", "o/x", "n/z", "o/y")
	other := add("n/cmd", "n", "m/base", "o/y")
	check := func(named, want string) {
		t.Helper()
		var got []string
		for p := range choose(list, []*packages.Package{all[named]}) {
			got = append(got, p.PkgPath)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", named, s, want)
		}
	}
	check("m/cmd", "m/base m/cmd n/cmd n/z o/x o/y")
	all["o/y"].CompiledGoFiles = []string{big}
	check("m/cmd", "m/base m/cmd n/cmd n/z o/x")
	list = slices.DeleteFunc(list, func(p *packages.Package) bool { return p == other })
	all["m/base"].Imports, all["o/x"].Imports = nil, nil
	check("m/cmd", "m/base m/cmd")
	check("n/z", "m/base m/cmd n/z")
}

// TestLoad loads a program with a package of another module that is planned by itself.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{
		"m/lib/a_test.go": "package lib\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { g() }\nfunc g()                 { F() }\n",
		"m/lib/x_test.go": "package lib_test\n\nimport (\n\t\"m/lib\"\n\t\"o\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { lib.F(); o.F() }\n",
		"m/go.mod":        "module m\n\ngo 1.25\n\nrequire o v0.0.0\n\nreplace o => ../o\n",
		"m/main.go":       "package main\n\nimport (\n\t\"m/lib\"\n\t\"o\"\n)\n\nfunc main() { println(o.F(), lib.F()) }\n",
		"m/lib/a.go":      "package lib\n\nfunc F() string { return \"\" }\n",
		"o/go.mod":        "module o\n\ngo 1.25\n",
		"o/a.go":          "package o\n\nimport \"strings\"\n\nfunc F() string { return strings.ToUpper(\"f\") }\n",
		"o/big.go":        "package o\n//" + strings.Repeat("x", maxOther) + "\n",
	})
	t.Setenv("GOWORK", "off")
	goPath, err := gocmd.Find()
	if err != nil {
		t.Fatal(err)
	}
	env, err := gocmd.Env(goPath, filepath.Join(dir, "m"), Settings...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := FromLine(env, "", filepath.Join(dir, "m"), "build", nil, option.Default())
	if err != nil {
		t.Fatal(err)
	}
	// Packages are compiled without checks here, and have no facts: this test is no taskinstr.
	r.plain = true
	p, err := Load(r, true)
	if err != nil {
		t.Fatal(err)
	}
	var members []string
	for _, pkg := range p.Packages {
		members = append(members, pkg.PkgPath)
	}
	if got := strings.Join(members, " "); got != "m/lib m" {
		t.Errorf("analysed: %s, want m/lib m", got)
	}
	if len(p.Initial) != 1 || p.Initial[0].PkgPath != "m" || len(p.Functions()) == 0 {
		t.Errorf("initial packages %v, %d functions", p.Initial, len(p.Functions()))
	}
	if !slices.ContainsFunc(p.Others, func(p *packages.Package) bool { return p.PkgPath == "o" }) {
		t.Error("package o is not planned by itself")
	}
	tests := *r
	tests.Tests, tests.Patterns = true, []string{"./..."}
	if p, err = Load(&tests, true); err != nil {
		t.Fatal(err)
	}
	runs := map[string]bool{}
	for _, f := range p.Functions() {
		runs[f.String()] = runs[f.String()] || len(f.Blocks) > 0
	}
	// The other module is too large for a whole program.
	if !runs["m/lib.g"] || !runs["m/lib_test.TestX"] || runs["testing.tRunner"] {
		t.Errorf("the tests' own functions run: %v, %v; the body of testing.tRunner is analysed: %v", runs["m/lib.g"], runs["m/lib_test.TestX"], runs["testing.tRunner"])
	}
	r.Patterns = []string{"strings"}
	if p, err := Load(r, true); err != nil || p.Program != nil || len(p.Others) == 0 {
		t.Errorf("the standard library: %v, %v", p, err)
	}
	testfile.Write(t, filepath.Join(dir, "m", "lib", "a.go"), "package lib\n\nfunc F() string { return 1 }\n")
	r.Patterns = []string{"."}
	if _, err := Load(r, true); err == nil || !strings.Contains(err.Error(), "a.go:3:") {
		t.Errorf("a package that does not compile: %v", err)
	}
}

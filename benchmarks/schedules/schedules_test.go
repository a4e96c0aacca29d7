package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// The table in doc.go has each kernel once, and each fixed form belongs to a kernel.
func TestTable(t *testing.T) {
	list, err := load(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, dir, "*_test.go"))
	if err != nil || files == nil {
		t.Fatalf("no tests, error %v", err)
	}
	tests := map[string]bool{}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(d.Name.Name, "Test") {
				tests[strings.TrimPrefix(d.Name.Name, "Test")] = true
			}
		}
	}
	fixed := 0
	listed := map[string]bool{}
	for _, k := range list {
		if listed[k.name] || !tests[k.name] {
			t.Errorf("%s is listed twice or has no test", k.name)
		}
		listed[k.name] = true
		switch k.shown {
		case "race", "deadlock", "panic", "failure", "time-out":
		default:
			t.Errorf("%s is shown by %q", k.name, k.shown)
		}
		if tests[k.name+"Fixed"] {
			fixed++
		}
	}
	for name := range tests {
		if racy, ok := strings.CutSuffix(name, "Fixed"); !listed[racy] || !ok && !listed[name] {
			t.Errorf("Test%s is not in the table", name)
		}
	}
	if len(list) < 40 || fixed < 15 {
		t.Errorf("%d kernels, %d of them fixed", len(list), fixed)
	}
}

func TestLoadErrors(t *testing.T) {
	empty := t.TempDir()
	if _, err := load(empty); err == nil {
		t.Error("a folder without doc.go passes")
	}
	if err := os.WriteFile(filepath.Join(empty, "doc.go"), []byte("package p\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := load(empty); err == nil || !strings.Contains(err.Error(), "no table") {
		t.Errorf("a file without a table: error %v", err)
	}
	if _, err := choose([]kernel{{name: "A"}}, regexp.MustCompile("B")); err == nil || !strings.Contains(err.Error(), "no kernel") {
		t.Errorf("no kernel chosen: error %v", err)
	}
}

const start = `{"event":"start","time":"2026-11-01T00:00:00Z","tests":2}
`

// Of the findings of a test, the first schedule counts. Predicted races and runs without a schedule do not.
func TestScan(t *testing.T) {
	text := start + `{"event":"found","test":"TestA","kind":"race"}
{"event":"test","time":"2026-11-01T00:00:01Z","test":"TestA"}
{"event":"test","time":"2026-11-01T00:00:03Z","test":"TestB"}
{"event":"finding","test":"TestA","kind":"race","first":7}
{"event":"finding","test":"TestA","kind":"panic","first":3}
{"event":"finding","test":"TestA","kind":"predicted race","first":1}
{"event":"finding","test":"TestB","kind":"deadlock"}
{"event":"end"}
`
	stopped := 0
	c, err := scan(strings.NewReader(text), "surw", func() { stopped++ })
	if err != nil || stopped != 1 || c.seconds != 3 || len(c.found) != 1 || c.found["A"] != 3 {
		t.Errorf("%+v, stopped %d times, error %v", c, stopped, err)
	}
	for _, test := range []struct{ text, want string }{
		{start, "has not come to its end"},
		{start + `{"event":"finding","test":"TestAFixed","kind":"race","title":"x","first":1}` + "\n" + `{"event":"end"}`, "TestAFixed shows a race: x"},
	} {
		if _, err := scan(strings.NewReader(test.text), "surw", func() {}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}

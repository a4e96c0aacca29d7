package main

import (
	"strings"
	"testing"
)

const root = "../.."

// The documents have the tables of the data files, and the README their means.
func TestDocuments(t *testing.T) {
	tables, err := load(".")
	if err != nil {
		t.Fatal(err)
	}
	old, err := read(root, documents)
	if err != nil {
		t.Fatal(err)
	}
	made, err := withTables(old, tables)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range made {
		if text != old[name] {
			t.Errorf("%s differs from the data; run go run ./benchmarks/results", name)
		}
	}
	figures, err := read(root, quoting)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range figures {
		if n, err := checkFigures(text, tables); err != nil || n < 3 {
			t.Errorf("%s: %d figures, error %v", name, n, err)
		}
	}
}

const head = "# go: go1\n# machine: m\n# date: d\n# conditions: c\n# command: x\n"

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"kind,program\nk,p\n", `line 1 does not say "# go: ..."`},
		{head, "no rows"},
		{head + "kind,program\n", "no rows"},
		{head + "kind,program\nk\n", "wrong number of fields"},
	} {
		if _, err := parse(test.text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}

// A file without figures of programs or kernels is a table as it is.
func TestPlain(t *testing.T) {
	x, err := parse(head + "module,-race\nm,3/10\nn,\n")
	if err != nil {
		t.Fatal(err)
	}
	text, err := x.markdown()
	if want := "| module | -race |\n|---|---|\n| m | 3/10 |\n| n | – |\n"; err != nil || !strings.HasSuffix(text, want) {
		t.Errorf("error %v, want %q in\n%s", err, want, text)
	}
}

// A file may name the columns whose means are the last row.
func TestMeans(t *testing.T) {
	for _, test := range []struct{ head, want string }{
		{"# mean: b\n", "| x | 3 | 1.0 |\n| y | 5 | 4.0 |\n| geometric mean | | 2.00 |\n"},
		{"# mean: c\n", `no column "c"`},
	} {
		x, err := parse(head + test.head + "program,a,b\nx,3,1.0\ny,5,4.0\n")
		if err != nil {
			t.Fatal(err)
		}
		text, err := x.markdown()
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, test.want) {
			t.Errorf("%q: want %q in\n%s", test.head, test.want, text)
		}
	}
}

func TestBudget(t *testing.T) {
	x, err := parse(head + "program,race_hooks,race\na,2.0,4.0\nb,8.0,4.0\n")
	if err != nil {
		t.Fatal(err)
	}
	text, err := x.markdown()
	if want := "| a | 2.0 | 4.0 |\n| b | 8.0 | 4.0 |\n| geometric mean | 4.0 | 4.0 |\n"; err != nil || !strings.HasSuffix(text, want) {
		t.Errorf("error %v, want %q in\n%s", err, want, text)
	}
}

func TestFigures(t *testing.T) {
	x, err := parse(head + "program,to_race\na,0.5\nb,2\nc,\n")
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*table{"x.csv": x}
	for _, test := range []struct{ text, want string }{
		{"it takes 1.00 <!-- x.csv: to_race --> of", ""},
		{"it takes 1.10 <!-- x.csv: to_race --> of", "1.10 is 1.00 in x.csv, to_race"},
		{"1.00 <!-- y.csv: to_race -->", "no data file y.csv"},
		{"1.00 <!-- x.csv: memory -->", "column memory has no figures"},
	} {
		n, err := checkFigures(test.text, tables)
		if test.want == "" && (err != nil || n != 1) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %d, error %v", test.text, n, err)
		}
	}
	if _, err := withTables(map[string]string{"d": "<!-- table z.csv -->\n<!-- end -->"}, tables); err == nil {
		t.Error("a table without data passes")
	}
	if _, err := withTables(map[string]string{"d": ""}, tables); err == nil {
		t.Error("data without a table passes")
	}
}

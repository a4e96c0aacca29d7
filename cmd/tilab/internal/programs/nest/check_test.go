package nest

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"strings"
	"testing"
)

func TestDeterministic(t *testing.T) {
	a, b := draw(t, 7, 20), draw(t, 7, 20)
	if !maps.EqualFunc(a.Files, b.Files, bytes.Equal) {
		t.Error("the same seed gave two programs")
	}
	if c := draw(t, 8, 20); bytes.Equal(a.Files["cases.go"], c.Files["cases.go"]) {
		t.Error("two seeds gave the same program")
	}
}

// std imports the standard library once for all tests.
var std = importer.ForCompiler(token.NewFileSet(), "source", nil)

// compile type-checks files of a program.
func compile(t *testing.T, p *Program, path string, names ...string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(fset, name, p.Files[name], parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	conf := types.Config{Importer: std}
	pkg, err := conf.Check(path, fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func draw(t *testing.T, seed uint64, n int) *Program {
	t.Helper()
	p, err := New(seed, n)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestTypes checks that generated programs compile.
func TestTypes(t *testing.T) {
	for seed := range uint64(5) {
		compile(t, draw(t, seed, 300), "main", "main.go", "cases.go")
	}
}

// TestLibrary checks that a program whose cases are in a package of their own compiles.
func TestLibrary(t *testing.T) {
	p := draw(t, 3, 20)
	p.Library()
	lib := compile(t, p, "nested/lib", "lib/main.go", "lib/cases.go")
	if lib.Name() != "lib" || lib.Scope().Lookup("Main") == nil || lib.Scope().Lookup("main") != nil {
		t.Errorf("package %s has no function Main, or has main", lib.Name())
	}
}

// TestEverything keeps the generator from losing a feature silently.
func TestEverything(t *testing.T) {
	p := draw(t, 1, 300)
	for _, re := range []string{
		`go func\(\) \{`, `go func\(k\d+ int\)`, `go f\d+_\d+\(`, `wg\d+\.Go\(`, `\.Done\(\)\n\t+\}\(\)`, `defer wg\d+\.Wait`,
		`for i\d+ := [^;\n]*; i\d+ < `, `<= [^;]*; i`, `i\d+ -= `, `i\d+ \+= [23]`, `i\d+ [+-]= \d?\*?[a-z]`, `for i\d+ := [^;\n]*; ; `, `for i\d+ < `, `for i\d+ := range \d`,
		`for i\d+ := range [a-z]`, `for i\d+, vi\d+ := range`, `break\n`, `break L`, `continue\n`, `continue L`, `return\n`, `panic\(`, `recover\(\)`,
		`\)%\d == `, `\]\[`, `\*p\d+`, `p\d+\.a`, `in\.x`, `\.c\[`, `copy\(`, `clear\(`, `buf\d+ := make`, `Lock\(\)\n`, `RLock`, `defer mu\d+\.`,
		`<-c\d+`, `c\d+ <- 1`, `close\(c`, `case <-c`, `await\(`, `Store\(true\)`, `rec\{b: 1\}`, `defer func\(\) \{\n\t+acc`, `g\d+ := func\(k`, `\tg\d+\(`, `\nvar s\d+_`, `s\d+_\d+ = s\d+_\d+\[:`, `tab\d+_\d+\[[^]\n]+\] = tab`,
		`func f\d+_\d+\([^)]*q\d+ \*`, `\tf\d+_\d+\([^)]*[pq]\d+[,)]`, `\tf\d+_\d+\([^)]*&s\d+`, `\n\t*\**q\d+(\.\w+)* (\+?=|\+\+)`,
		`gr\d+_\d+\.(at|via|get)\(`, `gr\d+_\d+\.(set|put)\(`, `gr\d+_\d+\.(add|inc)\(`, `gr\d+_\d+\.w = `, `gr\d+_\d+\.data = `,
	} {
		if n := len(regexp.MustCompile(re).FindAll(p.Files["cases.go"], -1)); n < 5 {
			t.Errorf("%s occurs %d times", re, n)
		}
	}
	racyCases, mixed := 0, 0
	for _, c := range p.Cases {
		if c.Racy() {
			racyCases++
		}
		if c.perhaps() {
			mixed++
		}
	}
	if n := len(p.Cases); racyCases < n/4 || racyCases > 3*n/4 || mixed < n/100 {
		t.Errorf("%d of %d cases race, %d depend on locks", racyCases, n, mixed)
	}
}

// TestCheck compares a case of two objects with possible outputs of its runs.
func TestCheck(t *testing.T) {
	c := &Case{Objects: []string{"&a[0]", "&x"}, truth: [][]status{{0, 0, 0, 0, racy, racy, perhaps, racy | perhaps}, {0, 0, 0, 0}}}
	const head = "object 0 0x1000\nobject 1 0x2000\n"
	rep := func(kind string, addr, n string) string {
		side := `{"kind":"write","address":"` + addr + `","size":` + n + `,"expression":"e","position":"p"}`
		return `{"type":"` + kind + `","access":` + side + `,"previous":` + side + "}\n"
	}
	all := rep("race", "0x1004", "2") + rep("race", "0x1007", "1")
	for _, tt := range []struct{ name, out, want string }{
		{"all", head + all + "end\n", ""},
		{"in one", head + rep("race", "0x1004", "4") + "end\n", ""},
		{"a predicted one beside", head + all + rep("predicted race", "0x1006", "2") + "end\n", ""},
		{"a missing byte", head + rep("race", "0x1004", "2") + "end\n", "&a[0]: races on 1 bytes were not reported, from 7 to 8"},
		{"all missing", head + "end\n", "races on 3 bytes were not reported, from 4 to 6"},
		{"a byte too many", head + all + rep("race", "0x1003", "2") + "end\n", "race on byte 3 of &a[0], which has none"},
		{"a quiet object", head + all + rep("race", "0x2000", "4") + "end\n", "race on byte 0 of &x, which has none"},
		{"elsewhere", head + all + rep("race", "0x3000", "4") + "end\n", "memory that tasks do not share"},
		{"beyond", head + all + rep("race", "0x1006", "4") + "end\n", "beyond the end of &a[0]"},
		{"predicted only", head + rep("predicted race", "0x1004", "1") + all + "end\n", "which races without any lock"},
		{"no end", head + all, "did not run to its end"},
		{"no JSON", head + all + "{oops\nend\n", "no JSON"},
	} {
		got := strings.Join(c.Check(tt.out), "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTruth runs small trees built by hand.
func TestTruth(t *testing.T) {
	obj := &object{size: 4}
	write := &accessStmt{use: assign, p: &fixed{"x", obj, 0, 2, nil}, typ: "int16"}
	read := &accessStmt{use: pass, p: &fixed{"x", obj, 1, 3, nil}, typ: "int16"}
	g := &group{name: "wg"}
	m, rw := &mutex{"mu", false}, &mutex{"rw", true}
	ch := &channel{"c", 1}
	task := func(b ...stmt) stmt { return &spawn{g: g, body: b} }
	wait := waitFor(g)
	for _, tt := range []struct {
		name string
		body block
		want [4]status
	}{
		{"overlap", block{task(write), read}, [4]status{0, racy, 0, 0}},
		{"two writers", block{task(write), task(write)}, [4]status{racy, racy, 0, 0}},
		{"readers", block{task(read), read}, [4]status{}},
		{"joined", block{task(write), wait, read}, [4]status{}},
		{"before the task", block{read, task(write)}, [4]status{}},
		{"one lock", block{task(&section{m, false, block{write}}), &section{m, false, block{read}}}, [4]status{}},
		{"read mode", block{task(&section{rw, true, block{write}}), &section{rw, true, block{read}}}, [4]status{0, racy, 0, 0}},
		{"behind a lock", block{task(write, &section{m, false, nil}), &section{m, false, nil}, read}, [4]status{0, perhaps, 0, 0}},
		{"before a lock", block{task(&section{m, false, nil}, write), &section{m, false, nil}, read}, [4]status{0, racy, 0, 0}},
		{"message", block{task(write, send(ch)), receive(ch), read}, [4]status{}},
		{"room in the channel", block{task(receive(ch), write), read, send(ch)}, [4]status{}},
		{"no order by a send with room", block{task(receive(ch), write), send(ch), read}, [4]status{0, racy, 0, 0}},
	} {
		c := &oneCase{groups: []*group{g}, body: block{&joined{groups: []*group{g}, body: tt.body}}}
		r, why := run(c)
		if why != "" {
			t.Errorf("%s: %s", tt.name, why)
			continue
		}
		got := [4]status{}
		copy(got[:], r.truth()[obj])
		if got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestDiscarded checks that cases whose accesses depend on the schedule are discarded.
func TestDiscarded(t *testing.T) {
	g := &group{name: "wg"}
	ch := &channel{"c", 0}
	send, receive := send(ch), receive(ch)
	m := &mutex{"mu", false}
	for _, tt := range []struct {
		name string
		body block
		want string
	}{
		{"nobody receives", block{send}, "deadlock"},
		{"two senders", block{&spawn{g: g, body: block{send}}, &spawn{g: g, body: block{send}}, receive, receive}, "two senders"},
		{"waiting with a lock", block{&section{m, false, block{receive}}}, "lock is held"},
		{"a panic", block{&jump{ctl{kind: panicked}}}, "ends early"},
	} {
		c := &oneCase{body: block{&joined{groups: []*group{g}, body: tt.body}}}
		if _, why := run(c); !strings.Contains(why, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, why, tt.want)
		}
	}
}

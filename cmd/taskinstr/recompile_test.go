package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// The packages of a program: main imports mid, mid imports low.
var layers = map[string]string{
	"go.mod":     "module layers\n\ngo 1.25\n",
	"main.go":    "package main\n\nimport \"layers/mid\"\n\nvar n int\n\nfunc main() {\n\tn = mid.Twice(1)\n}\n",
	"mid/mid.go": "package mid\n\nimport \"layers/low\"\n\nvar total int\n\n//go:noinline\nfunc Twice(n int) int {\n\ttotal = n\n\tn = low.Inc(n)\n\ttotal += n\n\treturn 2 * n\n}\n",
	"low/low.go": "package low\n\nvar calls int\n\nvar Hook = make(chan int, 1)\n\n//go:noinline\nfunc Inc(n int) int {\n\tcalls++\n\treturn n + 1\n}\n",
}

// TestRecompiled edits a package and compares the packages that a build in package scope
// compiles with those that a plain build compiles.
func TestRecompiled(t *testing.T) {
	tool := filepath.Join(command, "taskinstr"+exe)
	dir := t.TempDir()
	testfile.Tree(t, dir, layers)
	// The packages that a build compiles.
	build := func(flags ...string) []string {
		t.Helper()
		cmd := exec.Command("go", append(append([]string{"build", "-v"}, flags...), "-o", filepath.Join(t.TempDir(), "x"+exe), ".")...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		list := strings.Fields(string(out))
		slices.Sort(list)
		return list
	}
	instrumented := []string{"-tags=race", "-toolexec=" + tool}
	build()
	build(instrumented...)
	for _, edit := range []struct {
		name, old, new string
		want           string
	}{
		// Nothing but the text of the file changes.
		{"a comment", "return n + 1", "return n + 1 // one more", "layers/low"},
		// The object code changes, and the go command compiles the direct importers again,
		// whose object code stays as it is.
		{"a constant", "return n + 1", "return n + 2", "layers/low layers/mid"},
		// The plan changes as well: the second increment is covered by the first.
		{"a plan", "\tcalls++\n", "\tcalls++; calls++\n", "layers/low layers/mid"},
	} {
		name := filepath.Join(dir, "low", "low.go")
		text := layers["low/low.go"]
		changed := strings.Replace(text, edit.old, edit.new, 1)
		if changed == text {
			t.Fatalf("%s: nothing to replace", edit.name)
		}
		// A line that no earlier run of this test has compiled.
		changed += "\n// " + dir + "\n"
		testfile.Write(t, name, changed)
		plain, own := strings.Join(build(), " "), strings.Join(build(instrumented...), " ")
		if plain != edit.want || own != edit.want {
			t.Errorf("%s: a plain build compiles %q, one in package scope %q; want %q", edit.name, plain, own, edit.want)
		}
	}
	// The facts of Inc change, so the plan of mid does.
	before := strings.Join(build(instrumented...), " ")
	text := strings.Replace(layers["low/low.go"], "return n + 1", "Hook <- n; return n + 1", 1) + "\n// " + dir + "\n"
	testfile.Write(t, filepath.Join(dir, "low", "low.go"), text)
	if own := strings.Join(build(instrumented...), " "); before != "" || own != "layers layers/low layers/mid" {
		t.Errorf("facts: %q is compiled, and before the change %q; want all packages, and none", own, before)
	}
}

// TestSameBytes compiles a program and the standard library's packages that it imports twice,
// from empty caches, at once and one after the other. The archives are equal.
func TestSameBytes(t *testing.T) {
	tool := filepath.Join(command, "taskinstr"+exe)
	dir := filepath.Join("..", "..", "examples", "bank")
	var archives [2]map[string][]byte
	for i, p := range []string{"-p=4", "-p=1"} {
		cmd := exec.Command("go", "list", "-export", "-deps", "-trimpath", p, "-toolexec="+tool, "-f", "{{.ImportPath}}={{.Export}}", ".")
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOCACHE="+t.TempDir())
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v", cmd, err)
		}
		archives[i] = map[string][]byte{}
		for line := range strings.Lines(string(out)) {
			path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
			if file == "" {
				continue // unsafe
			}
			if archives[i][path], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	planned := 0
	for path, data := range archives[0] {
		if !bytes.Equal(data, archives[1][path]) {
			t.Errorf("%s: the archives of two builds differ", path)
		}
		if bytes.Contains(data, []byte("taskinstr.facts")) && bytes.Contains(data, []byte("taskinstr.plan")) {
			planned++
		}
	}
	if planned < 2 || len(archives[0]) != len(archives[1]) {
		t.Errorf("%d and %d archives, %d with a plan", len(archives[0]), len(archives[1]), planned)
	}
}

// `go run` and a built command share compiled packages.
func TestIdentityOfGoRun(t *testing.T) {
	id := func(name string, args ...string) string {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(out), "TASKINSTR_ID=")
		id, _, _ := strings.Cut(rest, "\n")
		return id
	}
	built := id(filepath.Join(command, "taskinstr"+exe), "env")
	if run := id("go", "run", "taskinstr/cmd/taskinstr", "env"); built == "" || run != built {
		t.Errorf("the identity is %q with go run, and %q of the built command", run, built)
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	const to = "example.org/a/taskinstr"
	r := newRewriting("taskinstr", to)
	for _, test := range []struct{ name, text, want string }{
		{"go.mod", "module taskinstr\n\ngo 1.25.0\n", "module example.org/a/taskinstr\n\ngo 1.25.0\n"},
		{"a.go", "import (\n\t\"taskinstr\"\n\t\"taskinstr/rt/task\"\n)\n", "import (\n\t\"example.org/a/taskinstr\"\n\t\"example.org/a/taskinstr/rt/task\"\n)\n"},
		{"a.go", `filepath.Join(dir, "taskinstr", "plan")`, ""},
		{"a.go", `const p = "taskinstr/rt/task."`, `const p = "example.org/a/taskinstr/rt/task."`},
		{"a.txtar", "exec go mod edit -replace=taskinstr=$REPO\nrequire taskinstr v0.0.0\n", "exec go mod edit -replace=example.org/a/taskinstr=$REPO\nrequire example.org/a/taskinstr v0.0.0\n"},
		{"a.md", "`taskinstr test ./...` and github.com/x/taskinstr/cmd and ./taskinstr/rt", ""},
		{"a.md", "go install taskinstr/cmd/taskinstr", "go install example.org/a/taskinstr/cmd/taskinstr"},
	} {
		want := test.want
		if want == "" {
			want = test.text
		}
		got := r.file(test.name, test.text)
		if got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
		if back := newRewriting(to, "taskinstr").file(test.name, got); back != test.text {
			t.Errorf("%s: back again %q, want %q", test.name, back, test.text)
		}
	}
	for path, want := range map[string]string{"": "-module is missing", "a b": "-module=a b: ", "nodot/x": "-module=nodot/x: "} {
		if _, err := publish(t.TempDir(), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-module=%s: error %v", path, err)
		}
	}
	if _, err := publish(t.TempDir(), to); err == nil || !strings.Contains(err.Error(), "folder of go.mod") {
		t.Errorf("without a module: %v", err)
	}
}

// The published module is complete: none of its packages imports a package of the old path, and a
// module that imports its rt/task builds.
func TestPublish(t *testing.T) {
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "source.go", "benchmarks", "cmd", "detector", "docs", "internal", "optimize", "polyhedral", "rt", "ssapass"} {
		to := filepath.Join(dir, name)
		if fi, err := os.Stat(filepath.Join(repo, name)); err != nil {
			t.Fatal(err)
		} else if fi.IsDir() {
			err = os.CopyFS(to, os.DirFS(filepath.Join(repo, name)))
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(repo, name))
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	const path = "example.org/a/taskinstr"
	if n, err := publish(dir, path); err != nil || n < 100 {
		t.Fatalf("%d files changed, %v", n, err)
	}
	run := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	for p := range strings.FieldsSeq(run(dir, "list", "-deps", "./cmd/taskinstr", "./rt/task")) {
		if p == "taskinstr" || strings.HasPrefix(p, "taskinstr/") {
			t.Errorf("%s is imported by its old path", p)
		}
	}
	user := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/user\n\ngo 1.25.0\n",
		"main.go": "package main\n\nimport (\n\t\"context\"\n\n\t\"example.org/a/taskinstr/rt/task\"\n)\n\nfunc main() { task.Finish(context.Background(), func(*task.Task) { println(\"done\") }) }\n",
	} {
		if err := os.WriteFile(filepath.Join(user, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// The recipe of docs/use/proofs.md.
	run(user, "mod", "edit", "-require="+path+"@v0.0.0", "-replace="+path+"="+dir)
	if out := run(user, "run", "."); out != "done\n" {
		t.Errorf("the user's program prints %q", out)
	}
}

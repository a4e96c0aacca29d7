package rt

import (
	"bytes"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// goroot is the Go that the tests run with.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// sources returns the files that go build compiles for a std package.
func sources(t *testing.T, root, goos, pkg string) []string {
	t.Helper()
	ctx := build.Default
	ctx.GOROOT, ctx.GOOS = root, goos
	p, err := ctx.ImportDir(filepath.Join(root, "src", pkg), 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range p.GoFiles {
		names = append(names, filepath.Join(p.Dir, f))
	}
	return names
}

func TestRewritePackages(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		t.Run(goos, func(t *testing.T) { testRewrite(t, goos) })
	}
}

func testRewrite(t *testing.T, goos string) {
	root := goroot(t)
	target := Target{GoVersion: "go1.x", GOOS: goos, GOARCH: "amd64"}
	for _, pkg := range []string{"runtime", "internal/race", "internal/sync", "sync", "sync/atomic", "fmt", "internal/poll", "syscall", "testing", "testing/internal/testdeps"} {
		out, _, ok, err := Rewrite(target, pkg, sources(t, root, goos, pkg))
		if err != nil || !ok {
			t.Errorf("%s: ok %v, error %v", pkg, ok, err)
			continue
		}
		fset := token.NewFileSet()
		for _, f := range out {
			if f.Data == nil {
				continue
			}
			parsed, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("%s: %v", pkg, err)
				continue
			}
			if got := parsed.Name.Name; got != path.Base(pkg) {
				t.Errorf("%s: %s belongs to package %s", pkg, f.Name, got)
			}
			if f.Orig == "" {
				continue
			}
			orig, err := os.ReadFile(f.Orig)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(f.Name, "race") || f.Name == "norace.go" {
				continue
			}
			// Patches keep lines: one line directive is all that is added.
			if got, want := bytes.Count(f.Data, []byte("\n")), bytes.Count(orig, []byte("\n")); got != want && got != want+1 {
				t.Errorf("%s/%s has %d lines, was %d", pkg, f.Name, got, want)
			}
		}
	}
	if _, _, ok, err := Rewrite(target, "strings", nil); ok || err != nil {
		t.Errorf("strings: ok %v, error %v", ok, err)
	}
}

// The cover tool gives the compiler files of other names.
func TestRewriteCovered(t *testing.T) {
	var names []string
	for _, name := range sources(t, goroot(t), "linux", "fmt") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		covered := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(name), ".go")+".cover.go")
		if err := os.WriteFile(covered, text, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, covered)
	}
	out, _, _, err := Rewrite(Target{GoVersion: "go1.x", GOOS: "linux", GOARCH: "amd64"}, "fmt", names)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out {
		if patched := f.Name == "print.cover.go"; f.Orig != "" && (f.Data != nil) != patched {
			t.Errorf("%s: changed %v, want %v", f.Name, f.Data != nil, patched)
		}
	}
}

func TestRewriteNamesTheMissingPatch(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mutex.go")
	text := "package sync\n\ntype Mutex struct{}\n\nfunc (m *Mutex) Lock() { race.Acquire(nil) }\n\nfunc (m *Mutex) TryLock() bool { return true }\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, _, err := Rewrite(Target{GoVersion: "go9.99"}, "internal/sync", []string{file})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"go9.99", "internal/sync/mutex.go", "Mutex.Lock", "0 times"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not name %q", err, want)
		}
	}
}

func TestKeys(t *testing.T) {
	keys := Keys()
	seen := map[Key]bool{}
	idle := 0
	for _, k := range keys {
		if k.Name == "" || k.Text == "" {
			t.Errorf("%+v has no name or text", k)
		}
		if k.Idle {
			idle++
		}
		k = Key{Name: k.Name, Gorace: k.Gorace}
		if seen[k] {
			t.Errorf("%s is listed twice", k.Name)
		}
		seen[k] = true
	}
	if !seen[Key{Name: "log_path", Gorace: true}] || !seen[Key{Name: "help", Gorace: true}] || idle < 50 {
		t.Errorf("keys: %+v", keys)
	}
}

// The part of a suspended function that runs before the suspension must not be recorded.
func TestSuspendedFunctionsHaveNoChecks(t *testing.T) {
	src := "package testing\n\n// report reports.\nfunc (t *T) report() { x++ }\n\nfunc (m *matcher) fullName() {\n}\nvar a int\nfunc bare() {}\n"
	for _, test := range []struct {
		fn   string
		want string // the text above the function; "" if there is no room
	}{{"T.report", "\n//go:norace\nfunc (t *T) report"}, {"matcher.fullName", "\n//go:norace\nfunc (m *matcher)"}, {"bare", ""}} {
		start, _, _, err := body("x.go", []byte(src), test.fn)
		if err != nil {
			t.Fatal(err)
		}
		out, err := unchecked([]byte(src), start)
		if (err == nil) != (test.want != "") || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: error %v\n%s", test.fn, err, out)
		}
		if err == nil && bytes.Count(out, []byte("\n")) != strings.Count(src, "\n") {
			t.Errorf("%s: lines moved:\n%s", test.fn, out)
		}
	}
}

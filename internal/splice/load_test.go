package splice

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/internal/golist"
)

// A world rewrites and compiles packages against one set of export data.
type world struct {
	pkgs     []*golist.Package // dependencies first
	exports  map[string]string
	link     string // importcfg of the linker
	compiler golist.Compiler
	branches bool // Config.Branches
}

// newWorld loads packages with export data of all their dependencies.
func newWorld(t testing.TB, dir string, patterns ...string) *world {
	t.Helper()
	cmd := exec.Command("go", golist.Args(patterns)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", patterns, err, stderr.Bytes())
	}
	tool := func(name string, args ...string) *exec.Cmd {
		return exec.Command("go", append([]string{"tool", name}, args...)...)
	}
	w := &world{compiler: golist.Compiler{Tool: tool, Include: filepath.Join(runtime.GOROOT(), "pkg", "include"), Tmp: t.TempDir()}}
	if w.pkgs, w.exports, err = golist.Decode(out); err != nil {
		t.Fatal(err)
	}
	var link strings.Builder
	for path, file := range w.exports {
		fmt.Fprintf(&link, "packagefile %s=%s\n", path, file)
	}
	if w.link, err = w.compiler.Temp("importcfg.link", []byte(link.String())); err != nil {
		t.Fatal(err)
	}
	return w
}

// stdWorld returns a world with the export data of all of std.
func stdWorld(t testing.TB) *world { return newWorld(t, "", "std") }

// check parses and type-checks the package.
func (w *world) check(l *golist.Package) (Config, error) {
	s, err := l.Check(w.exports, "amd64")
	return Config{Source: s}, err
}

// write stores the rewritten package in a new directory and returns the files to compile.
func (w *world) write(l *golist.Package, c Config, r *Result) ([]string, error) {
	dir, err := os.MkdirTemp(w.compiler.Tmp, "pkg")
	if err != nil {
		return nil, err
	}
	names := l.Files()
	texts := append(r.Files[:len(r.Files):len(r.Files)], r.Generated)
	for i, text := range texts {
		if text == nil {
			continue
		}
		name := filepath.Join(dir, "_ti_.go")
		if i < len(names) && i < len(r.Files) {
			name = filepath.Join(dir, l.GoFiles[i])
			names[i] = name
		} else {
			names = append(names, name)
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// compile runs the compiler on files. It returns the archive, which the next compilation replaces.
func (w *world) compile(l *golist.Package, lang string, files []string) (archive string, err error) {
	archive = filepath.Join(w.compiler.Tmp, "out.a")
	args, err := w.compiler.Args(l, lang, w.exports)
	if err != nil {
		return "", err
	}
	cmd := w.compiler.Tool("compile", append(append(args, "-o", archive), files...)...)
	cmd.Dir = l.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return archive, nil
}

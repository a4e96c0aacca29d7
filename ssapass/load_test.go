package ssapass

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// load loads the program in dir, or fails the test.
func load(t testing.TB, dir string, tests bool, patterns ...string) *Program {
	t.Helper()
	return loadBy(t, Config{Dir: dir, Patterns: patterns, Tests: tests})
}

// loadBy loads a program without cgo, or fails the test.
func loadBy(t testing.TB, c Config) *Program {
	t.Helper()
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	p, err := Load(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// module writes files into a new module and returns its directory.
func module(t testing.TB, files map[string]string) string {
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.25\n"
	for name, text := range files {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadErrors(t *testing.T) {
	dir := module(t, map[string]string{"main.go": "package main\n\nfunc main() { x := y }\n"})
	_, err := Load(Config{Dir: dir, Patterns: []string{"."}})
	if err == nil || !strings.Contains(err.Error(), "main.go:3:20: undefined: y") {
		t.Errorf("got %v, want the position and message of the compiler", err)
	}
	if _, err := Load(Config{Dir: dir, Patterns: []string{"./none"}}); err == nil {
		t.Error("a pattern without packages was accepted")
	}
}

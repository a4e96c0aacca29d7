package sibling

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

func TestCheckout(t *testing.T) {
	other := t.TempDir()
	testfile.Write(t, filepath.Join(other, "go.mod"), "module example.com/taskinstr\n")
	here, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir  string
		root string // "": no checkout
	}{
		{".", here},
		{builtFrom(), here},
		{filepath.Join(here, "docs"), here},
		{other, ""},
		{filepath.Join(other, "below"), ""},
		{filepath.Dir(other), ""},
	} {
		root, ok := checkout(test.dir)
		if ok != (test.root != "") || ok && root != test.root {
			t.Errorf("%s: %q, %v, want %q", test.dir, root, ok, test.root)
		}
	}
}

// A command is built for this machine, whatever the environment says of the programs under test.
func TestFindBuilds(t *testing.T) {
	t.Setenv("GOARCH", "wasm")
	t.Setenv("GOOS", "js")
	t.Setenv("GOFLAGS", "-toolexec=false")
	path, err := Find("tilab", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "-h").Output()
	if err != nil || !strings.Contains(string(out), "SUITE [flags]") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFindCannotBuild(t *testing.T) {
	_, err := Find("none", t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "cannot build none in ") {
		t.Errorf("error %v", err)
	}
}

// A command for the user is built into the cache folder, and only the first build is announced.
func TestCached(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the cache folder is chosen by XDG_CACHE_HOME on Linux")
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
	t.Setenv("XDG_CACHE_HOME", dir)
	var notes []string
	for range 2 {
		path, err := Cached("publish", func(line string) { notes = append(notes, line) })
		if err != nil || path != filepath.Join(dir, "taskinstr", "publish") || !isFile(path) {
			t.Fatalf("%s, error %v", path, err)
		}
	}
	// A damaged file is replaced.
	damaged := filepath.Join(dir, "taskinstr", "publish")
	if err := os.WriteFile(damaged, []byte("no program"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Cached("publish", func(string) {}); err != nil {
		t.Error(err)
	}
	if out, err := exec.Command(damaged, "-h").CombinedOutput(); !strings.Contains(string(out), "-module") {
		t.Errorf("the program is not built again: %v\n%s", err, out)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "building publish, ") {
		t.Errorf("notes %q", notes)
	}
}

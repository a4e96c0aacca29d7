package sibling

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckout(t *testing.T) {
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.com/taskinstr\n"), 0o666); err != nil {
		t.Fatal(err)
	}
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

// Package tooltest builds the taskinstr command for tests.
package tooltest

import (
	"os/exec"
	"path/filepath"
	"testing"

	// The test binary depends on the passes and the runtime's files, so the go command
	// does not reuse a test result from before a change to them.
	_ "taskinstr/optimize"
	_ "taskinstr/rt"
)

// Tool returns the absolute path of the taskinstr command at path, or of one built from
// the tree in a temporary folder of the test if path is empty. The test ends if the command
// cannot be built.
func Tool(t testing.TB, path string) string {
	t.Helper()
	if path != "" {
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
	exe := filepath.Join(t.TempDir(), "taskinstr")
	if out, err := exec.Command("go", "build", "-o", exe, "taskinstr/cmd/taskinstr").CombinedOutput(); err != nil {
		t.Fatalf("building taskinstr: %v\n%s", err, out)
	}
	return exe
}

package accesses

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/taskinstr/internal/programs"

	// Linked in so that the go command does not take the result for one tool, which
	// this test builds, for that of another.
	_ "taskinstr/optimize"
	_ "taskinstr/rt"
)

// build builds the program of testdata.
func build(t *testing.T, dir string, mode programs.Mode) *programs.Program {
	t.Helper()
	var tc programs.Toolchain
	switch mode {
	case programs.StockRace:
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("-race needs gcc")
		}
	case programs.TaskInstr:
		tc.Tool = filepath.Join(t.TempDir(), "taskinstr")
		if out, err := exec.Command("go", "build", "-o", tc.Tool, "taskinstr/cmd/taskinstr").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	p, err := programs.Build(t.Context(), tc, filepath.Join("testdata", dir), mode, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPrograms runs the programs of the classes, and of accesses that used to be missed,
// under both detectors.
func TestPrograms(t *testing.T) {
	for _, dir := range []string{"classes", "recorded"} {
		for _, mode := range []programs.Mode{programs.TaskInstr, programs.StockRace} {
			t.Run(dir+"/"+string(mode), func(t *testing.T) {
				p := build(t, dir, mode)
				for _, c := range p.Cases {
					if faults := p.Run(t.Context(), c, 0); len(faults) > 0 {
						t.Errorf("%s: %s", c.Name, strings.Join(faults, "\n"))
					}
				}
			})
		}
	}
}

package accesses

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
)

// build builds a program of testdata.
func build(t *testing.T, dir string, mode programs.Mode) *programs.Program {
	t.Helper()
	var tc programs.Toolchain
	switch mode {
	case programs.StockRace:
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("-race needs gcc")
		}
	case programs.TaskInstr:
		// Functions with go:norace publish memory here; passes rely on checks of publications.
		tc.Tool, tc.Passes = tooltest.Tool(t, ""), "none"
	}
	p, err := programs.Build(t.Context(), tc, filepath.Join("testdata", dir), mode, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestPrograms runs the programs of the classes, and programs of accesses that splicing
// used to miss, under both detectors.
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

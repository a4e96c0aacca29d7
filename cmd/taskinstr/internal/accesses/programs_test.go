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

// TestPrograms runs the programs of the classes that are harmless, under both detectors.
func TestPrograms(t *testing.T) {
	for _, mode := range []programs.Mode{programs.TaskInstr, programs.StockRace} {
		t.Run(string(mode), func(t *testing.T) {
			p := build(t, "classes", mode)
			for _, c := range p.Cases {
				if faults := p.Run(t.Context(), c, 0); len(faults) > 0 {
					t.Errorf("%s: %s", c.Name, strings.Join(faults, "\n"))
				}
			}
		})
	}
}

// TestPending runs the programs of the pending classes: -race reports each race, and a
// class whose races taskinstr reports is pending no more.
func TestPending(t *testing.T) {
	stock := build(t, "pending", programs.StockRace)
	for _, c := range stock.Cases {
		if faults := stock.Run(t.Context(), c, 0); len(faults) > 0 {
			t.Errorf("-race: %s: %s", c.Name, strings.Join(faults, "\n"))
		}
	}
	own := build(t, "pending", programs.TaskInstr)
	for _, c := range own.Cases {
		if faults := own.Run(t.Context(), c, 0); len(faults) == 0 {
			t.Errorf("%s: taskinstr reports the race: move the program to testdata/classes, and mark its class", c.Name)
		}
	}
}

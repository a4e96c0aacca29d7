package programs

import (
	"bytes"
	"errors"
	"maps"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"taskinstr/benchmarks/explored"
	"taskinstr/cmd/internal/tooltest"
)

// Few schedules show six kernels, and nothing in their fixed forms. The command
// benchmarks/schedules measures all of them.
func TestKernels(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("records cannot be written here")
	}
	want := map[string]string{
		"TestLockOrder":       "deadlock",
		"TestDoubleClose":     "panic",
		"TestCheckThenAct":    "test failure",
		"TestAddInside":       "race",
		"TestDoubleChecked":   "race",
		"TestForgottenSender": "deadlock",
	}
	cmd := exec.Command(tooltest.Tool(t, *tool), "test", "-json", "-explore=30", "-confirm=false", "-explore-dir="+t.TempDir(),
		"-run=^("+strings.Join(slices.Sorted(maps.Keys(want)), "|")+")(Fixed)?$", "./testdata/kernels")
	cmd.Dir = repo
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	shown := map[string]bool{}
	err = explored.Read(bytes.NewReader(out), func(e explored.Event) error {
		if e.Event != "finding" {
			return nil
		}
		if strings.HasSuffix(e.Test, "Fixed") {
			t.Errorf("%s shows a %s: %s", e.Test, e.Kind, e.Title)
		}
		if e.Runs > 0 && (e.First < 1 || e.First > 30) {
			t.Errorf("%s: %d of 30 schedules show a %s, the first one has the number %d", e.Test, e.Runs, e.Kind, e.First)
		}
		shown[e.Test] = shown[e.Test] || e.Kind == want[e.Test] && e.Runs > 0
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for test, kind := range want {
		if !shown[test] {
			t.Errorf("no schedule of %s shows a %s", test, kind)
		}
	}
}

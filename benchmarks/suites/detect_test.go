package suites

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/program"

	// Imported so that the go command does not reuse the test result for another version
	// of the tool, which this test builds.
	_ "taskinstr/optimize"
	_ "taskinstr/rt"
)

var (
	detectors = flag.String("detectors", "", "run all programs under these: race, taskinstr")
	options   = flag.String("taskinstr", "", "options of taskinstr, such as -locks=hb")
	runs      = flag.Int("runs", 1, "runs of each program and variant")
	detect    = flag.String("detect.size", string(program.Small), "the size of their inputs")
)

// TestDetect builds the command run with each detector and executes every program. The
// detector must report a race in the racy variant and none in the other variant.
//
//	go test ./benchmarks/suites -run Detect -detectors race,taskinstr -runs 5
func TestDetect(t *testing.T) {
	if *detectors == "" {
		t.Skip("-detectors names the detectors to run the programs under")
	}
	size, err := program.ParseSize(*detect)
	if err != nil {
		t.Fatal(err)
	}
	for detector := range strings.SplitSeq(*detectors, ",") {
		t.Run(detector, func(t *testing.T) {
			exe := build(t, detector)
			for _, p := range All {
				t.Run(p.String(), func(t *testing.T) {
					for range *runs {
						if code, out := execute(t, exe, p, size, false); code != 0 || strings.Contains(out, "DATA RACE") {
							t.Errorf("exit code %d without a seeded race:\n%s", code, out)
						}
						if code, out := execute(t, exe, p, size, true); code != 66 || !strings.Contains(out, "WARNING: DATA RACE") {
							t.Errorf("exit code %d and no report of: %s\n%s", code, p.Seed, out)
						}
					}
				})
			}
		})
	}
}

func build(t *testing.T, detector string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "run.exe")
	args := []string{"go", "build", "-o", exe}
	switch detector {
	case "race":
		args = append(args, "-race")
	case "taskinstr":
		tool, err := measure.Tool(t.Context(), "", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, strings.TrimSpace("-toolexec="+tool+" "+*options))
	default:
		t.Fatalf("no detector %q; there are race and taskinstr", detector)
	}
	if err := measure.Run(t.Context(), append(args, "taskinstr/benchmarks/run")...); err != nil {
		t.Fatal(err)
	}
	return exe
}

// execute runs a program in a process of its own.
func execute(t *testing.T, exe string, p program.Program, size program.Size, racy bool) (code int, output string) {
	t.Helper()
	args := []string{"-program", p.String(), "-size", string(size)}
	if racy {
		args = append(args, "-racy")
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	const most = 4000 // of a long output
	if out.Len() > most {
		out.Truncate(most)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

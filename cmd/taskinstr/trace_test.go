package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTraceOfExamples checks that detect finds in a trace the same races that the program
// itself reports, with the same fingerprints, places and expressions.
func TestTraceOfExamples(t *testing.T) {
	tool := filepath.Join(command, "taskinstr"+exe)
	for _, name := range []string{"bank", "predicted", "bankfixed", "pipeline"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			prog, file := filepath.Join(dir, "prog"+exe), filepath.Join(dir, "trace")
			run(t, 0, "", tool, "build", "-o", prog, "../../examples/"+name)

			online := lines(t, run(t, -1, "TASKINSTR=format=json log_path=stdout", prog))
			run(t, 0, "TASKINSTR=trace="+file, prog)
			offline := lines(t, run(t, -1, "", tool, "detect", "-format=json", file))
			if len(offline) == 0 || offline[len(offline)-1]["type"] != "detector" {
				t.Fatalf("%v, want the detector's figures at the end", offline)
			}
			figures := offline[len(offline)-1]
			if figures["complete"] != true {
				t.Error("the trace has no end")
			}
			a, b := races(online), races(offline[:len(offline)-1])
			if !slices.Equal(a, b) {
				t.Errorf("on line %q, from the trace %q", a, b)
			}
			if want := name == "bank" || name == "predicted"; want != (len(a) > 0) {
				t.Errorf("%d races are reported", len(a))
			}
		})
	}
}

// races returns the races of a program, each as its tier, fingerprint, and the kinds,
// expressions, positions and functions of both sides. The sides are sorted, since two runs
// may reach the accesses in different orders.
func races(reports []map[string]any) []string {
	var all []string
	for _, r := range reports {
		if r["fingerprint"] == nil {
			continue
		}
		var sides []string
		for _, key := range []string{"access", "previous"} {
			a := r[key].(map[string]any)
			s := []string{a["kind"].(string), a["expression"].(string), a["declared"].(string), a["position"].(string)}
			for _, list := range []string{"stack", "created"} {
				for _, f := range a[list].([]any) {
					s = append(s, f.(map[string]any)["function"].(string))
				}
			}
			for _, l := range a["locks"].([]any) {
				s = append(s, "holding "+l.(map[string]any)["expression"].(string))
			}
			sides = append(sides, strings.Join(s, " "))
		}
		slices.Sort(sides)
		all = append(all, r["type"].(string)+" "+r["fingerprint"].(string)+": "+strings.Join(sides, "; "))
	}
	slices.Sort(all)
	return all
}

func lines(t *testing.T, out string) (all []map[string]any) {
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		if !strings.HasPrefix(line, "{") {
			continue // the program's own
		}
		var x map[string]any
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, x)
	}
	return all
}

// run returns the standard output of a command. code is the exit status that it must have, -1 any.
func run(t *testing.T, code int, env, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && (code < 0 || exit.ExitCode() == code) {
		err = nil
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, exit.Stderr)
	}
	return string(out)
}

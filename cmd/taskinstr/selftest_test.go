package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"taskinstr/cmd/internal/sibling"
)

// The laboratory knows each suite that "taskinstr selftest -h" names. Its output and its exit code are
// those of taskinstr selftest.
func TestSelftestSuites(t *testing.T) {
	tool := filepath.Join(command, "taskinstr"+exe)
	help, err := exec.Command(tool, "selftest", "-h").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`(?m)^\t([a-z]+)  `).FindAllStringSubmatch(string(help), -1)
	if len(names) < 7 {
		t.Fatalf("%d suites in\n%s", len(names), help)
	}
	lab, err := sibling.Find("tilab", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range names {
		out, err := exec.Command(lab, m[1], "-h").CombinedOutput()
		if err != nil || !regexp.MustCompile(`^usage: tilab `+m[1]+` `).Match(out) {
			t.Errorf("%s: %v\n%s", m[1], err, out)
		}
	}
	out, err := exec.Command(tool, "selftest", "gorce").CombinedOutput()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 2 || !regexp.MustCompile(`unknown suite "gorce" \(did you mean gorace\?\)`).Match(out) {
		t.Errorf("gorce: %v\n%s", err, out)
	}
}

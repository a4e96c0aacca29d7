package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// docs/use/reports.md shows the reports of the examples: the paragraphs from the accesses to
// the fingerprint, apart from addresses, goroutines and the order of the two sides.
func TestPageReports(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	page := testfile.Read(t, filepath.Join(repo, "docs", "use", "reports.md"))
	fingerprint := regexp.MustCompile(`Fingerprint: [0-9a-f]{16}`)
	access := regexp.MustCompile(`(?:read|write) of .* at examples/\S+:\d+:\d+`)
	for _, name := range []string{"bank", "predicted"} {
		prog := filepath.Join(t.TempDir(), name+exe)
		build := exec.Command(filepath.Join(command, "taskinstr"+exe), "build", "-o", prog, "./examples/"+name)
		build.Dir = repo
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		run := exec.Command(prog)
		run.Env = append(os.Environ(), "GORACE=", "TASKINSTR=strip_path_prefix="+repo+string(filepath.Separator))
		out, _ := run.CombinedOutput()
		lines := append(access.FindAllString(string(out), -1), fingerprint.FindString(string(out)))
		if len(lines) < 3 {
			t.Errorf("%s: no report:\n%s", name, out)
		}
		for _, line := range lines {
			if !strings.Contains(page, line) {
				t.Errorf("docs/use/reports.md does not show this line of the report of examples/%s: %s", name, line)
			}
		}
	}
}

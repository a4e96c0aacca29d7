package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// hangs names, for the process that TestHangs is, a folder and the number of runs that do not end: those that come first.
const hangs = "TASKINSTR_TEST_HANGS"

// TestHangs is the test that TestOrdinary runs.
func TestHangs(t *testing.T) {
	dir, count, ok := strings.Cut(os.Getenv(hangs), ":")
	if !ok {
		t.Skip("it is run by TestOrdinary")
	}
	var n int
	fmt.Sscan(count, &n)
	for i := range n {
		if os.Mkdir(filepath.Join(dir, fmt.Sprint(i)), 0o777) == nil {
			time.Sleep(time.Hour)
		}
	}
}

// A run without a schedule that does not end is bounded by a further run that ends.
func TestOrdinary(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const patience, timeout = 300 * time.Millisecond, 4 * time.Second
	for _, test := range []struct {
		hang     int // runs that do not end
		runs     int // at least: a run may take longer than patience to begin
		timeouts int
		title    string
	}{
		{0, 1, 0, ""},
		{1, 2, 1, "; another run took "},
		{2, 3, 2, "; another run took "},
		{9, 1 + maxBeside, 1 + maxBeside, "the test has not ended within 4s"},
	} {
		scratch := t.TempDir()
		t.Setenv(hangs, t.TempDir()+":"+fmt.Sprint(test.hang))
		r := &Runner{Exe: exe, Digest: "d", Dir: scratch, Scratch: scratch}
		b := &batch.Batch{Binary: "d", Package: "p", Test: "TestHangs", Run: "^TestHangs$", Count: 1, Timeout: timeout, Patience: patience}
		begin := time.Now()
		result, err := r.Run(context.Background(), b)
		took := time.Since(begin)
		if err != nil {
			t.Fatal(err)
		}
		timeouts := 0
		for _, f := range result.Findings {
			if f.Kind != batch.Timeout || !strings.Contains(f.Title, test.title) || !strings.Contains(f.Text, "time.Sleep(") {
				t.Errorf("%d runs hang: finding %s %q\n%s", test.hang, f.Kind, f.Title, f.Text)
			}
			timeouts += f.Runs
		}
		if result.Runs < test.runs || result.Runs > 1+maxBeside || timeouts != test.timeouts {
			t.Errorf("%d runs hang: %d runs, %d without an end, want at least %d, and %d", test.hang, result.Runs, timeouts, test.runs, test.timeouts)
		}
		// With a run that ends, the time is its own; otherwise the sum of all.
		if ends := test.timeouts < test.runs; ends != (result.Elapsed < timeout) {
			t.Errorf("%d runs hang: the test is said to take %v", test.hang, result.Elapsed)
		}
		if test.hang == 9 && took < timeout {
			t.Errorf("no run ends: given up after %v", took)
		}
	}
}

// An interrupt ends all runs.
func TestOrdinaryInterrupted(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	t.Setenv(hangs, t.TempDir()+":9")
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	r := &Runner{Exe: exe, Digest: "d", Dir: scratch, Scratch: scratch}
	result, err := r.Run(ctx, &batch.Batch{Binary: "d", Test: "TestHangs", Run: "^TestHangs$", Count: 1, Timeout: time.Hour, Patience: 100 * time.Millisecond})
	if err != nil || result.Runs != 0 || len(result.Findings) != 0 {
		t.Errorf("%+v, error %v", result, err)
	}
}

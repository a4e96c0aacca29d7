package suite

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// A run without a schedule tells how long a schedule may take, unless the run has not ended.
func TestLimitAfterOrdinary(t *testing.T) {
	for _, test := range []struct {
		elapsed time.Duration
		runs    int
		found   []*batch.Finding
		want    time.Duration
	}{
		{time.Millisecond, 1, nil, leastLimit},
		{time.Minute, 1, nil, batch.Slowdown * time.Minute},
		{ordinaryLimit, 4, []*batch.Finding{{Kind: batch.Timeout, Fingerprint: "1", Runs: 4}}, leastLimit},
		{time.Minute, 2, []*batch.Finding{{Kind: batch.Timeout, Fingerprint: "1", Runs: 1}}, batch.Slowdown * time.Minute},
	} {
		u := &unit{target: &target{path: "p"}, test: "TestX"}
		s := newTestSession(u)
		s.dir = t.TempDir()
		b := u.batch(s.options, "", 0, 1)
		s.record(u, b, &batch.Result{Runs: test.runs, Elapsed: test.elapsed, Findings: test.found})
		if got := u.limit(s.options); !u.ready || got != test.want {
			t.Errorf("after %v a schedule may take %v, want %v", test.elapsed, got, test.want)
		}
	}
}

// The stacks of a run without a schedule that does not end are among the artifacts, though there is no schedule to replay.
func TestKeepWithoutSchedule(t *testing.T) {
	u := &unit{target: &target{path: "p"}, test: "TestX"}
	s := newTestSession(u)
	s.dir = t.TempDir()
	s.record(u, u.batch(s.options, "", 0, 1), &batch.Result{Runs: 1, Findings: []*batch.Finding{{Kind: batch.Timeout, Fingerprint: "f1", Title: "no end", Text: "goroutine 7 [select]:", Runs: 1}}})
	if text, err := os.ReadFile(filepath.Join(s.dir, "f1.txt")); err != nil || string(text) != "goroutine 7 [select]:" {
		t.Errorf("the text %q, error %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "f1.json")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "f1.schedule")); err == nil || s.founds[0].file != "" || s.err != nil {
		t.Errorf("a schedule %q, error %v", s.founds[0].file, s.err)
	}
}

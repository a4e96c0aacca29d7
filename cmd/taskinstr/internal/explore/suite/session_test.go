package suite

import (
	"testing"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// A run without a schedule tells how long a schedule may take, unless the run has not ended.
func TestLimitAfterOrdinary(t *testing.T) {
	for _, test := range []struct {
		elapsed time.Duration
		found   []*batch.Finding
		want    time.Duration
	}{
		{time.Millisecond, nil, leastLimit},
		{time.Minute, nil, slowdown * time.Minute},
		{ordinaryLimit, []*batch.Finding{{Kind: batch.Timeout, Fingerprint: "1"}}, leastLimit},
	} {
		u := &unit{target: &target{path: "p"}, test: "TestX"}
		s := newTestSession(u)
		b := u.batch(s.options, "", 0, 1)
		s.record(u, b, &batch.Result{Runs: 1, Elapsed: test.elapsed, Findings: test.found})
		if got := u.limit(s.options); !u.ready || got != test.want {
			t.Errorf("after %v a schedule may take %v, want %v", test.elapsed, got, test.want)
		}
	}
}

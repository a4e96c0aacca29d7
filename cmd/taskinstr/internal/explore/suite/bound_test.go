package suite

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// Each set of n of the k steps is a placement.
func TestPlacements(t *testing.T) {
	const most = 12
	for k := 1; k <= most; k++ {
		var sets [most + 1]int
		for set := range uint(1) << k {
			sets[bits.OnesCount(set)]++
		}
		for n := 0; n <= k; n++ {
			if got := placements(k, n); got != sets[n] {
				t.Errorf("%d of %d steps: %d placements, want %d", n, k, got, sets[n])
			}
		}
	}
	for _, x := range []struct{ k, n int }{{0, 2}, {1 << 40, 2}, {1000, 16}} {
		if got := placements(x.k, x.n); got != math.MaxInt {
			t.Errorf("%d of %d steps: %d placements, want no limit", x.n, x.k, got)
		}
	}
	if got := placements(2, 5); got != 1 {
		t.Errorf("more preemptions than steps: %d placements", got)
	}
}

const twentySteps = "taskinstr schedule 1\nmain\nmain.1 8\n@1.2 11\nexit\n# graph 1\n"

// A strategy with a bound is not stopped while it has placements left.
func TestStopWithinBound(t *testing.T) {
	for _, test := range []struct {
		strategies []string
		record     string
		want       int // schedules until the test stops, all of them if there are more than 400
	}{
		{[]string{"surw"}, twentySteps, 51},
		{[]string{"preempt"}, twentySteps, 191},           // 20·19/2 placements
		{[]string{"preempt:b=1"}, twentySteps, 51},        // fewer placements than the estimate needs
		{[]string{"preempt:b=1,k=100"}, twentySteps, 101}, // steps that the user names
		{[]string{"surw", "preempt"}, twentySteps, 381},   // each second schedule has a bound
		{[]string{"preempt:b=3"}, twentySteps, 400},       // 1,140 placements
		{[]string{"surw", "pos", "preempt:b=1"}, "", 400}, // no record yet
	} {
		u := &unit{target: &target{path: "p"}, test: "TestX", ready: true}
		s := newTestSession(u)
		s.options.count, s.options.strategies = 400, test.strategies
		for u.stopped == "" {
			_, b := next(s.options, []*unit{u})
			s.record(u, b, &batch.Result{Runs: b.Count, Goroutines: 4, Record: test.record, Graphs: map[string]int{"a": b.Count}})
		}
		got, why := u.result.Runs, "nothing new"
		if test.want == 400 {
			why = "all schedules"
		}
		if got < test.want || got >= test.want+batchSize || u.stopped != why {
			t.Errorf("%s: stopped after %d schedules, %q, want %d, %q", fmt.Sprint(test.strategies), got, u.stopped, test.want, why)
		}
	}
}

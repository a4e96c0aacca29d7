package releases

import (
	"testing"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A run of a test shows a defect of one kind of finding, whatever else it shows.
func TestShows(t *testing.T) {
	reports := []racelog.Report{{Text: "WARNING: DATA RACE"}}
	for _, test := range []struct {
		run   run
		kinds string
	}{
		{run{ok: true, text: "PASS"}, ""},
		{run{reports: reports, text: "--- FAIL: TestX\n testing.go:1: race detected"}, "race"},
		{run{text: "panic: test timed out after 5s\nrunning tests:"}, "deadlock time-out"},
		{run{text: "fatal error: all goroutines are asleep - deadlock!"}, "deadlock time-out"},
		{run{text: "panic: close of closed channel"}, "panic"},
		{run{reports: reports, text: "panic: close of closed channel"}, "race panic"},
		{run{text: "--- FAIL: TestX (0.00s)"}, "test failure"},
	} {
		kinds := ""
		for _, kind := range Findings {
			if test.run.shows(kind) {
				kinds += " " + kind
			}
		}
		if kinds != "" {
			kinds = kinds[1:]
		}
		if kinds != test.kinds {
			t.Errorf("%+v shows %q, want %q", test.run, kinds, test.kinds)
		}
	}
	var n Count
	if n.add(Case{Release: &Release{Kind: "panic"}}, &source{}, run{text: "panic: x"}); n != (Count{Runs: 1, Failed: 1, Shown: 1}) {
		t.Errorf("%+v", n)
	}
}

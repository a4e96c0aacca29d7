package allsets

import (
	"maps"
	"testing"

	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(500)

var features = []differential.Features{
	{Sync: true, Locks: true, Ranges: true},
	{Sync: true, Finish: true, Locks: true, Isolated: true, Ranges: true},
	{Sync: true, Locks: true, Atomics: true},
}

// The detector names the racy bytes that brute force finds, and only pairs that brute force
// finds.
func TestJudge(t *testing.T) {
	races := 0
	for s, r := range programs.All(98) {
		trace := differential.Random(r, 10+r.IntN(80), features[s%uint64(len(features))]).Run(nil)
		want := differential.Judge(trace)
		got := detectortest.Run(t, Spec, nil, trace)
		if err := got.Wrong(want.Structural); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		if !maps.Equal(got.Bytes, want.Words) {
			t.Fatalf("seed %d: racy bytes %v, want %v", s, got.Bytes, want.Words)
		}
		if n := got.Counters["outside the model"]; n != 0 {
			t.Fatalf("seed %d: %d events are outside the model", s, n)
		}
		races += len(got.Bytes)
	}
	if races < *programs.N/10 {
		t.Errorf("only %d racy bytes", races)
	}
	t.Logf("%d programs, %d racy bytes", *programs.N, races)
}

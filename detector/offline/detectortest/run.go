// Package detectortest runs detectors on traces, for their tests.
package detectortest

import (
	"fmt"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

// A Result holds the reports and counters of a detector.
type Result struct {
	Bytes    map[uint64]bool            // the bytes with a reported race
	Pairs    map[differential.Pair]bool // the sites of the reported races
	Counters map[string]int64
}

// Run runs a detector with the given options on a trace.
func Run(t testing.TB, spec event.Spec, option map[string]string, trace []event.Event) Result {
	t.Helper()
	r := Result{Bytes: map[uint64]bool{}, Pairs: map[differential.Pair]bool{}, Counters: map[string]int64{}}
	d, err := spec.New(event.Config{Option: option, Report: func(x event.Race) {
		for i := range x.Size {
			r.Bytes[x.Addr+i] = true
		}
		r.Pairs[differential.Pair{A: min(x.First.Site, x.Second.Site), B: max(x.First.Site, x.Second.Site)}] = true
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range trace {
		e := trace[i] // a detector may keep no reference to the trace
		d.Event(&e)
	}
	for _, c := range d.Close() {
		r.Counters[c.Name] += c.Value
	}
	return r
}

// Wrong returns an error if the detector reported a pair that is not in races.
func (r Result) Wrong(races map[differential.Pair]bool) error {
	for p := range r.Pairs {
		if !races[p] {
			return fmt.Errorf("sites %d and %d do not race", p.A, p.B)
		}
	}
	return nil
}

package batch

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// The ID survives JSON and depends on every field.
func TestID(t *testing.T) {
	b := Batch{Binary: "sha256:00", Package: "p", Test: "TestX", Run: "^TestX$", Args: []string{"-test.short"}, Strategy: "random",
		Seed: 1, Count: 10, Counts: "r", Schedule: "s", Options: "predicted=all", Dir: "a/b", Timeout: time.Second, Patience: time.Second}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var c Batch
	if err := json.Unmarshal(text, &c); err != nil || c.ID() != b.ID() || !reflect.DeepEqual(b, c) {
		t.Errorf("%s becomes %+v, error %v", text, c, err)
	}
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		c = b
		v.Field(i).SetZero()
		if c.ID() == b.ID() {
			t.Errorf("the ID does not depend on %s", v.Type().Field(i).Name)
		}
	}
}

// A race takes the place of its prediction, and a shorter schedule that of a longer one.
func TestMerge(t *testing.T) {
	var r Result
	for _, x := range []Result{
		{Runs: 2, Graphs: map[string]int{"a": 1, "b": 1}, Findings: []*Finding{{Kind: Predicted, Fingerprint: "1", Runs: 2, First: 3, Schedule: "p", Switches: 1}}},
		{Runs: 1, Graphs: map[string]int{"a": 1}, Findings: []*Finding{{Kind: Race, Fingerprint: "1", Runs: 1, First: 8, Schedule: "long", Switches: 9}}},
		{Runs: 1, Notes: map[string]int{"C": 1}, Findings: []*Finding{{Kind: Race, Fingerprint: "1", Runs: 1, First: 6, Schedule: "short", Switches: 5}}},
		{Runs: 1, Findings: []*Finding{{Kind: Predicted, Fingerprint: "1", Runs: 1, First: 5, Schedule: "p", Switches: 1}}},
	} {
		r.Merge(&x)
	}
	f := r.Findings[0]
	if r.Runs != 5 || r.Graphs["a"] != 2 || r.Graphs["b"] != 1 || r.Notes["C"] != 1 || len(r.Findings) != 1 {
		t.Errorf("merged: %+v", r)
	}
	if f.Kind != Race || f.Runs != 5 || f.First != 6 || f.Schedule != "short" {
		t.Errorf("merged finding: %+v", f)
	}
}

package datarace

import (
	"slices"
	"testing"

	"taskinstr/detector/offline/drdp"
)

// DRDP finds the variables that race and no others.
func TestModels(t *testing.T) {
	for _, p := range All {
		racy, err := p.Find(drdp.Spec, nil)
		if err != nil {
			t.Errorf("DRB%03d %s: %v", p.Number, p.Name, err)
		}
		if !slices.Equal(racy, p.Racy) {
			t.Errorf("DRB%03d %s: races of %v, want %v", p.Number, p.Name, racy, p.Racy)
		}
	}
}

// The labels agree with the paper's first table.
func TestLabels(t *testing.T) {
	yes := []int{27, 131, 134, 173, 175, 177}
	no := []int{72, 78, 79, 132, 133, 174, 176}
	if len(All) != len(yes)+len(no) {
		t.Errorf("%d programs, want %d", len(All), len(yes)+len(no))
	}
	for _, p := range All {
		if racy := len(p.Racy) > 0; racy != slices.Contains(yes, p.Number) || racy == slices.Contains(no, p.Number) {
			t.Errorf("DRB%03d: racy is %v", p.Number, racy)
		}
	}
}

// The Go programs end.
func TestRun(t *testing.T) {
	for _, p := range All {
		p.Run()
	}
}

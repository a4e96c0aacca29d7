package model_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/zipper/orders/model"
)

// sum adds up ranges of an array in nested tasks and counts the ranges in a section.
func sum(result *int) model.Program {
	return func(t *model.Task) {
		v, parts, done := t.Ints(8), t.Ints(2), t.Ints(1)
		t.StoreRange(v, 0, []int{1, 2, 3, 4, 5, 6, 7, 8})
		t.Finish(func() {
			for i := range 2 {
				t.Async(func(t *model.Task) {
					s := 0
					for _, x := range t.LoadRange(v, 4*i, 4*i+4) {
						s += x
					}
					t.Store(parts, i, s)
					t.Async(func(t *model.Task) { t.Isolated(func() { t.Store(done, 0, t.Load(done, 0)+1) }) })
				})
			}
		})
		*result = t.Load(parts, 0) + t.Load(parts, 1) + 100*t.Load(done, 0)
	}
}

// Programs compute with the values of their variables. Their traces are well formed,
// depth-first if no section makes a task wait, and the same in each run.
func TestRunner(t *testing.T) {
	var sites model.Sites
	got := 0
	run := model.Runner(sum(&got), &sites)
	x, err := run(nil)
	if err != nil || got != 236 {
		t.Fatalf("sum %d, error %v", got, err)
	}
	if err := event.Check(x.Trace); err != nil {
		t.Fatal(err)
	}
	y, err := run(x.Choices())
	if err != nil || fmt.Sprint(x) != fmt.Sprint(y) {
		t.Errorf("two runs differ: %v and %v, error %v", x, y, err)
	}
	if len(x.Points) != 2 || !slices.Equal(x.Points[0].Ready, []string{"main.1.1", "main.2.1"}) {
		t.Errorf("points %v", x.Points)
	}
	if z, err := run([]string{"main.2.1"}); err != nil || z.Points[0].Chosen != "main.2.1" || got != 236 {
		t.Errorf("the other order: %v, error %v", z.Points, err)
	}
	for _, e := range x.Trace {
		if p := sites.Place(e.Site); e.Op != event.End && !strings.HasPrefix(p, "model_test.go:") {
			t.Errorf("%v comes from %s", e, p)
		}
	}
}

// Each interleaving of single events is well formed and computes the same sum.
func TestInterleave(t *testing.T) {
	got, different := 0, map[string]bool{}
	for i := range uint64(100) {
		r := rand.New(rand.NewPCG(i, 1))
		trace, err := model.Interleave(sum(&got), r.IntN)
		if err != nil || got != 236 {
			t.Fatalf("sum %d, error %v", got, err)
		}
		if err := event.Check(trace); err != nil {
			t.Fatal(err)
		}
		different[fmt.Sprint(trace)] = true
	}
	if len(different) < 50 {
		t.Errorf("only %d different interleavings of 100", len(different))
	}
}

// A task that needs a section inside a section waits for ever.
func TestDeadlock(t *testing.T) {
	p := func(t *model.Task) {
		t.Isolated(func() {
			t.Finish(func() { t.Async(func(t *model.Task) { t.Isolated(func() {}) }) })
		})
	}
	if _, err := model.Runner(p, nil)(nil); err == nil || !strings.Contains(err.Error(), "deadlock") {
		t.Errorf("error %v", err)
	}
	if _, err := model.Interleave(p, func(int) int { return 0 }); err == nil {
		t.Error("no deadlock in the interleaving")
	}
}

package suite

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
)

// A model replays loose records of two goroutines that make five steps each. The finding is that
// main.2 makes its third step after the second and before the third one of main.1.
type model struct{ runs int }

func (m *model) Run(_ context.Context, b *batch.Batch) (*batch.Result, error) {
	m.runs++
	left := map[string]int{"main.1": 5, "main.2": 5}
	var order []string
	step := func(name string) {
		if left[name] > 0 {
			left[name]--
			order = append(order, name)
		}
	}
	_, text, _ := strings.Cut(b.Schedule, "points program\n")
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		n := 1
		if len(words) == 2 {
			n, _ = strconv.Atoi(words[1])
		}
		for range n {
			step(words[0])
		}
	}
	for _, name := range []string{"main.1", "main.2"} {
		for left[name] > 0 {
			step(name)
		}
	}
	r := &batch.Result{Runs: 1}
	done := map[string]int{}
	shown := false
	var record strings.Builder
	record.WriteString("taskinstr schedule 1\nseed 1\npoints program\n")
	for _, name := range order {
		done[name]++
		shown = shown || name == "main.2" && done["main.2"] == 3 && done["main.1"] == 2
		fmt.Fprintln(&record, name)
	}
	if shown {
		text := record.String()
		r.Add(&batch.Finding{Kind: batch.Panic, Fingerprint: "x", Schedule: text, Switches: local.Switches(text), Runs: 1})
	}
	return r, nil
}

func TestShrink(t *testing.T) {
	m := &model{}
	first := "taskinstr schedule 1\nstrategy random:3\nseed 3\npoints program\nmain.2\nmain.1\nmain.2\nmain.1\nmain.2\nmain.1\nmain.2\nmain.1\nmain.2\nmain.1\nexit\n"
	f := &batch.Finding{Kind: batch.Panic, Fingerprint: "x", Schedule: first, Switches: local.Switches(first)}
	best := shrink(t.Context(), m, batch.Batch{}, f)
	// main.1 twice, main.2 three times or to its end, main.1, main.2.
	if best.Switches > 3 || m.runs > 60 {
		t.Errorf("%d switches after %d runs:\n%s", best.Switches, m.runs, best.Schedule)
	}
	if n := reproduced(t.Context(), m, batch.Batch{}, best, 1); n != 1 {
		t.Error("the shortest schedule does not show the finding")
	}
}

// Schedules that cannot be shortened stay as they are.
func TestNoShrink(t *testing.T) {
	for _, record := range []string{
		"", "taskinstr schedule 1\npoints locks\nmain | main:1\n", "taskinstr schedule 1\npoints program\nmain to lock 3\n",
	} {
		m := &model{}
		f := &batch.Finding{Kind: batch.Panic, Fingerprint: "x", Schedule: record}
		if shrink(t.Context(), m, batch.Batch{}, f) != f || m.runs > 0 {
			t.Errorf("%q was shortened", record)
		}
	}
}

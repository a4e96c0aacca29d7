package model

import (
	"strings"
	"testing"

	"taskinstr/detector/event"
)

func trace(t *testing.T, main func(*Task)) []event.Event {
	t.Helper()
	var trace []event.Event
	if err := Run(func(e *event.Event) { trace = append(trace, *e) }, main); err != nil {
		t.Fatal(err)
	}
	if err := event.Check(trace); err != nil {
		t.Fatal(err)
	}
	return trace
}

// Without late promises, the execution is depth-first.
func TestDepthFirst(t *testing.T) {
	got := trace(t, func(t *Task) {
		v := t.Var(8)
		t.Finish(func() {
			for range 3 {
				t.Async(func(t *Task) {
					t.Async(func(t *Task) { t.Read(v) })
					t.Read(v)
				})
			}
			t.Read(v)
		})
		t.Get(t.Future(func(t *Task) { t.Write(v) }))
	})
	if at := event.IsDepthFirst(got); at >= 0 {
		t.Errorf("event %d is not in depth-first order", at)
	}
	if want := 26; len(got) != want {
		t.Errorf("%d events, want %d: %v", len(got), want, got)
	}
}

// A Set resumes a waiting task before the setter continues. A scope waits for the waiting
// task.
func TestLateSet(t *testing.T) {
	var order []string
	trace(t, func(t *Task) {
		p := t.Promise()
		t.Finish(func() {
			t.Finish(func() {
				t.Async(func(t *Task) {
					t.Finish(func() { t.Async(func(t *Task) { t.Get(p); order = append(order, "got") }) })
					order = append(order, "waited")
				})
				t.Async(func(t *Task) { t.Set(p); order = append(order, "set") })
			})
			order = append(order, "end")
		})
	})
	if got := strings.Join(order, " "); got != "got waited set end" {
		t.Errorf("order: %s", got)
	}
}

func TestDeadlock(t *testing.T) {
	err := Run(func(*event.Event) {}, func(t *Task) { t.Get(t.Promise()) })
	if err == nil {
		t.Error("a task that waits for ever is no error")
	}
}

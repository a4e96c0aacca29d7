//go:build !race

package task_test

import (
	"strings"
	"testing"
	"time"

	"taskinstr/rt/task"
)

// A child that uses its parent's Task gets a panic, at the latest when the parent waits.
// (This use is also a data race, which a detector would report first.)
func TestParentsTask(t *testing.T) {
	_, p := finish(t, func(parent *task.Task) {
		parent.Async(func(*task.Task) {
			for start := time.Now(); time.Since(start) < 5*time.Second; time.Sleep(time.Millisecond) {
				parent.Async(func(*task.Task) {})
			}
		})
	})
	failure, ok := p.(*task.PanicError)
	if !ok || !strings.Contains(failure.Error(), "Async of a task that waits; a function that a task runs must use the Task that it was given") {
		t.Errorf("panic %v", p)
	}
}

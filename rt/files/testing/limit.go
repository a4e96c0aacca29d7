//go:build taskinstr_runtime

// The limit on parallel tests, and whether it orders them.

package testing

import (
	"flag"
	"internal/race"
	"unsafe"
)

// The slot that a test gets, and whether one was free, depends on the schedule and on the
// number of processors. So the limiter's lock, counter and channel order no tests. Only a
// user who asks for -parallel=1 can rely on an order: then each test comes after the
// tests that had the slot before.

// taskinstr_got ends a test's wait for a slot; task is the result of taskinstr_suspend at
// its begin.
func (s *testState) taskinstr_got(task uintptr) {
	taskinstr_resume(task)
	if s.taskinstr_serial() {
		race.Acquire(unsafe.Pointer(s))
	}
}

// taskinstr_gives is called before a test gives up its slot.
func (s *testState) taskinstr_gives() {
	if s.taskinstr_serial() {
		race.ReleaseMerge(unsafe.Pointer(s))
	}
}

// taskinstr_serial reports whether the user asked for -parallel=1.
func (s *testState) taskinstr_serial() bool {
	if s.maxParallel != 1 {
		return false
	}
	defer taskinstr_resume(taskinstr_suspend())
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	return given
}

// taskinstr_list notes that t's parent has to wait for t. A goroutine without a task
// calls it.
func (t *T) taskinstr_list() { t.parent.sub = append(t.parent.sub, t) }

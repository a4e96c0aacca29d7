//go:build taskinstr_runtime

// How many tests may run at once, and whether that orders them.

package testing

import (
	"flag"
	"internal/race"
	"unsafe"
)

// Which test gets which slot, and whether one was free, depends on the schedule and on
// the number of processors. So the limiter's lock, counter and channel order no tests.
// Only a user who asks for -parallel=1 can rely on it: then each test comes after those
// that had the slot before.

// taskinstr_got ends the time in which a test waits for a slot; task is what it was
// suspended as.
func (s *testState) taskinstr_got(task uintptr) {
	taskinstr_resume(task)
	if s.taskinstr_serial() {
		race.Acquire(unsafe.Pointer(s))
	}
}

// taskinstr_gives comes before a test gives its slot up.
func (s *testState) taskinstr_gives() {
	if s.taskinstr_serial() {
		race.ReleaseMerge(unsafe.Pointer(s))
	}
}

// taskinstr_serial reports whether -parallel=1 was asked for.
func (s *testState) taskinstr_serial() bool {
	if s.maxParallel != 1 {
		return false
	}
	defer taskinstr_resume(taskinstr_suspend())
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	return given
}

// taskinstr_list notes that the test that t is a part of has to wait for t. It is called
// by a goroutine that is no task.
func (t *T) taskinstr_list() { t.parent.sub = append(t.parent.sub, t) }

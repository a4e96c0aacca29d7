//go:build taskinstr_runtime

// Functions of package runtime that the patches of a package (rt/patch.go) call. The
// package need not import anything for them.

package linked // replaced by the package's own name

import "unsafe"

// taskinstr_suspend takes the task from the calling goroutine, until the result is passed
// to taskinstr_resume.
//
//go:linkname taskinstr_suspend runtime.taskinstr_suspend
func taskinstr_suspend() uintptr

//go:linkname taskinstr_resume runtime.taskinstr_resume
func taskinstr_resume(task uintptr)

// taskinstr_package says that the program tests a package, and taskinstr_test which test
// the calling goroutine runs.
//
//go:linkname taskinstr_package runtime.taskinstr_package
func taskinstr_package(path string)

//go:linkname taskinstr_test runtime.taskinstr_test
func taskinstr_test(name *string)

// taskinstr_begins is called before the function of a test. taskinstr_harness says whether the calling
// goroutine runs the code of package testing from now on; functions of the package call taskinstr_enters
// and taskinstr_leaves.
//
//go:linkname taskinstr_begins runtime.taskinstr_begins
func taskinstr_begins()

//go:linkname taskinstr_harness runtime.taskinstr_harness
func taskinstr_harness(on bool)

//go:linkname taskinstr_enters runtime.taskinstr_enters
func taskinstr_enters()

//go:linkname taskinstr_leaves runtime.taskinstr_leaves
func taskinstr_leaves()

// taskinstr_ends is called before a test counts as done.
//
//go:linkname taskinstr_ends runtime.taskinstr_ends
func taskinstr_ends()

// taskinstr_temporary returns a random number for the name of a temporary file. taskinstr_seeded fills b with random
// bytes, if the schedule is to supply them.
//
//go:linkname taskinstr_temporary runtime.taskinstr_temporary
func taskinstr_temporary() uint64

//go:linkname taskinstr_seeded runtime.taskinstr_seeded
func taskinstr_seeded(b []byte) bool

// taskinstr_fresh announces that n bytes at p have a new owner, as after an allocation.
//
//go:linkname taskinstr_fresh runtime.taskinstr_fresh
func taskinstr_fresh(p unsafe.Pointer, n uintptr)

// taskinstr_connects is called before connect, taskinstr_accepted after accept.
//
//go:linkname taskinstr_connects runtime.taskinstr_connects
func taskinstr_connects()

//go:linkname taskinstr_accepted runtime.taskinstr_accepted
func taskinstr_accepted()

// taskinstr_sends is called before a message or the end of a stream is sent,
// taskinstr_received after either has arrived.
//
//go:linkname taskinstr_sends runtime.taskinstr_sends
func taskinstr_sends()

//go:linkname taskinstr_received runtime.taskinstr_received
func taskinstr_received()

// taskinstr_scheduled reports whether the program runs under a schedule, which then wants to know the addresses of
// sockets, and how many bytes they move.
//
//go:linkname taskinstr_scheduled runtime.taskinstr_scheduled
func taskinstr_scheduled() bool

//go:linkname taskinstr_socket runtime.taskinstr_socket
func taskinstr_socket(fd uintptr, kind int, self, peer uint64)

//go:linkname taskinstr_moved runtime.taskinstr_moved
func taskinstr_moved(fd, n int, write bool)

// taskinstr_locks is called after a lock was taken that is none of package sync, taskinstr_unlocks
// before it is given up.
//
//go:linkname taskinstr_locks runtime.taskinstr_locks
func taskinstr_locks(lock unsafe.Pointer, shared bool)

//go:linkname taskinstr_unlocks runtime.taskinstr_unlocks
func taskinstr_unlocks(lock unsafe.Pointer, shared bool)

// taskinstr_quiet is called before a lock of package sync is taken. The package keeps its own data
// whole with it, and passes none from one task to another: conflicts order nothing else.
//
//go:linkname taskinstr_quiet runtime.taskinstr_quiet
func taskinstr_quiet()

// taskinstr_releases adds the past of the calling goroutine to what p stands for, and
// taskinstr_acquires orders the goroutine after all of that.
//
//go:linkname taskinstr_releases runtime.taskinstr_releases
func taskinstr_releases(p unsafe.Pointer)

//go:linkname taskinstr_acquires runtime.taskinstr_acquires
func taskinstr_acquires(p unsafe.Pointer)

//go:build taskinstr_runtime

// What the patches of a package (rt/patch.go) ask of package runtime. The package need
// not import anything for it.

package linked // the package's own name takes this place

import "unsafe"

// taskinstr_suspend makes the calling goroutine no task until taskinstr_resume gets the
// result.
//
//go:linkname taskinstr_suspend runtime.taskinstr_suspend
func taskinstr_suspend() uintptr

//go:linkname taskinstr_resume runtime.taskinstr_resume
func taskinstr_resume(task uintptr)

// taskinstr_fresh says that n bytes at p have a new owner, as if they were allocated.
//
//go:linkname taskinstr_fresh runtime.taskinstr_fresh
func taskinstr_fresh(p unsafe.Pointer, n uintptr)

// taskinstr_connects comes before connect, taskinstr_accepted behind accept.
//
//go:linkname taskinstr_connects runtime.taskinstr_connects
func taskinstr_connects()

//go:linkname taskinstr_accepted runtime.taskinstr_accepted
func taskinstr_accepted()

// taskinstr_sends comes before a message or the end of a stream is sent,
// taskinstr_received behind the arrival of either.
//
//go:linkname taskinstr_sends runtime.taskinstr_sends
func taskinstr_sends()

//go:linkname taskinstr_received runtime.taskinstr_received
func taskinstr_received()

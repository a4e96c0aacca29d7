//go:build taskinstr_runtime

// Events of patched std packages for which Go has no race hook (see rt/patch.go and
// rt/files/linked).

package runtime

import "unsafe"

// taskinstr_suspend takes the task from the calling goroutine: its events are not
// recorded and order nothing until it passes the result to taskinstr_resume.
//
//go:linkname taskinstr_suspend
//go:nosplit
func taskinstr_suspend() uintptr {
	gp := getg()
	task := gp.racectx
	gp.racectx = 0
	return task
}

// taskinstr_resume undoes taskinstr_suspend. Task 0 means that the goroutine had no task
// or was suspended already; then nothing changes.
//
//go:linkname taskinstr_resume
//go:nosplit
func taskinstr_resume(task uintptr) {
	if task != 0 {
		getg().racectx = task
	}
}

// taskinstr_fresh announces that n bytes at p have a new owner.
//
//go:linkname taskinstr_fresh
//go:nosplit
func taskinstr_fresh(p unsafe.Pointer, n uintptr) {
	if tr_tracing {
		tr_traceMemory(tw_Alloc, uintptr(p), n, true)
		return
	}
	racemalloc(p, n)
}

// tr_io holds the addresses for release and acquire of data sent through the operating
// system. Each represents all sockets and pipes, as ioSync in package syscall does for
// reads and writes, because the detector cannot tell which of them are connected.
var tr_io struct {
	connection byte // from connect to accept
	message    byte // from a datagram, a gathered write or the end of a stream to its arrival
}

//go:linkname taskinstr_connects
func taskinstr_connects() { racereleasemerge(unsafe.Pointer(&tr_io.connection)) }

//go:linkname taskinstr_accepted
func taskinstr_accepted() { raceacquire(unsafe.Pointer(&tr_io.connection)) }

//go:linkname taskinstr_sends
func taskinstr_sends() { racereleasemerge(unsafe.Pointer(&tr_io.message)) }

//go:linkname taskinstr_received
func taskinstr_received() { raceacquire(unsafe.Pointer(&tr_io.message)) }

//go:build taskinstr_runtime

// What patched std packages say that has no race hook (see rt/patch.go and
// rt/files/linked).

package runtime

import "unsafe"

// taskinstr_suspend makes the calling goroutine no task: what it does is not recorded
// and orders nothing, until taskinstr_resume gets the result back.
//
//go:linkname taskinstr_suspend
//go:nosplit
func taskinstr_suspend() uintptr {
	gp := getg()
	task := gp.racectx
	gp.racectx = 0
	return task
}

// taskinstr_resume undoes taskinstr_suspend. The zero task is that of a goroutine that
// had none, or was suspended already: nothing changes.
//
//go:linkname taskinstr_resume
//go:nosplit
func taskinstr_resume(task uintptr) {
	if task != 0 {
		getg().racectx = task
	}
}

// taskinstr_fresh says that n bytes at p have a new owner.
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

// tr_io holds the addresses at which what is sent through the operating system is
// released and acquired. Each stands for all sockets and pipes, as package syscall's
// ioSync does for reads and writes: which of them are connected nobody can tell.
var tr_io struct {
	connection byte // from connect to accept
	message    byte // from a datagram, a gathered write, or the end of a stream, to its arrival
}

//go:linkname taskinstr_connects
func taskinstr_connects() { racereleasemerge(unsafe.Pointer(&tr_io.connection)) }

//go:linkname taskinstr_accepted
func taskinstr_accepted() { raceacquire(unsafe.Pointer(&tr_io.connection)) }

//go:linkname taskinstr_sends
func taskinstr_sends() { racereleasemerge(unsafe.Pointer(&tr_io.message)) }

//go:linkname taskinstr_received
func taskinstr_received() { raceacquire(unsafe.Pointer(&tr_io.message)) }

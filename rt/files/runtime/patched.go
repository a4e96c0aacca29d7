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

//go:linkname taskinstr_releases
func taskinstr_releases(p unsafe.Pointer) { racereleasemerge(p) }

//go:linkname taskinstr_acquires
func taskinstr_acquires(p unsafe.Pointer) { raceacquire(p) }

// taskinstr_quiet is called before the calling goroutine takes a lock of package sync whose section is
// quiet.
//
//go:linkname taskinstr_quiet
//go:nosplit
func taskinstr_quiet() {
	if t := tr_taskOf(getg()); t != nil {
		t.Quiet = true
	}
}

// taskinstr_locks is called after the calling goroutine has taken a lock that is none of package
// sync. Its section is quiet, and taking it is no point of a schedule.
//
//go:linkname taskinstr_locks
//go:nosplit
func taskinstr_locks(lock unsafe.Pointer, shared bool) {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	tr_noteLockPC(gp, t, getfp())
	t.Quiet = true
	if tr_tracing {
		tr_traceLock(gp, t, tw_Lock, uintptr(lock), shared)
		return
	}
	systemstack(func() { tr_engine.Lock(t, uintptr(lock), shared) })
}

// taskinstr_unlocks is called before the calling goroutine gives up such a lock.
//
//go:linkname taskinstr_unlocks
//go:nosplit
func taskinstr_unlocks(lock unsafe.Pointer, shared bool) {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	if tr_tracing {
		tr_traceLock(gp, t, tw_Unlock, uintptr(lock), shared)
		return
	}
	systemstack(func() { tr_engine.Unlock(t, uintptr(lock), shared) })
}

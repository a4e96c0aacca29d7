//go:build taskinstr_runtime

// An fdMutex is three locks: the references to the descriptor, which operations share and the end of
// the descriptor has alone, and one lock each for reads and writes. Its atomic operations are not
// observed, because they would order every two tasks that ever used the descriptor, say printed.
//
// Closing a descriptor and setting a deadline interrupt the operations of other tasks, so these two
// come before what such a task does next.

package poll

import "unsafe"

// taskinstr_refers is called by a suspended task that has got a reference. It returns true.
func (mu *fdMutex) taskinstr_refers(task uintptr) bool {
	taskinstr_resume(task)
	taskinstr_locks(unsafe.Pointer(&mu.state), true)
	return true
}

// taskinstr_takes is called by a suspended task that has got a reference and the lock of sema. It
// returns true.
func (mu *fdMutex) taskinstr_takes(task uintptr, sema *uint32) bool {
	mu.taskinstr_refers(task)
	taskinstr_locks(unsafe.Pointer(sema), false)
	return true
}

// taskinstr_fails is called by a suspended task that finds mu closed. It returns false.
func (mu *fdMutex) taskinstr_fails(task uintptr) bool {
	taskinstr_resume(task)
	mu.taskinstr_interrupted()
	return false
}

// taskinstr_forgoes is called by a task that is about to give up a reference.
func (mu *fdMutex) taskinstr_forgoes() {
	mu.taskinstr_interrupted()
	taskinstr_unlocks(unsafe.Pointer(&mu.state), true)
}

// taskinstr_gives is called by a task that is about to give up a reference and the lock for reads or
// writes.
func (mu *fdMutex) taskinstr_gives(read bool) {
	sema := &mu.wsema
	if read {
		sema = &mu.rsema
	}
	taskinstr_unlocks(unsafe.Pointer(sema), false)
	mu.taskinstr_forgoes()
}

// taskinstr_ends is called by a task that destroys the descriptor, since mu is closed and no reference
// is left.
func (mu *fdMutex) taskinstr_ends() {
	mu.taskinstr_interrupted()
	taskinstr_locks(unsafe.Pointer(&mu.state), false)
}

// taskinstr_ended is called when the descriptor is destroyed.
func (mu *fdMutex) taskinstr_ended() { taskinstr_unlocks(unsafe.Pointer(&mu.state), false) }

// taskinstr_interrupts is called by a task that is about to interrupt the operations of others.
func (mu *fdMutex) taskinstr_interrupts() { taskinstr_releases(mu.taskinstr_signal()) }

// taskinstr_interrupted is called by a task whose operation may have been interrupted.
func (mu *fdMutex) taskinstr_interrupted() { taskinstr_acquires(mu.taskinstr_signal()) }

// taskinstr_signal returns the address that stands for the interruptions.
func (mu *fdMutex) taskinstr_signal() unsafe.Pointer { return unsafe.Add(unsafe.Pointer(&mu.state), 1) }

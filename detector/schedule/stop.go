package schedule

// A stop is the end of a line of a record that tells how far its task runs:
//
//	main.2 to lock 3
//
// The task runs, through any points that it reaches, until it is about to take its third
// lock. The author of such a line knows the operations of the tasks in another run, but
// not the points at which they were asked to let others run. The numbers count all
// operations of a task from its beginning.
type stop uint32

const (
	noStop     stop = iota
	stopLock        // before the n-th lock that the task gets
	stopHeld        // after the n-th lock that the task gets
	stopGo          // after the n-th go statement
	stopBranch      // at the n-th branch that the task decides, in programs built with -branches=on
)

var stopText = [...]string{stopLock: "lock", stopHeld: "held", stopGo: "go", stopBranch: "branch"}

// stop reads the words after "to": the kind of the stop and a number.
func (r *record) stop(from, to uintptr, c *choice) bool {
	end, arg := r.word(from, to)
	for i := stopLock; i <= stopBranch; i++ {
		if r.is(from, end, stopText[i]) {
			n, ok := r.number(arg, to)
			c.stop, c.nth = i, n
			return ok && n != 0
		}
	}
	return false
}

// Locking records that t, the running task, is about to take a lock. It reports whether
// the host must ask Stay.
func (r *Replay) Locking(t ID) bool { return r.reached(t, stopLock, r.ts.at(t).taken+1) }

// Took records that t, the running task, has taken a lock, and reports the same.
func (r *Replay) Took(t ID) bool {
	e := r.ts.at(t)
	e.taken++
	return r.reached(t, stopHeld, e.taken)
}

// Deciding records that t, the running task, decides a branch, and reports the same.
func (r *Replay) Deciding(t ID) bool {
	e := r.ts.at(t)
	e.branches++
	return r.reached(t, stopBranch, e.branches)
}

// reached ends the due line if it lets t run no further than to its n-th stop of a kind.
// It reports whether it did.
func (r *Replay) reached(t ID, s stop, n uint32) bool {
	if !r.due() || r.line.stop != s || r.line.hash != r.ts.Hash(t) || n < r.line.nth {
		return false
	}
	r.line.left = 0
	return true
}

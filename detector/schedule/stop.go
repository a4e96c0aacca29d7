package schedule

// A stop is where a line of a record ends that tells how far its task runs:
//
//	main.2 to lock 3
//
// The task goes on, whatever points it comes to, until it is about to take its third
// lock. Who writes such a line knows of another run what its tasks did, but not when they
// were asked to let others run. The numbers count all that a task does from its beginning.
type stop uint32

const (
	noStop     stop = iota
	stopLock        // in front of the task's n-th lock that it gets
	stopHeld        // behind that
	stopGo          // behind its n-th go statement
	stopBranch      // where it decides its n-th branch: programs built with -branches=on say where
)

var stopText = [...]string{stopLock: "lock", stopHeld: "held", stopGo: "go", stopBranch: "branch"}

// stop reads what follows the word "to": the kind of the stop and a number.
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

// Locking says that t, which runs, is about to take a lock, and reports whether to ask Stay
// whether it goes on.
func (r *Replay) Locking(t ID) bool { return r.reached(t, stopLock, r.ts.at(t).taken+1) }

// Took says that t, which runs, has taken a lock, and reports the same.
func (r *Replay) Took(t ID) bool {
	e := r.ts.at(t)
	e.taken++
	return r.reached(t, stopHeld, e.taken)
}

// Deciding says that t, which runs, decides a branch, and reports the same.
func (r *Replay) Deciding(t ID) bool {
	e := r.ts.at(t)
	e.branches++
	return r.reached(t, stopBranch, e.branches)
}

// reached ends the line that is due if it is one of t that goes no further than to the n-th
// stop of a kind, and reports whether it did.
func (r *Replay) reached(t ID, s stop, n uint32) bool {
	if !r.due() || r.line.stop != s || r.line.hash != r.ts.Hash(t) || n < r.line.nth {
		return false
	}
	r.line.left = 0
	return true
}

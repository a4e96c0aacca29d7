package mem

// LockWaits is the number of times that a thread found one of the locks below taken, in all engines.
var LockWaits uint32

// Lock takes a spin lock, a word that is 0 while nobody has the lock. It is held for a few dozen
// instructions, by threads that Go does not deschedule meanwhile.
func Lock(p *uint32) {
	if !Cas32(p, 0, 1) {
		lockSlow(p)
	}
}

// Unlock gives a spin lock up.
//
//go:nosplit
func Unlock(p *uint32) { Store32(p, 0) }

func lockSlow(p *uint32) {
	Add32(&LockWaits, 1)
	for spins := uint32(0); ; spins++ {
		if Load32(p) == 0 && Cas32(p, 0, 1) {
			return
		}
		Yield(spins)
	}
}

// LockSeq locks a sequence lock: the word is odd while locked, and each holder leaves it
// with a new even value. If a reader finds the word even before and unchanged after its
// reads, no holder was active in between. The reader loads with Load32 and Load64, which a
// later load does not overtake.
func LockSeq(p *uint32) {
	if !TryLockSeq(p, Load32(p)) {
		lockSeqSlow(p)
	}
}

// TryLockSeq locks the word if its value is v and v is even.
//
//go:nosplit
func TryLockSeq(p *uint32, v uint32) bool {
	if v&1 != 0 || !Cas32(p, v, v+1) {
		return false
	}
	Fence() // a reader that sees a store of this holder sees the odd value, too
	return true
}

// quickTries is the number of attempts of QuickLockSeq. A lock is never held for long.
const quickTries = 32

// QuickLockSeq tries to lock the word, and returns its last value seen.
//
//go:nosplit
func QuickLockSeq(p *uint32) (v uint32, ok bool) {
	for n := 0; n < quickTries; n++ {
		if v = Load32(p); TryLockSeq(p, v) {
			return v, true
		}
		if n == 0 {
			Add32(&LockWaits, 1)
		}
		Pause()
	}
	return v, false
}

func lockSeqSlow(p *uint32) {
	Add32(&LockWaits, 1)
	for spins := uint32(0); ; spins++ {
		if TryLockSeq(p, Load32(p)) {
			return
		}
		Yield(spins)
	}
}

package parallel

// lockWaits is the number of times that a thread found one of the locks below taken, in all engines.
var lockWaits uint32

// lockWord and unlockWord are the engine's spin lock. It is held for a few dozen
// instructions, by threads that Go does not deschedule meanwhile.
func lockWord(p *uint32) {
	if !cas32(p, 0, 1) {
		lockSlow(p)
	}
}

func lockSlow(p *uint32) {
	add32(&lockWaits, 1)
	for spins := uint32(0); ; spins++ {
		if load32(p) == 0 && cas32(p, 0, 1) {
			return
		}
		hostYield(spins)
	}
}

// unlockWord unlocks a lock word. (Arenas, which have no Engine at hand, use store32.)
func (e *Engine) unlockWord(p *uint32) {
	if e.opt.TSO {
		*p = 0
		return
	}
	store32(p, 0)
}

// lockSeq locks a sequence lock: the word is odd while locked, and each holder leaves it
// with a new even value. If a reader finds the word even before and unchanged after its
// reads, no holder was active in between. The reader loads with load32 and load64, which a
// later load does not overtake.
func lockSeq(p *uint32) {
	if !tryLockSeq(p, load32(p)) {
		lockSeqSlow(p)
	}
}

// tryLockSeq locks the word if its value is v and v is even.
//
//go:nosplit
func tryLockSeq(p *uint32, v uint32) bool {
	if v&1 != 0 || !cas32(p, v, v+1) {
		return false
	}
	hostFence() // a reader that sees a store of this holder sees the odd value, too
	return true
}

// quickTries is the number of attempts of quickLockSeq. A block is never locked for long.
const quickTries = 32

// quickLockSeq tries to lock the word, and returns its last value seen.
//
//go:nosplit
func quickLockSeq(p *uint32) (v uint32, ok bool) {
	for n := 0; n < quickTries; n++ {
		if v = load32(p); tryLockSeq(p, v) {
			return v, true
		}
		if n == 0 {
			add32(&lockWaits, 1)
		}
		hostPause()
	}
	return v, false
}

func lockSeqSlow(p *uint32) {
	add32(&lockWaits, 1)
	for spins := uint32(0); ; spins++ {
		if tryLockSeq(p, load32(p)) {
			return
		}
		hostYield(spins)
	}
}

func (e *Engine) unlockSeq(p *uint32) {
	if e.opt.TSO {
		*p++
		return
	}
	store32(p, *p+1)
}

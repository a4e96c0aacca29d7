//go:build taskinstr_runtime

// Random numbers under a schedule. They depend only on the goroutine that asks for them, on the number of its previous
// calls, and on the seed of the schedule, so that a replay meets the same choices.

package runtime

import _ "unsafe" // for go:linkname

// tr_randn returns a number less than n for select.
//
//go:nosplit
func tr_randn(n uint32) uint32 {
	if tr_sched.on {
		if x, ok := tr_rand(); ok {
			return uint32((x >> 32) * uint64(n) >> 32)
		}
	}
	return cheaprandn(n)
}

// tr_rand returns a number that depends only on the calling goroutine, the number of its
// previous calls, and the seed of the schedule (splitmix64).
//
//go:nosplit
func tr_rand() (x uint64, ok bool) {
	gp := getg()
	if gp != gp.m.curg {
		return 0, false
	}
	e := tr_sched.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return 0, false
	}
	e.rand += 0x9e3779b97f4a7c15
	x = e.rand
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31, true
}

// taskinstr_temporary returns a random number for the name of a temporary file. If the name exists already, another one is
// asked for. So these numbers are drawn apart: what an earlier run has left behind changes no other number.
//
//go:linkname taskinstr_temporary
func taskinstr_temporary() uint64 {
	gp := getg()
	if tr_sched.on && gp == gp.m.curg {
		if e := tr_sched.goroutines.find(gp); e != nil && e.id != 0 {
			e.temporary++
			return tr_mix(tr_sched.tasks.Hash(e.id)^tr_sched.seed, e.temporary)
		}
	}
	return rand()
}

// The values of the option cryptorand.
const (
	tr_cryptoSystem = "system"
	tr_cryptoSeeded = "seeded"
)

// taskinstr_seeded fills b with random bytes for package crypto/rand, if the option cryptorand says so.
//
//go:linkname taskinstr_seeded
func taskinstr_seeded(b []byte) bool {
	if !tr_sched.on || !tr_sched.crypto {
		return false
	}
	var x uint64
	for i := range b {
		if i%8 == 0 {
			var ok bool
			if x, ok = tr_rand(); !ok {
				return false
			}
		}
		b[i] = byte(x >> (i % 8 * 8))
	}
	return true
}

package differential

import (
	"flag"
	"iter"
	"math/rand/v2"
)

// Programs says how many random programs the tests of a package make, and the seed of the first; the
// next has the next one.
type Programs struct {
	N    *int
	Seed *uint64
}

// Flags declares the flags -programs, which is n unless it is given, and -seed.
func Flags(n int) Programs {
	return Programs{flag.Int("programs", n, "how many random programs"), flag.Uint64("seed", 1, "of the first")}
}

// All returns the seed of each program, with its random numbers. Each test has a stream of its own.
func (p Programs) All(stream uint64) iter.Seq2[uint64, *rand.Rand] { return p.Part(1, stream) }

// Part returns one of n of them.
func (p Programs) Part(n uint64, stream uint64) iter.Seq2[uint64, *rand.Rand] {
	return func(yield func(uint64, *rand.Rand) bool) {
		for i := range uint64(*p.N) / n {
			if s := *p.Seed + i; !yield(s, rand.New(rand.NewPCG(s, stream))) {
				return
			}
		}
	}
}

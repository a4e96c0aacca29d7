package random

import "math/rand/v2"

// A Source makes the choices of one case. Equal sources make equal choices.
type Source struct{ *rand.Rand }

// New returns the source of a case. A case depends on the seed and its number alone, so it
// stays the same in a program of more or fewer cases.
func New(seed uint64, number int) Source {
	return Source{rand.New(rand.NewPCG(seed, uint64(number)))}
}

// Chance returns true in percent of 100 calls.
func (s Source) Chance(percent int) bool { return s.IntN(100) < percent }

// Between returns a number from lo to hi.
func (s Source) Between(lo, hi int) int { return lo + s.IntN(hi-lo+1) }

// Choose returns an element of the list.
func Choose[T any](s Source, list []T) T { return list[s.IntN(len(list))] }

package reports

import (
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// A Pair is what has become of a pair of accesses that programs drove to happen (TASKINSTR=confirm=FILE).
type Pair struct {
	Fingerprint string
	Confirmed   bool
	Reason      string
	came        uint // a set of bits: the sides to which tasks came
}

// typePair is the type of an object that says what has become of a pair.
const typePair = "pair"

// addPair merges p into the set: the process that came closest to the race has the word.
func (s *Set) addPair(p *Pair) {
	rank := func(p *Pair) int {
		if p.Confirmed {
			return 3
		}
		return bits.OnesCount(p.came)
	}
	if old := s.pairs[p.Fingerprint]; old == nil || rank(old) < rank(p) {
		s.pairs[p.Fingerprint] = p
	}
}

// Pairs returns the pairs that were driven, by fingerprint.
func (s *Set) Pairs() []*Pair {
	return slices.SortedFunc(maps.Values(s.pairs), func(a, b *Pair) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
}

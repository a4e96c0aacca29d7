package pointsto

import (
	"math/bits"
	"slices"
)

// A set is a sparse bit set of nodes: words of 64 bits, sorted by index.
type set struct{ words []word }

// A word has the elements from 64*index on.
type word struct {
	index uint32
	bits  uint64
}

func (s *set) empty() bool { return len(s.words) == 0 }

// Len returns the number of elements.
func (s *set) Len() (n int) {
	for i := range s.words {
		n += bits.OnesCount64(s.words[i].bits)
	}
	return n
}

func (s *set) clone() set { return set{slices.Clone(s.words)} }

func (s *set) find(k uint32) (int, bool) {
	lo, hi := 0, len(s.words)
	if hi > 0 && s.words[hi-1].index < k { // callers mostly add in rising order
		return hi, false
	}
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if s.words[m].index < k {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(s.words) && s.words[lo].index == k
}

func (s *set) has(x uint32) bool {
	i, ok := s.find(x >> 6)
	return ok && s.words[i].bits>>(x&63)&1 != 0
}

func (s *set) add(x uint32) bool {
	i, ok := s.find(x >> 6)
	if !ok {
		s.words = slices.Insert(s.words, i, word{index: x >> 6})
	}
	old := s.words[i].bits
	s.words[i].bits |= 1 << (x & 63)
	return s.words[i].bits != old
}

// Each calls f for the elements in rising order.
func (s *set) Each(f func(x uint32)) {
	for _, w := range s.words {
		for b := w.bits; b != 0; b &= b - 1 {
			f(w.index<<6 + uint32(bits.TrailingZeros64(b)))
		}
	}
}

// Union adds t to s and reports whether s grew.
func (s *set) Union(t *set) bool {
	if t.empty() {
		return false
	}
	grown, missing := false, 0
	i := 0
	for _, w := range t.words {
		for i < len(s.words) && s.words[i].index < w.index {
			i++
		}
		if i < len(s.words) && s.words[i].index == w.index {
			if n := s.words[i].bits | w.bits; n != s.words[i].bits {
				s.words[i].bits, grown = n, true
			}
		} else {
			missing++
		}
	}
	if missing == 0 {
		return grown
	}
	i = len(s.words) - 1
	n := len(s.words) + missing
	s.words = slices.Grow(s.words, missing)[:n]
	j := len(t.words) - 1
	for o := n - 1; j >= 0; o-- { // merge from the end, in place
		switch {
		case i >= 0 && s.words[i].index == t.words[j].index:
			s.words[o] = s.words[i]
			i, j = i-1, j-1
		case i >= 0 && s.words[i].index > t.words[j].index:
			s.words[o] = s.words[i]
			i--
		default:
			s.words[o] = t.words[j]
			j--
		}
	}
	return true
}

// minus returns the elements of s that are in neither t nor u. Parameter u may be nil.
func (s *set) minus(t, u *set) (d set) {
	i, j := 0, 0
	for _, w := range s.words {
		b := w.bits
		for i < len(t.words) && t.words[i].index < w.index {
			i++
		}
		if i < len(t.words) && t.words[i].index == w.index {
			b &^= t.words[i].bits
		}
		if u != nil && b != 0 {
			for j < len(u.words) && u.words[j].index < w.index {
				j++
			}
			if j < len(u.words) && u.words[j].index == w.index {
				b &^= u.words[j].bits
			}
		}
		if b != 0 {
			d.words = append(d.words, word{w.index, b})
		}
	}
	return d
}

// A CellSet is a set of cells.
type CellSet = set

// Add adds w cells, beginning with c.
func (s *set) Add(c, w uint32) {
	for i := range w {
		s.add(c + i)
	}
}

// AddSet adds all cells of values at the addresses of p.
func (s *set) AddSet(p Set) {
	for _, c := range p.Cells {
		s.Add(c, p.Width)
	}
}

// Meets reports whether s has a cell of a value at an address of p.
func (s *set) Meets(p Set) bool {
	for _, c := range p.Cells {
		for i := range p.Width {
			if s.has(c + i) {
				return true
			}
		}
	}
	return false
}

package pointsto

import "math/bits"

// A set is a sparse bit set of nodes: words of 64 bits, sorted by index.
type set struct {
	keys []uint32
	bits []uint64
}

func (s *set) empty() bool { return len(s.keys) == 0 }

func (s *set) len() (n int) {
	for _, b := range s.bits {
		n += bits.OnesCount64(b)
	}
	return n
}

func (s *set) find(k uint32) (int, bool) {
	lo, hi := 0, len(s.keys)
	if hi > 0 && s.keys[hi-1] < k { // callers mostly add in rising order
		return hi, false
	}
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if s.keys[m] < k {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo, lo < len(s.keys) && s.keys[lo] == k
}

func (s *set) has(x uint32) bool {
	i, ok := s.find(x >> 6)
	return ok && s.bits[i]>>(x&63)&1 != 0
}

func (s *set) add(x uint32) bool {
	i, ok := s.find(x >> 6)
	if !ok {
		s.keys = append(s.keys, 0)
		s.bits = append(s.bits, 0)
		copy(s.keys[i+1:], s.keys[i:])
		copy(s.bits[i+1:], s.bits[i:])
		s.keys[i], s.bits[i] = x>>6, 0
	}
	old := s.bits[i]
	s.bits[i] |= 1 << (x & 63)
	return s.bits[i] != old
}

// each calls f for the elements in order.
func (s *set) each(f func(x uint32)) {
	for i, k := range s.keys {
		for b := s.bits[i]; b != 0; b &= b - 1 {
			f(k<<6 + uint32(bits.TrailingZeros64(b)))
		}
	}
}

// union adds t to s and reports whether s grew.
func (s *set) union(t *set) bool {
	if t.empty() {
		return false
	}
	grown, missing := false, 0
	i := 0
	for j, k := range t.keys {
		for i < len(s.keys) && s.keys[i] < k {
			i++
		}
		if i < len(s.keys) && s.keys[i] == k {
			if n := s.bits[i] | t.bits[j]; n != s.bits[i] {
				s.bits[i], grown = n, true
			}
		} else {
			missing++
		}
	}
	if missing == 0 {
		return grown
	}
	i = len(s.keys) - 1
	n := len(s.keys) + missing
	for len(s.keys) < n {
		s.keys, s.bits = append(s.keys, 0), append(s.bits, 0)
	}
	j := len(t.keys) - 1
	for o := n - 1; j >= 0; o-- { // merge from the end, in place
		switch {
		case i >= 0 && s.keys[i] == t.keys[j]:
			s.keys[o], s.bits[o] = s.keys[i], s.bits[i]
			i, j = i-1, j-1
		case i >= 0 && s.keys[i] > t.keys[j]:
			s.keys[o], s.bits[o] = s.keys[i], s.bits[i]
			i--
		default:
			s.keys[o], s.bits[o] = t.keys[j], t.bits[j]
			j--
		}
	}
	return true
}

// minus returns the elements of s that are in neither t nor u. Parameter u may be nil.
func (s *set) minus(t, u *set) (d set) {
	i, j := 0, 0
	for n, k := range s.keys {
		b := s.bits[n]
		for i < len(t.keys) && t.keys[i] < k {
			i++
		}
		if i < len(t.keys) && t.keys[i] == k {
			b &^= t.bits[i]
		}
		if u != nil && b != 0 {
			for j < len(u.keys) && u.keys[j] < k {
				j++
			}
			if j < len(u.keys) && u.keys[j] == k {
				b &^= u.bits[j]
			}
		}
		if b != 0 {
			d.keys, d.bits = append(d.keys, k), append(d.bits, b)
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

// Len returns the number of cells.
func (s *set) Len() int { return s.len() }

// Union adds t to s and reports whether s grew.
func (s *set) Union(t *CellSet) bool { return s.union(t) }

// Each calls f for each cell, in rising order.
func (s *set) Each(f func(c uint32)) { s.each(f) }

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

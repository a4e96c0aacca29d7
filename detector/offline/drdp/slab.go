package drdp

// A slab holds values by number, from 1 on. A sweep frees the unmarked values.
type slab[T any] struct {
	values []T
	free   []uint32
	marks  []uint64 // empty except during marking
	live   int
}

func (s *slab[T]) add(v T) uint32 {
	s.live++
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		s.values[i] = v
		return i
	}
	if len(s.values) == 0 {
		s.values = make([]T, 1, 64)
	}
	s.values = append(s.values, v)
	return uint32(len(s.values) - 1)
}

func (s *slab[T]) at(i uint32) *T { return &s.values[i] }

// mark marks i and reports whether it was unmarked before. 0 counts as marked.
func (s *slab[T]) mark(i uint32) bool {
	if i == 0 {
		return false
	}
	if n := len(s.values)/64 + 1; len(s.marks) < n {
		s.marks = append(s.marks, make([]uint64, n-len(s.marks))...)
	}
	old := s.marks[i/64]
	s.marks[i/64] |= 1 << (i % 64)
	return old>>(i%64)&1 == 0
}

func (s *slab[T]) sweep() {
	s.free, s.live = s.free[:0], 0
	for i := len(s.values) - 1; i > 0; i-- {
		if i/64 < len(s.marks) && s.marks[i/64]>>(i%64)&1 != 0 {
			s.live++
		} else {
			s.free = append(s.free, uint32(i))
		}
	}
	s.marks = s.marks[:0]
}

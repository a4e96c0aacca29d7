package shadow

// A Slab holds values by number, from 1 on; 0 is no value. Sweep frees the unmarked values.
type Slab[T any] struct {
	values []T
	free   []uint32
	marks  []uint64 // empty except during marking
	live   int
}

// At returns value i.
func (s *Slab[T]) At(i uint32) *T { return &s.values[i] }

// Len returns the number of values in use.
func (s *Slab[T]) Len() int { return s.live }

// Add stores a value and returns its number.
func (s *Slab[T]) Add(v T) uint32 {
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

// All calls f for each value, including those that are free.
func (s *Slab[T]) All(f func(v *T)) {
	for i := range s.values {
		f(&s.values[i])
	}
}

// Mark keeps value i through the next Sweep. It reports whether the value was unmarked; 0
// counts as marked.
func (s *Slab[T]) Mark(i uint32) bool {
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

// Sweep frees the unmarked values and removes the marks.
func (s *Slab[T]) Sweep() {
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

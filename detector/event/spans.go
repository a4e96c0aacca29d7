package event

// Spans reports the races of one access. It merges races with the same earlier access in
// neighbouring bytes into one.
type Spans struct {
	Report func(Race)
	Races  int64 // reported so far
	open   []Race
}

// Add records a race on the bytes [lo, hi).
func (s *Spans) Add(first, second Party, lo, hi uint64) {
	for i := range s.open {
		if r := &s.open[i]; r.First == first && r.Addr+r.Size == lo {
			r.Size += hi - lo
			return
		}
	}
	s.open = append(s.open, Race{First: first, Second: second, Addr: lo, Size: hi - lo})
}

// Flush reports the recorded races.
func (s *Spans) Flush() {
	for _, r := range s.open {
		s.Races++
		s.Report(r)
	}
	s.open = s.open[:0]
}

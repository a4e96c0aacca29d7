package shadow

import "taskinstr/detector/event"

// Spans reports the races of one access, those with one earlier access in
// neighbouring bytes as one race.
type Spans struct {
	Report func(event.Race)
	Races  int64 // reported so far
	open   []event.Race
}

// Add says that the bytes from addr on race.
func (s *Spans) Add(first, second event.Party, addr, size uint64) {
	for i := range s.open {
		if r := &s.open[i]; r.First == first && r.Addr+r.Size == addr {
			r.Size += size
			return
		}
	}
	s.open = append(s.open, event.Race{First: first, Second: second, Addr: addr, Size: size})
}

// Flush reports what was added.
func (s *Spans) Flush() {
	for _, r := range s.open {
		s.Races++
		s.Report(r)
	}
	s.open = s.open[:0]
}

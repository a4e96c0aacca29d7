package schedule

// SURW is the uniform random walk of H. Zhao, D. Wolff, U. Mathur, A. Roychoudhury,
// Selectively Uniform Concurrency Testing, ASPLOS 2025, with all steps selected. A task is
// chosen with a probability that is proportional to the number of steps that it and the
// tasks that it will make still have. So each interleaving of tasks that do not wait for
// each other has the same probability, while Random prefers those in which short tasks end
// late.
//
// The numbers of steps are those of an earlier run, of which SURW reads the record. A task
// without a number counts as one with one step left: without a record SURW is Random.
type SURW struct {
	draw
	total  uint64 // of the weights of ready tasks, which do not change while a task is ready
	counts Counts
}

// Counts returns the table of the numbers of steps, for the host to read.
func (s *SURW) Counts() *Counts { return &s.counts }

func (s *SURW) Fork(child ID) { s.inherit(child, &s.counts) }

func (s *SURW) Ready(t ID, why Reason) {
	s.total += s.weight(t)
	s.ready.add(t)
}

func (s *SURW) weight(t ID) uint64 { return max(1, uint64(s.ready.ts.at(t).weight)) }

// weighted returns a ready task by chance, or 0 with the probability of a task of weight own.
func (s *SURW) weighted(own uint64) ID {
	x := s.rng.upTo(s.total + own)
	if x >= s.total {
		return 0
	}
	for i := uint32(0); i < s.ready.n; i++ {
		t := *s.ready.at(i)
		w := s.weight(t)
		if x < w {
			return t
		}
		x -= w
	}
	return 0 // not reached
}

// made counts a step of t.
func (s *SURW) made(t ID) {
	if e := s.ready.ts.at(t); e.weight > 0 {
		e.weight--
	}
}

func (s *SURW) Stay(t ID) bool {
	if s.ready.n > 0 {
		if s.drawn = s.weighted(s.weight(t)); s.drawn != 0 {
			return false
		}
	}
	s.made(t)
	return true
}

func (s *SURW) Next() ID {
	t := s.take()
	if t == 0 && s.ready.n > 0 {
		t = s.weighted(0)
	}
	if t != 0 {
		s.ready.remove(t)
		s.total -= s.weight(t)
		s.made(t)
	}
	return t
}

package suite

import "taskinstr/detector/event"

// A scopes tells which events need the model [event.Escaping].
type scopes struct {
	outer map[uint32]uint64 // the scope that a task belongs to
	open  map[uint32][]uint64
}

func newScopes() *scopes {
	return &scopes{outer: map[uint32]uint64{}, open: map[uint32][]uint64{}}
}

// event takes the next event and says how it escapes, "" if it does not.
func (s *scopes) event(e *event.Event) string {
	open := s.open[e.Task]
	n := len(open)
	switch e.Op {
	case event.Fork:
		s.outer[e.Other] = s.outer[e.Task]
		if n > 0 {
			s.outer[e.Other] = open[n-1]
		}
	case event.FinishBegin:
		s.open[e.Task] = append(open, e.Obj)
	case event.FinishEnd:
		if n == 0 || open[n-1] != e.Obj {
			return "scope that does not nest"
		}
		s.open[e.Task] = open[:n-1]
	case event.End:
		outer := s.outer[e.Task]
		delete(s.outer, e.Task)
		delete(s.open, e.Task)
		switch {
		case e.Obj == 0 && e.Task != 0:
			return "task that no scope waits for"
		case e.Obj != outer || n > 0:
			return "task that another scope than its own waits for"
		}
	}
	return ""
}

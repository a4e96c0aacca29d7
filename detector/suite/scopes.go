package suite

import "taskinstr/detector/event"

// A scopes tells which events need the models [event.Escaping] and [event.Finish].
type scopes struct {
	outer map[uint32]uint64 // the scope that a task belongs to
	open  map[uint32][]scope
}

type scope struct {
	obj      uint64
	children int // of the task that opened it, in this scope
}

func newScopes() *scopes {
	return &scopes{outer: map[uint32]uint64{}, open: map[uint32][]scope{}}
}

// event takes the next event. It says how the event escapes the nesting of scopes, and
// how it is more than spawn and sync have; "" if it does not.
func (s *scopes) event(e *event.Event) (escapes, loose string) {
	open := s.open[e.Task]
	n := len(open)
	switch e.Op {
	case event.Fork:
		s.outer[e.Other] = s.outer[e.Task]
		if n == 0 {
			return "", "task that may outlive its parent"
		}
		s.outer[e.Other] = open[n-1].obj
		open[n-1].children++
	case event.FinishBegin:
		s.open[e.Task] = append(open, scope{obj: e.Obj})
	case event.FinishEnd:
		if n == 0 || open[n-1].obj != e.Obj {
			return "scope that does not nest", ""
		}
		s.open[e.Task] = open[:n-1]
		for _, o := range open[:n-1] {
			if o.children > 0 {
				return "", "scope that waits for some of the children"
			}
		}
	case event.End:
		outer := s.outer[e.Task]
		delete(s.outer, e.Task)
		delete(s.open, e.Task)
		switch {
		case e.Obj == 0 && e.Task != 0:
			return "task that no scope waits for", ""
		case e.Obj != outer || n > 0:
			return "task that another scope than its own waits for", ""
		}
	}
	return "", ""
}

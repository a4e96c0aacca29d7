package suite

import "taskinstr/detector/event"

// A scopes determines which events need the models [event.Escaping] and [event.Finish].
type scopes struct {
	outer map[uint32]uint64 // by task: the scope that it belongs to
	open  map[uint32][]scope
}

type scope struct {
	obj      uint64
	children int // the number of children in this scope, of the task that opened it
}

func newScopes() *scopes {
	return &scopes{outer: map[uint32]uint64{}, open: map[uint32][]scope{}}
}

// event records the next event. escapes describes how the event breaks the nesting of
// scopes, loose how it exceeds spawn and sync; "" means that it does not.
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

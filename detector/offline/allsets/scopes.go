package allsets

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/bags"
)

// scopes maintains the S- and P-bags. Task i is element i of the forest.
type scopes struct {
	forest bags.Forest
	member map[uint64]uint32 // by open scope: a task in its P-bag, if there is one
	open   map[uint64]bool
	// escaped counts tasks that end for a scope that is not open: the order of their
	// accesses is not known.
	escaped int64
}

func newScopes() *scopes {
	s := &scopes{member: map[uint64]uint32{}, open: map[uint64]bool{}}
	s.forest.Add()
	return s
}

// parallel reports whether the accesses of a task are parallel to the running task. The
// task has ended, or waits for the running task.
func (s *scopes) parallel(task uint32) bool { return s.forest.Parallel(task) }

func (s *scopes) event(e *event.Event) {
	switch e.Op {
	case event.Fork:
		for s.forest.Len() <= int(e.Other) {
			s.forest.Add()
		}
	case event.FinishBegin:
		s.open[e.Obj] = true
	case event.FinishEnd:
		if x, ok := s.member[e.Obj]; ok {
			s.forest.Unite(x, e.Task, false)
			delete(s.member, e.Obj)
		}
		delete(s.open, e.Obj)
	case event.End:
		switch x, ok := s.member[e.Obj]; {
		case !s.open[e.Obj]:
			s.escaped++ // no scope waits for the task
			s.forest.SetParallel(e.Task)
		case ok:
			s.forest.Unite(x, e.Task, true)
		default:
			s.forest.SetParallel(e.Task)
			s.member[e.Obj] = e.Task
		}
	}
}

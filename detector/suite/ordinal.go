package suite

import "taskinstr/detector/event"

// ordinals counts what the tasks of a run do that a line of a schedule's record can name
// (docs/schedule.md): structure leaves out some of it.
type ordinals map[ordinalOf]uint64

type ordinalOf struct {
	task uint32
	op   event.Op
}

// number gives an event its number among its task's.
func (n ordinals) number(e *event.Event) {
	switch {
	case e.Op == event.Fork && !e.Shared, e.Op == event.Lock && e.Obj != event.Isolation, e.Op == event.Branch:
		k := ordinalOf{e.Task, e.Op}
		n[k]++
		e.Value = n[k]
	}
}

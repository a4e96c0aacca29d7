package suite

import "taskinstr/detector/event"

// ordinals counts the operations that a line of a schedule's record can name
// (docs/design/schedule.md), by task. It must see the recorded events, because structure leaves
// out some of them.
type ordinals map[ordinalOf]uint64

type ordinalOf struct {
	task uint32
	op   event.Op
}

// number sets the Value of an event to its ordinal among its task's events of the kind.
func (n ordinals) number(e *event.Event) {
	switch {
	case e.Op == event.Fork && !e.Shared, e.Op == event.Lock && e.Obj != event.Isolation, e.Op == event.Branch:
		k := ordinalOf{e.Task, e.Op}
		n[k]++
		e.Value = n[k]
	}
}

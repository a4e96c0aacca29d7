package diagnosis

import "taskinstr/detector/event"

// Ordered reports whether structure and locks put event i before the later event k in the
// execution that the trace records.
func (t *Trace) Ordered(i, k int) bool {
	tasks := map[uint32]bool{t.events[i].Task: true}
	type mode struct {
		obj    uint64
		shared bool
	}
	given := map[mode]bool{}
	done := map[uint64]bool{} // scopes and promises
	for n := i + 1; n <= k; n++ {
		e := &t.events[n]
		behind := tasks[e.Task]
		switch e.Op {
		case event.Alloc, event.Free:
			continue
		case event.Fork:
			if behind {
				tasks[e.Other] = true
			}
		case event.End, event.Set:
			if behind && e.Obj != 0 {
				done[e.Obj] = true
			}
		case event.FinishEnd, event.Get:
			tasks[e.Task] = behind || done[e.Obj]
		case event.Unlock:
			if behind {
				given[mode{e.Obj, e.Shared}] = true
			}
		case event.Lock:
			tasks[e.Task] = behind || given[mode{e.Obj, false}] || !e.Shared && given[mode{e.Obj, true}]
		}
	}
	return tasks[t.events[k].Task]
}

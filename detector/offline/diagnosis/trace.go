package diagnosis

import (
	"fmt"

	"taskinstr/detector/event"
)

// A Trace is the canonical form of an execution: for each task its events in order, and for
// each event the events of other tasks that it waits for.
type Trace struct {
	events []event.Event
	at     []int   // of each event: its index in its task's list
	tasks  [][]int // the events of each task
	needs  [][]int // of each event: those in other tasks that must come before it
	forks  map[uint32]int
	names  map[uint32]string

	decisions map[uint64]int   // Branch events by number
	sections  map[int]*section // by Lock event
	byLock    map[uint64][]*section
	ofTask    map[uint32][]*section

	small map[uint64][]int // accesses of at most smallAccess bytes, by word
	wide  []int            // the others
	fresh []int            // Alloc and Free
}

// A section is a hold of a lock.
type section struct {
	task         uint32
	lock, unlock int // events; unlock is -1 if the trace has none
	shared       bool
}

const (
	wordSize    = 8
	smallAccess = 64
)

// New returns the canonical form of a trace. It keeps the events, which must not be changed.
func New(events []event.Event) *Trace {
	t := &Trace{
		events:    events,
		at:        make([]int, len(events)),
		needs:     make([][]int, len(events)),
		forks:     map[uint32]int{},
		names:     map[uint32]string{0: "main"},
		decisions: map[uint64]int{},
		sections:  map[int]*section{},
		byLock:    map[uint64][]*section{},
		ofTask:    map[uint32][]*section{},
		small:     map[uint64][]int{},
	}
	forked, orphans := map[uint32]uint64{}, 0
	ends := map[uint64][]int{}
	sets := map[uint64]int{}
	open := map[uint64][]*section{}
	for i := range events {
		e := &events[i]
		switch e.Op {
		case event.Alloc, event.Free:
			t.fresh = append(t.fresh, i)
			continue
		}
		t.add(e.Task, i)
		if f, ok := t.forks[e.Task]; ok && t.at[i] == 0 {
			t.needs[i] = append(t.needs[i], f)
		}
		switch e.Op {
		case event.Fork:
			t.forks[e.Other] = i
			if e.Shared { // nobody made it
				orphans++
				t.names[e.Other] = fmt.Sprintf("outside.%d", orphans)
				break
			}
			forked[e.Task] = ordinal(e, forked[e.Task])
			t.names[e.Other] = fmt.Sprintf("%s.%d", t.names[e.Task], forked[e.Task])
		case event.End:
			if e.Obj != 0 {
				ends[e.Obj] = append(ends[e.Obj], i)
			}
		case event.FinishEnd:
			t.needs[i] = append(t.needs[i], ends[e.Obj]...)
			delete(ends, e.Obj)
		case event.Set:
			sets[e.Obj] = i
		case event.Get:
			if s, ok := sets[e.Obj]; ok {
				t.needs[i] = append(t.needs[i], s)
			}
		case event.Lock:
			s := &section{e.Task, i, -1, e.Shared}
			t.sections[i] = s
			t.byLock[e.Obj] = append(t.byLock[e.Obj], s)
			t.ofTask[e.Task] = append(t.ofTask[e.Task], s)
			open[e.Obj] = append(open[e.Obj], s)
		case event.Unlock:
			t.unlock(open, e, i)
		case event.Branch:
			t.decisions[e.Obj] = i
		case event.Access:
			t.index(e, i)
		}
	}
	return t
}

// ordinal returns the number of an event among the events of its kind in its task; last is the
// number of the latest one before it.
func ordinal(e *event.Event, last uint64) uint64 {
	if e.Value != 0 {
		return e.Value
	}
	return last + 1
}

func (t *Trace) add(task uint32, i int) {
	for int(task) >= len(t.tasks) {
		t.tasks = append(t.tasks, nil)
	}
	t.at[i] = len(t.tasks[task])
	t.tasks[task] = append(t.tasks[task], i)
}

// unlock ends the task's latest hold in the event's mode, or, if it has none, another
// task's.
func (t *Trace) unlock(open map[uint64][]*section, e *event.Event, i int) {
	list := open[e.Obj]
	found := -1
	for k, s := range list {
		if s.shared == e.Shared && (s.task == e.Task || found < 0) {
			found = k
		}
	}
	if found < 0 {
		return
	}
	s := list[found]
	s.unlock = i
	if s.task != e.Task {
		t.needs[i] = append(t.needs[i], s.lock)
	}
	open[e.Obj] = append(list[:found:found], list[found+1:]...)
}

func (t *Trace) index(e *event.Event, i int) {
	if e.Size > smallAccess {
		t.wide = append(t.wide, i)
		return
	}
	for w := e.Addr / wordSize; w <= (e.Addr+max(e.Size, 1)-1)/wordSize; w++ {
		t.small[w] = append(t.small[w], i)
	}
}

// before returns the event that precedes i in its task, -1 if there is none.
func (t *Trace) before(i int) int {
	if t.at[i] == 0 {
		return -1
	}
	return t.tasks[t.events[i].Task][t.at[i]-1]
}

// after returns the event that follows i in its task, -1 if there is none.
func (t *Trace) after(i int) int {
	list := t.tasks[t.events[i].Task]
	if t.at[i]+1 == len(list) {
		return -1
	}
	return list[t.at[i]+1]
}

// overlapping returns the accesses that share bytes with event i while these bytes
// belong to the same object, in the order of the trace.
func (t *Trace) overlapping(i int) []int {
	return t.accesses(i, t.events[i].Addr, t.events[i].Size)
}

// accesses returns the accesses to some of the n bytes at addr, in the order of the trace,
// while the bytes belong to the same object as at event near.
func (t *Trace) accesses(near int, addr, n uint64) (list []int) {
	bytes := event.Event{Addr: addr, Size: max(n, 1)}
	from, to := -1, len(t.events)
	for _, f := range t.fresh {
		if overlap(&bytes, &t.events[f]) {
			if f < near {
				from = f
			} else {
				to = f
				break
			}
		}
	}
	all := t.wide
	for w := addr / wordSize; w <= (addr+bytes.Size-1)/wordSize; w++ {
		all = merge(all, t.small[w])
	}
	for _, k := range all {
		if k > from && k < to && overlap(&t.events[k], &bytes) && (len(list) == 0 || list[len(list)-1] != k) {
			list = append(list, k)
		}
	}
	return list
}

func overlap(a, b *event.Event) bool {
	return a.Addr < b.Addr+b.Size && b.Addr < a.Addr+a.Size
}

func merge(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// readAt returns the latest valued read of i's task at a site before event i, -1 if
// there is none.
func (t *Trace) readAt(i int, site uint32) int {
	list := t.tasks[t.events[i].Task]
	for k := t.at[i] - 1; k >= 0; k-- {
		e := &t.events[list[k]]
		if e.Op == event.Access && e.Site == site && e.Valued && !e.Kind.Writes() {
			return list[k]
		}
	}
	return -1
}

// foundBy returns the read that found the pointer or slice through which event i reaches its
// memory, -1 if none is known.
func (t *Trace) foundBy(i int) int {
	from := t.events[i].From
	if from == 0 {
		return -1
	}
	for k := t.before(i); k >= 0; k = t.before(k) {
		if e := &t.events[k]; e.Op == event.Access && e.Site == from && !e.Kind.Writes() {
			return k
		}
	}
	return -1
}

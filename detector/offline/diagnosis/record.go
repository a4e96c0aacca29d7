package diagnosis

import (
	"fmt"
	"slices"
	"strings"

	"taskinstr/detector/event"
)

// Record returns the text of a schedule (docs/design/schedule.md) in which a program makes the
// events of an order. Then the tasks of last continue in their order, each until it has to wait.
// held are locks that one of these tasks gives up only then.
//
// A line of a schedule can stop a task where it takes a lock, makes a task or decides a recorded
// branch. So behind an event a task runs on to the next such place, or until it waits or ends.
// It passes no operation for which another task may have to wait, but it may access memory:
// a schedule cannot keep every order of accesses without locks. In
//
//	task 1: ready = true; x = 1; ready = false
//	task 2: if ready { x = 2 }
//
// the race on x needs task 2 between the first two accesses of task 1, where no schedule can
// stop task 1. Unkept says so.
func (t *Trace) Record(order []int, last []uint32, held ...uint64) string {
	var b strings.Builder
	b.WriteString("taskinstr schedule 1\nstrategy diagnosis\npoints stops\n")
	stops := map[uint32]string{} // of each task the latest
	say := func(task uint32, stop string) {
		if stops[task] == atEnd || stop != "" && stops[task] == stop {
			return // it is there
		}
		if stops[task] = stop; stop == atEnd {
			stop = ""
		}
		b.WriteString(t.names[task] + stop + "\n")
	}
	front, back := t.late(order, last)
	for _, r := range t.Runs(front) {
		say(r.Task, t.stopBehind(r.Upto))
	}
	for _, i := range back {
		// A lock that the other side gives up is still held here.
		if stop, ok := t.stopAt(i); ok && !(t.events[i].Op == event.Lock && slices.Contains(held, t.events[i].Obj)) {
			say(t.events[i].Task, stop)
		}
	}
	for _, task := range last {
		if stops[task] != atEnd {
			b.WriteString(t.names[task] + "\n")
		}
	}
	return b.String()
}

// Unkept returns a sentence about the first place where the order needs to stop a task and no
// schedule can, "" if there is none. There the task runs on to an access that conflicts with an
// access of another task, which is to come before it. The arguments are the same as for Record.
func (t *Trace) Unkept(order []int, last []uint32) string {
	front, back := t.late(order, last)
	all := slices.Concat(front, back)
	end := 0
	for _, r := range t.Runs(front) {
		for all[end] != r.Upto {
			end++
		}
		for k := t.after(r.Upto); k >= 0 && t.runsOn(r.Upto, k); k = t.after(k) {
			if slices.ContainsFunc(all[end+1:], func(i int) bool { return t.events[i].Task != r.Task && t.conflict(i, k) }) {
				return fmt.Sprintf("no schedule can stop %s between its events %d and %d, so a replay may differ from the order", r.Name, t.at[r.Upto]+1, t.at[k]+1)
			}
		}
	}
	return ""
}

// runsOn reports whether a task that is to stop behind event i makes event k, too.
func (t *Trace) runsOn(i, k int) bool {
	if _, ok := t.stopAt(i); ok {
		return false
	}
	e := &t.events[k]
	_, stops := t.stopAt(k)
	return !stops && e.Op != event.FinishEnd && e.Op != event.Get
}

// conflict reports whether events i and k are accesses that conflict.
func (t *Trace) conflict(i, k int) bool {
	a, b := &t.events[i], &t.events[k]
	return a.Op == event.Access && b.Op == event.Access && (a.Kind.Writes() || b.Kind.Writes()) && overlap(a, b)
}

// late divides an order in two parts. The second part has the events of the tasks of last that
// may come after all others.
func (t *Trace) late(order []int, last []uint32) (front, back []int) {
	stays := map[uint32]bool{} // tasks with a later event in front
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		task := t.events[i].Task
		if slices.Contains(last, task) && !stays[task] && t.waits(i, front, back) {
			back = append(back, i)
			continue
		}
		stays[task] = true
		front = append(front, i)
	}
	slices.Reverse(front)
	slices.Reverse(back)
	return front, back
}

// waits reports whether event i may come behind the later events of other tasks. A Lock may,
// because the task does not give the lock up before them. An access may not if one of them
// conflicts with it.
func (t *Trace) waits(i int, later ...[]int) bool {
	e := &t.events[i]
	switch e.Op {
	case event.Branch, event.Lock:
		return true
	case event.Access:
		for _, list := range later {
			if slices.ContainsFunc(list, func(k int) bool { return t.events[k].Task != e.Task && t.conflict(i, k) }) {
				return false
			}
		}
		return true
	}
	return false
}

// atEnd is the stop of a task that runs to its end.
const atEnd = "end"

// stopBehind returns the text of a line that lets a task pass event i and run no further
// than necessary; "" if the task is to run until it waits.
func (t *Trace) stopBehind(i int) string {
	if s, ok := t.stopAt(i); ok {
		return s
	}
	for k := t.after(i); k >= 0; k = t.after(k) {
		e := &t.events[k]
		if e.Op == event.Lock && e.Obj != event.Isolation {
			return fmt.Sprintf(" to lock %d", t.nth(k))
		}
		if s, ok := t.stopAt(k); ok {
			return s
		}
		if e.Op == event.FinishEnd || e.Op == event.Get {
			return ""
		}
	}
	return atEnd
}

// stopAt returns the text of a line that stops a task right behind event i, if there is
// such a line.
func (t *Trace) stopAt(i int) (string, bool) {
	switch e := &t.events[i]; {
	case e.Op == event.Lock && e.Obj != event.Isolation:
		return fmt.Sprintf(" to held %d", t.nth(i)), true
	case e.Op == event.Fork && !e.Shared:
		return fmt.Sprintf(" to go %d", t.nth(i)), true
	case e.Op == event.Branch:
		return fmt.Sprintf(" to branch %d", t.nth(i)), true
	}
	return "", false
}

// nth returns the number of event i among its task's Lock, Fork or Branch events, from 1.
func (t *Trace) nth(i int) uint64 {
	e := &t.events[i]
	n := uint64(0)
	for _, k := range t.tasks[e.Task][:t.at[i]+1] {
		if x := &t.events[k]; x.Op == e.Op && (x.Op != event.Lock || x.Obj != event.Isolation) && !(x.Op == event.Fork && x.Shared) {
			n = ordinal(x, n)
		}
	}
	return n
}

package structure

import "taskinstr/detector/event"

// close ends a round of a WaitGroup, before its next Done or the reuse of its memory.
func (f *Finder) close(g *group) {
	if len(g.waits) > 0 && !f.finish(g) {
		f.promises(g)
	}
	if len(g.waits) > 0 {
		g.last = g.waits[0]
		g.round++
	}
	g.dones, g.waits = nil, nil
}

// finish makes a finish scope of a round, if the round meets the conditions.
func (f *Finder) finish(g *group) bool {
	w := g.waits[0]
	for _, x := range g.waits {
		if x.task != w.task {
			return false
		}
	}
	begin := int64(-1)
	for _, d := range g.dones {
		if d.task == w.task && d.at < w.at {
			continue // orders nothing
		}
		fork, ok := f.forkBelow(w.task, d.task)
		if !ok || !d.final || d.at > w.at || g.round > 0 && fork < g.last.at {
			return false
		}
		if begin < 0 || fork < begin {
			begin = fork
		}
	}
	if begin < 0 {
		return true // the Wait waits for no task
	}
	scope := f.id()
	f.plan.add(f.plan.before, begin, event.Event{Op: event.FinishBegin, Task: w.task, Obj: scope})
	f.plan.add(f.plan.behind, w.at, event.Event{Op: event.FinishEnd, Task: w.task, Obj: scope})
	for _, d := range g.dones {
		if d.task != w.task {
			f.plan.final[d.at] = scope
		}
	}
	return true
}

// forkBelow returns the Fork in task top that leads to task i, if i descends from top.
func (f *Finder) forkBelow(top, i uint32) (at int64, ok bool) {
	for n := len(f.tasks); n > 0; n-- {
		t := f.tasks[i]
		if t == nil || t.fork < 0 {
			return 0, false
		}
		if t.parent == top {
			return t.fork, true
		}
		i = t.parent
	}
	return 0, false
}

// promises makes promises of a round, or an Outside event if the round overlaps the
// previous one.
func (f *Finder) promises(g *group) {
	for _, d := range g.dones {
		if g.round > 0 && !f.follows(d, g.last) {
			for _, w := range g.waits {
				f.plan.add(f.plan.behind, w.at, event.Event{Op: event.Outside, Task: w.task, Use: event.UseWaitGroup})
			}
			return
		}
	}
	for _, d := range g.dones {
		p := f.id()
		f.plan.add(f.plan.behind, d.at, event.Event{Op: event.Set, Task: d.task, Obj: p})
		for _, w := range g.waits {
			if w.task != d.task && d.at < w.at {
				f.plan.add(f.plan.behind, w.at, event.Event{Op: event.Get, Task: w.task, Obj: p})
			}
		}
	}
}

// follows reports whether a Done follows a Wait: its task is the waiting task, or the
// waiting task forked it or an ancestor of it after the Wait.
func (f *Finder) follows(d *done, w wait) bool {
	return d.task == w.task || f.forkedAfter(w.at, w.task, d.task)
}

// forkedAfter reports whether task i descends from a task that top forked after the event
// at.
func (f *Finder) forkedAfter(at int64, top, i uint32) bool {
	fork, ok := f.forkBelow(top, i)
	return ok && fork > at
}

package structure

import "taskinstr/detector/event"

// close ends a round of a WaitGroup: more is done on it, or its memory has a new owner.
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

// finish makes a round a finish scope, if it is one.
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
		return true // nobody was waited for
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

// promises makes a round one of promises, or says that it overlaps with the one before.
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

// follows reports whether a Done follows a Wait because its task does, or was forked
// later by the task that waited or one below it.
func (f *Finder) follows(d *done, w wait) bool {
	if d.task == w.task {
		return true
	}
	fork, ok := f.forkBelow(w.task, d.task)
	return ok && fork > w.at
}

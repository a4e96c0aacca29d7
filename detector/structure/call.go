package structure

import (
	"cmp"
	"maps"
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A call is a task that its parent forks and waits for at once: the last event of the
// task is a message to the parent, and the parent neither forks nor opens or closes a
// scope until it has received the message. Package testing runs tests in this way. A call
// is a finish scope of one task.
//
// A task may continue after its message, as a test does that calls T.Parallel. It
// becomes two tasks if it then waits for the close of a channel and ends with a second
// message, on the first channel, to the task that closed the other channel: the call, and
// a task forked at the close. (Package testing's own accesses between the message and the
// wait are ignored.) All tasks forked at one close are in one finish scope, provided that
// the closing task does not fork until it has their last messages.

// A lastSend is a message that a task has just sent.
type lastSend struct {
	c *channel
	i int
}

// A split is the event at which a new task replaces the rest of a task.
type split struct {
	at   int64 // the first event of the new task
	task uint32
}

// A half is the part of a task after a message for which its parent has waited.
type half struct {
	task  uint32
	fork  int64 // event number of the task's fork
	sent  int64 // event numbers of the message and of its receive
	got   int64
	at    int64 // the first event of the half: the task has waited for the close
	last  int64 // event numbers of the last message and of its receive
	until int64
	close chanOp
	c     *channel
	k     int // the number of the message on the channel; the next message is the task's last
}

// calls makes a scope of each call that ends with a message on the channel. It returns
// the halves that may become tasks.
func (f *Finder) calls(c *channel) (halves []half) {
	var sends, receives []*chanOp
	for i := range c.ops {
		switch o := &c.ops[i]; {
		case o.meet:
			return nil
		case o.what == trace.ChanSend:
			sends = append(sends, o)
		case o.what == trace.ChanReceive:
			receives = append(receives, o)
		}
	}
	n := min(len(sends), len(receives))
	c.called = make([]bool, n)
	for k := 0; k < n; k++ {
		s, r := sends[k], receives[k]
		t := f.task(s.task)
		if t.fork < 0 || t.parent != r.task || r.busy != t.fork || s.at > r.at {
			continue
		}
		if s.final {
			c.called[k] = true
			f.scope(r.task, t.fork, r.at, s.at)
			continue
		}
		if s.then == nil || k+1 == n {
			continue
		}
		last, got := sends[k+1], receives[k+1]
		closed, ok := s.then.closedBefore(s.resumed)
		if ok && last.task == s.task && last.final && last.at < got.at && closed.task == got.task && closed.task == r.task && closed.at > r.at {
			halves = append(halves, half{s.task, t.fork, s.at, r.at, s.resumed, last.at, got.at, closed, c, k})
		}
		k++
	}
	return halves
}

// scope adds a finish scope of task that begins before the event from and ends after the
// event to. The scope waits for the task whose last event is end.
func (f *Finder) scope(task uint32, from, to, end int64) {
	id := f.id()
	f.plan.add(f.plan.before, from, event.Event{Op: event.FinishBegin, Task: task, Obj: id})
	f.plan.add(f.plan.behind, to, event.Event{Op: event.FinishEnd, Task: task, Obj: id})
	f.plan.final[end] = id
}

// closedBefore returns the close of a channel, and whether it precedes an event.
func (c *channel) closedBefore(at int64) (chanOp, bool) {
	for _, o := range c.ops {
		if o.what == trace.ChanClose {
			return o, o.at < at
		}
	}
	return chanOp{}, false
}

// splits selects the halves that become tasks, grouped into scopes: one for each close.
func (f *Finder) splits(all []half) (scopes [][]half) {
	byClose := map[int64][]half{}
	for _, h := range all {
		byClose[h.close.at] = append(byClose[h.close.at], h)
	}
	for _, at := range slices.Sorted(maps.Keys(byClose)) {
		list := byClose[at]
		if f.busyBetween(list[0].close.task, at, until(list)) {
			continue // the channel operations remain, and become promises
		}
		slices.SortFunc(list, func(a, b half) int { return cmp.Compare(a.at, b.at) })
		for _, h := range list {
			h.c.called[h.k], h.c.called[h.k+1] = true, true
		}
		scopes = append(scopes, list)
	}
	return scopes
}

// until returns the event at which the last task of a scope has been waited for.
func until(list []half) (at int64) {
	for _, h := range list {
		at = max(at, h.until)
	}
	return at
}

// split makes tasks of the halves of one scope, forked after the close.
func (f *Finder) split(list []half) {
	closed, id := list[0].close, f.id()
	f.plan.add(f.plan.behind, closed.at, event.Event{Op: event.FinishBegin, Task: closed.task, Obj: id})
	for _, h := range list {
		f.scope(closed.task, h.fork, h.got, h.sent)
		f.last++
		f.plan.splits[h.task] = split{h.at, f.last}
		f.plan.origin[f.last] = h.task
		f.plan.final[h.last] = id
		f.plan.add(f.plan.behind, closed.at, event.Event{Op: event.Fork, Task: closed.task, Other: f.last})
	}
	f.plan.add(f.plan.behind, until(list), event.Event{Op: event.FinishEnd, Task: closed.task, Obj: id})
}

// busyBetween reports whether a task forks, or opens or closes a scope, between two
// events.
func (f *Finder) busyBetween(task uint32, from, to int64) bool {
	list := f.task(task).busy
	i, _ := slices.BinarySearch(list, from)
	return i < len(list) && list[i] < to
}

package event

import "slices"

// DepthFirst returns the structured events of a well-formed trace in depth-first order,
// which is another schedule of the same operations. If that order reaches a Get before
// its Set, the waiting task yields to its parent and continues as soon as the promise is
// set. The result is then not depth-first. The second result is the index, in the first,
// of the first event out of depth-first order, or -1.
//
// An Alloc or Free stays after the event that it follows in the trace. Raw events are
// left out, because their order does not hold in the other schedule.
func DepthFirst(trace []Event) ([]Event, int) {
	d := depthFirst{
		trace:   trace,
		lists:   map[uint32][]int{},
		needs:   map[int]int{},
		enables: map[int]int{},
		waiters: map[int]uint32{},
		holders: map[uint64][]hold{},
		blocked: map[uint64][]uint32{},
	}
	d.prepare()
	d.run(0)
	return d.out, IsDepthFirst(d.out)
}

type depthFirst struct {
	trace   []Event
	out     []Event
	lists   map[uint32][]int    // the remaining events of each task
	needs   map[int]int         // of a FinishEnd: the number of Ends that are still to come; of a Get: 1 until its Set has come
	enables map[int]int         // from an End to its FinishEnd
	gets    map[int][]int       // from a Set to its Gets
	waiters map[int]uint32      // from a FinishEnd or Get to the task that waits for it
	holders map[uint64][]hold   // the holders of each lock
	blocked map[uint64][]uint32 // the tasks that wait for each lock
}

type hold struct {
	task   uint32
	shared bool
}

// prepare distributes the events over the tasks and links each waiting event with the
// events that it waits for. The number of a scope or promise may be reused.
func (d *depthFirst) prepare() {
	ends := map[uint64][]int{}
	sets := map[uint64]int{}
	d.gets = map[int][]int{}
	last := uint32(0)
	for i := range d.trace {
		e := &d.trace[i]
		if e.Op.Raw() {
			continue
		}
		switch e.Op {
		case Alloc, Free:
			d.lists[last] = append(d.lists[last], i)
			continue
		case End:
			if e.Obj != 0 {
				ends[e.Obj] = append(ends[e.Obj], i)
			}
		case FinishEnd:
			for _, j := range ends[e.Obj] {
				d.enables[j] = i
			}
			d.needs[i] = len(ends[e.Obj])
			delete(ends, e.Obj)
		case Set:
			sets[e.Obj] = i
		case Get:
			if j, ok := sets[e.Obj]; ok {
				d.gets[j] = append(d.gets[j], i)
				d.needs[i] = 1
			}
		}
		last = e.Task
		d.lists[last] = append(d.lists[last], i)
	}
}

// run executes the events of a task until it ends or must wait.
func (d *depthFirst) run(task uint32) {
	for len(d.lists[task]) > 0 {
		i := d.lists[task][0]
		e := &d.trace[i]
		switch {
		case d.needs[i] > 0:
			d.waiters[i] = task
			return
		case e.Op == Lock && !d.free(e):
			d.blocked[e.Obj] = append(d.blocked[e.Obj], task)
			return
		}
		d.lists[task] = d.lists[task][1:]
		d.out = append(d.out, *e)
		switch e.Op {
		case Fork:
			d.run(e.Other)
		case End:
			delete(d.lists, task)
			if j, ok := d.enables[i]; ok {
				d.met(j)
			}
			return
		case Set:
			for _, j := range d.gets[i] {
				d.met(j)
			}
			delete(d.gets, i)
		case Lock:
			d.holders[e.Obj] = append(d.holders[e.Obj], hold{task, e.Shared})
		case Unlock:
			d.unlock(e)
		}
	}
}

// met records that one of the events that event i waits for has come.
func (d *depthFirst) met(i int) {
	d.needs[i]--
	if task, ok := d.waiters[i]; ok && d.needs[i] == 0 {
		delete(d.waiters, i)
		d.run(task)
	}
}

func (d *depthFirst) free(e *Event) bool {
	return !slices.ContainsFunc(d.holders[e.Obj], func(h hold) bool { return !h.shared || !e.Shared })
}

func (d *depthFirst) unlock(e *Event) {
	held := d.holders[e.Obj]
	if i := slices.IndexFunc(held, func(h hold) bool { return h.task == e.Task }); i >= 0 {
		d.holders[e.Obj] = slices.Delete(held, i, i+1)
	}
	tasks := d.blocked[e.Obj]
	delete(d.blocked, e.Obj)
	for _, task := range tasks {
		d.run(task)
	}
}

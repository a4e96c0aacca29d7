package contract_test

import (
	"flag"
	"testing"

	"taskinstr/detector/race"
	"taskinstr/detector/serial"
	"taskinstr/detector/serial/drdp"
	"taskinstr/detector/serial/espbags"
)

var (
	bagTasks = flag.Int("espbags.tasks", 1_000_000, "how many tasks TestFlat forks with espbags")
	dagTasks = flag.Int("drdp.tasks", 300_000, "how many with drdp")
)

// A flat is a program whose main task, or a child of it, forks all other tasks.
type flat struct {
	name  string
	wait  int  // it waits after so many tasks
	touch bool // each task writes a word of its own and reads a common one
	lock  bool // and adds to a common one under a lock
	chain bool // each waits for the one before and says when it is through; main, for the last
	below bool // the tasks are forked by one that is not alone: only sweeps give memory back
}

const (
	flatWords = 1 << 16
	flatScope = 1 << 61
	flatChain = 1 << 62 // the promises of a chain, one at each address
)

// The memory of engines of serial execution does not grow with the number of tasks, whichever task
// waits for them: if nothing waits before the end, and if they are waited for by the hundred.
func TestFlat(t *testing.T) {
	never := 1 << 30
	for _, p := range []flat{
		{name: "no accesses", wait: never},
		{name: "accesses", wait: never, touch: true},
		{name: "accesses, waits", wait: 100, touch: true},
		{name: "locks", wait: never, touch: true, lock: true},
		{name: "below another task", wait: never, touch: true, lock: true, below: true},
	} {
		t.Run("espbags/"+p.name, func(t *testing.T) {
			e := new(espbags.Engine)
			run(t, p, e, *bagTasks, 0, func(s *espbags.Stats) serial.Stats { return s.Stats })
		})
	}
	const slack = 8 << 20 // below which no sweep of drdp pays
	for _, p := range []flat{
		{name: "no accesses", wait: never},
		{name: "accesses", wait: never, touch: true},
		{name: "accesses, waits", wait: 100, touch: true},
		{name: "locks", wait: 100, touch: true, lock: true},
		{name: "chain", wait: 100, touch: true, chain: true},
		{name: "below another task", wait: 100, touch: true, below: true},
	} {
		t.Run("drdp/"+p.name, func(t *testing.T) {
			e := new(drdp.Engine)
			run(t, p, e, *dagTasks, slack, func(s *drdp.Stats) serial.Stats { return s.Stats })
		})
	}
}

// run fails unless the memory at the end is, up to slack, at most half more than after a third of the tasks.
func run[C any](t *testing.T, p flat, e serialEngine[C], tasks int, slack uint64, shared func(*C) serial.Stats) {
	races := 0
	e.OnReport(func(*serial.Report) { races++ })
	main := e.Init(serial.Options{Space: 32})
	defer e.Close()
	if p.below {
		main = e.Fork(main, 0, 1)
	}
	promise := func(i int) uintptr { return flatChain + uintptr(i)%flatWords*8 }
	var third, end C
	for i := range tasks {
		c := e.Fork(main, 0, 1)
		if p.chain && i > 0 {
			e.Acquire(c, promise(i-1))
		}
		if p.touch {
			// A word comes round again only after a wait for its last task.
			e.Access(c, 8*uintptr(i%flatWords), 8, race.Write, 1, 1, 0)
			e.Access(c, 8*flatWords, 8, race.Read, 2, 1, 0)
		}
		if p.lock {
			e.Lock(c, 99, false)
			e.Access(c, 8*flatWords+8, 8, race.Read, 3, 1, 0)
			e.Access(c, 8*flatWords+8, 8, race.Write, 4, 1, 0)
			e.Unlock(c, 99, false)
		}
		awaited := uintptr(flatScope)
		if p.chain {
			awaited = promise(i)
			e.Release(c, awaited)
		} else {
			e.ReleaseMerge(c, awaited)
		}
		e.End(c)
		if i%min(p.wait, flatWords) == 0 {
			e.Acquire(main, awaited)
		}
		if e.NeedSweep() {
			e.Sweep()
		}
		if i == tasks/3 {
			e.Stats(&third)
		}
	}
	e.Stats(&end)
	if races != 0 {
		t.Errorf("%d races, want none", races)
	}
	was, is := shared(&third).Committed, shared(&end).Committed
	t.Logf("%d bytes after a third, %d at the end, %d sweeps", was, is, shared(&end).Sweeps)
	if is > was+was/2+slack {
		t.Errorf("%d bytes after a third of the tasks, %d at the end", was, is)
	}
}

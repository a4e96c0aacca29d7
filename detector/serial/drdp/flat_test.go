package drdp

import (
	"flag"
	"testing"

	"taskinstr/detector/serial"
)

var tasks = flag.Int("tasks", 300_000, "how many tasks TestFlat forks")

// Memory does not grow with the number of tasks, whichever task waits for them.
func TestFlat(t *testing.T) {
	const (
		words = 1 << 16
		scope = 1 << 61
		chain = 1 << 62 // the promises of a chain, one at each address
	)
	const slack = 8 << 20 // below which no sweep pays
	for _, test := range []struct {
		name  string
		wait  int  // main waits after so many tasks
		touch bool // each task writes a word of its own and reads a common one
		lock  bool // and adds to a common one under a lock
		chain bool // each waits for the one before and says when it is through; main, for the last
		below bool // the tasks are forked by one that is not alone: only sweeps give memory back
	}{
		{name: "no accesses", wait: 1 << 30},
		{name: "accesses", wait: 1 << 30, touch: true},
		{name: "accesses, waits", wait: 100, touch: true},
		{name: "locks", wait: 100, touch: true, lock: true},
		{name: "chain", wait: 100, touch: true, chain: true},
		{name: "below another task", wait: 100, touch: true, below: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e Engine
			races := 0
			e.OnReport(func(*serial.Report) { races++ })
			main := e.Init(Options{Space: 32})
			defer e.Close()
			if test.below {
				main = e.Fork(main, 0, 1)
			}
			var third, end Stats
			for i := range *tasks {
				c := e.Fork(main, 0, 1)
				if test.chain && i > 0 {
					e.Acquire(c, chain+uintptr(i-1)%words*8)
				}
				if test.touch {
					// A word comes round again only after a wait for its last task.
					e.Access(c, 8*uintptr(i%words), 8, serial.Write, 1, 1, 0)
					e.Access(c, 8*words, 8, serial.Read, 2, 1, 0)
				}
				if test.lock {
					e.Lock(c, 99, false)
					e.Access(c, 8*words+8, 8, serial.Read, 3, 1, 0)
					e.Access(c, 8*words+8, 8, serial.Write, 4, 1, 0)
					e.Unlock(c, 99, false)
				}
				if test.chain {
					e.Release(c, chain+uintptr(i)%words*8)
				} else {
					e.ReleaseMerge(c, scope)
				}
				e.End(c)
				if i%min(test.wait, words) == 0 {
					if test.chain {
						e.Acquire(main, chain+uintptr(i)%words*8)
					} else {
						e.Acquire(main, scope)
					}
				}
				if e.NeedSweep() {
					e.Sweep()
				}
				if i == *tasks/3 {
					e.Stats(&third)
				}
			}
			e.Stats(&end)
			if races != 0 {
				t.Errorf("%d races, want none", races)
			}
			t.Logf("%d bytes after a third, %d at the end, %d sweeps", third.Committed, end.Committed, end.Sweeps)
			if end.Committed > third.Committed+third.Committed/2+slack {
				t.Errorf("%d bytes after a third of the tasks, %d at the end", third.Committed, end.Committed)
			}
		})
	}
}

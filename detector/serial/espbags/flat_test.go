package espbags

import (
	"flag"
	"testing"

	"taskinstr/detector/serial"
)

var tasks = flag.Int("tasks", 1_000_000, "how many tasks TestFlat forks")

// Memory does not grow with the number of tasks: neither if nothing waits for them
// before the end, nor if they are waited for by the hundred.
func TestFlat(t *testing.T) {
	const words = 1 << 16
	for _, test := range []struct {
		name  string
		wait  int  // wait after so many tasks
		touch bool // each task writes a word of its own and reads a common one
		lock  bool // and adds to a common one under a lock
		below bool // the tasks are forked by one that is not alone: only sweeps give memory back
	}{
		{"no accesses", 1 << 30, false, false, false},
		{"accesses", 1 << 30, true, false, false},
		{"accesses, waits", 100, true, false, false},
		{"locks", 1 << 30, true, true, false},
		{"below another task", 1 << 30, true, true, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var e Engine
			races := 0
			e.OnReport(func(*serial.Report) { races++ })
			main := e.Init(Options{Space: 32})
			defer e.Close()
			const scope = 77
			if test.below {
				main = e.Fork(main, 0, 1)
			}
			var third, end Stats
			for i := range *tasks {
				c := e.Fork(main, 0, 1)
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
				e.Leave(c, scope)
				e.End(c)
				if i%min(test.wait, words) == 0 {
					e.Wait(main, scope)
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
			if end.Committed > third.Committed+third.Committed/2 {
				t.Errorf("%d bytes after a third of the tasks, %d at the end", third.Committed, end.Committed)
			}
		})
	}
}

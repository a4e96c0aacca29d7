package oracle

import (
	"testing"

	"taskinstr/detector/parallel"
)

// traces are short traces that explain the orders. Each lists the sites whose accesses
// race, or are predicted to race, with an earlier one.
var traces = []struct {
	name            string
	trace           []Event
	race, predicted []uintptr
	all             []uintptr // predicted with Options.All
}{
	{
		name: "siblings",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1), write(2, 2), write(0, 3),
		},
		race: []uintptr{2, 3},
	},
	{
		name: "joined through an object",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			write(1, 1),
			{Op: ReleaseMerge, Task: 1, Addr: locks},
			{Op: End, Task: 1},
			{Op: Acquire, Task: 0, Addr: locks},
			write(0, 2),
		},
	},
	{
		name: "what follows a release is not released",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: ReleaseMerge, Task: 1, Addr: locks},
			write(1, 1),
			{Op: Acquire, Task: 0, Addr: locks},
			write(0, 2),
		},
		race: []uintptr{2},
	},
	{
		name: "an exchange leaves only what was known before it",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1),
			{Op: Release, Task: 1, Addr: locks},
			{Op: ReleaseAcquire, Task: 2, Addr: locks},
			{Op: Acquire, Task: 0, Addr: locks},
			write(0, 2),
		},
		race: []uintptr{2},
	},
	{
		name: "a release replaces",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1),
			{Op: Release, Task: 1, Addr: locks},
			{Op: Release, Task: 2, Addr: locks},
			{Op: Acquire, Task: 0, Addr: locks},
			write(0, 2),
		},
		race: []uintptr{2},
	},
	{
		name: "separated by an accident of locks",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1),
			{Op: Lock, Task: 1, Addr: locks}, {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, {Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "handed over in conflicting sections",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1),
			{Op: Lock, Task: 1, Addr: locks}, writeAt(1, base+64, 5), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, writeAt(2, base+64, 6), {Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		all: []uintptr{2},
	},
	{
		name: "what follows the conflict in the section is handed over too",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 1, Addr: locks},
			writeAt(1, base+64, 5),
			{Op: Lock, Task: 1, Addr: locks + 8}, {Op: Unlock, Task: 1, Addr: locks + 8},
			write(1, 1),
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, writeAt(2, base+64, 6), {Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		all: []uintptr{2},
	},
	{
		name: "readers do not exclude one another",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 1, Addr: locks, Shared: true}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks, Shared: true},
			{Op: Lock, Task: 2, Addr: locks, Shared: true}, write(2, 2), {Op: Unlock, Task: 2, Addr: locks, Shared: true},
		},
		race: []uintptr{2},
	},
	{
		name: "a reader after a writer",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks, Shared: true}, write(2, 2), {Op: Unlock, Task: 2, Addr: locks, Shared: true},
		},
	},
	{
		name: "a lock unlocked by another task is a message",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			write(2, 1),
			{Op: Unlock, Task: 2, Addr: locks},
			{Op: Lock, Task: 1, Addr: locks},
			write(1, 2),
		},
	},
	{
		name: "a shared hold ends with the last reader after a stray unlock",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 0, Addr: locks}, write(0, 1), {Op: Unlock, Task: 0, Addr: locks},
			{Op: Lock, Task: 1, Addr: locks, Shared: true},
			writeAt(1, base+64, 5),
			{Op: Unlock, Task: 2, Addr: locks, Shared: true},
			write(1, 2),
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "so it does if the last to go held it longest",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 0, Addr: locks}, write(0, 1), {Op: Unlock, Task: 0, Addr: locks},
			{Op: Lock, Task: 1, Addr: locks, Shared: true},
			{Op: Lock, Task: 1, Addr: locks, Shared: true},
			{Op: Unlock, Task: 2, Addr: locks, Shared: true},
			writeAt(1, base+64, 5),
			{Op: Unlock, Task: 1, Addr: locks, Shared: true},
			write(1, 2),
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "a section ends in the task to which its lock was handed over",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			write(2, 2),
			{Op: Unlock, Task: 2, Addr: locks},
		},
	},
	{
		name: "an access behind that end is outside",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "an access for which the end does not wait is outside",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			write(2, 2),
			{Op: Unlock, Task: 0, Addr: locks},
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "so is one of the task that has handed the lock over",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			write(0, 2),
			{Op: Unlock, Task: 2, Addr: locks},
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "and so is each of a row",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks},
			{Op: Access, Task: 1, Addr: base, N: 32, Kind: parallel.Write, Site: 1},
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			writeAt(0, base, 2), writeAt(0, base+8, 2), writeAt(0, base+16, 2), writeAt(0, base+24, 2),
			{Op: Unlock, Task: 2, Addr: locks},
		},
		predicted: []uintptr{2}, all: []uintptr{2, 2, 2, 2},
	},
	{
		name: "a section around tasks that were forked and joined in it",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 1, Addr: locks},
			{Op: Fork, Task: 1, Other: 3},
			write(3, 1),
			{Op: ReleaseMerge, Task: 3, Addr: things},
			{Op: Acquire, Task: 1, Addr: things},
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, write(2, 2), {Op: Unlock, Task: 2, Addr: locks},
		},
	},
	{
		name: "what a section hands over reaches the task to which its lock was handed over",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			write(1, 1),
			{Op: Lock, Task: 1, Addr: locks}, writeAt(1, base+64, 5), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 2},
			writeAt(2, base+64, 6),
			{Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		all: []uintptr{2},
	},
	{
		name: "readers that others let go",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks}, write(1, 1), {Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 0, Addr: locks, Shared: true},
			{Op: Lock, Task: 0, Addr: locks, Shared: true},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Fork, Task: 0, Other: 3},
			{Op: Access, Task: 2, Addr: base, N: 8, Kind: parallel.Read, Site: 2},
			{Op: Unlock, Task: 2, Addr: locks, Shared: true},
			{Op: Unlock, Task: 3, Addr: locks, Shared: true},
			{Op: Access, Task: 3, Addr: base, N: 8, Kind: parallel.Read, Site: 3},
		},
		predicted: []uintptr{3}, all: []uintptr{3},
	},
	{
		name: "a nested shared hold of which another task ends the rest",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Lock, Task: 1, Addr: locks, Shared: true},
			{Op: Lock, Task: 1, Addr: locks, Shared: true},
			{Op: Access, Task: 1, Addr: base, N: 8, Kind: parallel.Read, Site: 1},
			{Op: Unlock, Task: 1, Addr: locks, Shared: true},
			{Op: Unlock, Task: 2, Addr: locks, Shared: true},
			{Op: Lock, Task: 0, Addr: locks}, write(0, 2), {Op: Unlock, Task: 0, Addr: locks},
		},
	},
	{
		name: "what a forgotten parent knew when it forked",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Fork, Task: 0, Other: 3},
			write(1, 1),
			{Op: Release, Task: 1, Addr: locks},
			{Op: Acquire, Task: 2, Addr: locks},
			{Op: Acquire, Task: 3, Addr: locks},
			{Op: Fork, Task: 3, Other: 4},
			{Op: End, Task: 3},
			{Op: Sweep},
			{Op: Release, Task: 4, Addr: locks + 8},
			{Op: Acquire, Task: 0, Addr: locks + 8},
			write(0, 2),
		},
	},
	{
		name: "an access repeated under a lock",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			writeAt(1, base+64, 5),
			{Op: Lock, Task: 1, Addr: locks},
			writeAt(1, base+64, 5),
			write(1, 1),
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, writeAt(2, base+64, 6), {Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		all: []uintptr{6, 2},
	},
	{
		name: "a place known without locks is another under them",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			writeAt(1, base+64, 5), {Op: Invalidate}, writeAt(1, base+64, 5),
			{Op: Lock, Task: 1, Addr: locks},
			write(1, 1),
			writeAt(1, base+64, 5),
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 2, Addr: locks}, writeAt(2, base+64, 6), {Op: Unlock, Task: 2, Addr: locks},
			write(2, 2),
		},
		all: []uintptr{6, 2},
	},
	{
		name: "a place known under a lock is another when it was taken away",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Fork, Task: 0, Other: 3},
			{Op: Lock, Task: 1, Addr: locks},
			write(1, 1), {Op: Invalidate}, write(1, 1),
			{Op: Unlock, Task: 2, Addr: locks},
			{Op: Invalidate},
			write(1, 1),
			{Op: Lock, Task: 1, Addr: locks + 8}, {Op: Unlock, Task: 1, Addr: locks + 8},
			{Op: Lock, Task: 3, Addr: locks + 8}, {Op: Unlock, Task: 3, Addr: locks + 8},
			{Op: Lock, Task: 3, Addr: locks},
			write(3, 2),
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
	{
		name: "memory made anew has no past, and no locks",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			write(1, 1),
			{Op: Lock, Task: 1, Addr: base + 8}, writeAt(1, base+64, 5), {Op: Unlock, Task: 1, Addr: base + 8},
			{Op: Alloc, Addr: base, N: 16},
			write(2, 2),
			{Op: Lock, Task: 2, Addr: base + 8}, writeAt(2, base+64, 3), {Op: Unlock, Task: 2, Addr: base + 8},
		},
		race: []uintptr{3},
	},
	{
		name: "a place known before its memory was freed and written again",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			writeAt(0, base, 1),
			{Op: Meet, Task: 0, Other: 1},
			{Op: Access, Task: 1, Addr: base + 4, N: 4, Kind: parallel.Write, Site: 1},
			{Op: Alloc, Addr: base &^ 8191, N: 8192},
			writeAt(0, base, 1),
			writeAt(1, base, 1),
		},
		race: []uintptr{1},
	},
	{
		name: "a range read again after a race with its first reading",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			write(0, 1),
			{Op: ReleaseMerge, Task: 0, Addr: things},
			{Op: Acquire, Task: 1, Addr: things},
			{Op: Access, Task: 1, Addr: base + 4, N: 2, Kind: parallel.Read, Site: 2},
			{Op: Access, Task: 1, Addr: base, N: 8, Kind: parallel.Read, Site: 2},
			write(0, 1),
			{Op: Access, Task: 1, Addr: base - 8, N: 336, Kind: parallel.Read, Site: 2},
		},
		race: []uintptr{1, 2},
	},
	{
		name: "neighbouring bytes",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Access, Task: 0, Addr: base, N: 3, Kind: parallel.Write, Site: 1},
			{Op: Access, Task: 1, Addr: base + 3, N: 5, Kind: parallel.Write, Site: 2},
			{Op: Access, Task: 1, Addr: base + 2, N: 2, Kind: parallel.Read, Site: 3},
		},
		race: []uintptr{3},
	},
	{
		name: "atomics race with plain accesses alone",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Access, Task: 0, Addr: base, N: 8, Kind: parallel.AtomicWrite, Site: 1},
			{Op: Access, Task: 1, Addr: base, N: 8, Kind: parallel.AtomicWrite, Site: 2},
			{Op: Access, Task: 1, Addr: base, N: 8, Kind: parallel.AtomicRead, Site: 3},
			{Op: Access, Task: 2, Addr: base, N: 8, Kind: parallel.Read, Site: 4},
		},
		race: []uintptr{4},
	},
	{
		name: "a read stands for no write",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			write(0, 1),
			{Op: Access, Task: 0, Addr: base, N: 8, Kind: parallel.Read, Site: 2},
			{Op: Access, Task: 1, Addr: base, N: 8, Kind: parallel.Read, Site: 3},
		},
		race: []uintptr{3},
	},
	{
		// The clock that returns to task 0 knows task 2 only as its owner's parent.
		name: "a clock that comes back from one who knows more without an entry",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 1, Other: 2},
			{Op: Lock, Task: 0, Addr: locks + 64},
			{Op: Access, Task: 2, Addr: base, N: 8, Kind: parallel.Read, Site: 2},
			{Op: Fork, Task: 2, Other: 3},
			{Op: Meet, Task: 3, Other: 0},
			{Op: Release, Task: 3, Addr: locks},
			{Op: Access, Task: 0, Addr: base, N: 8, Kind: parallel.Read, Site: 1},
			{Op: Acquire, Task: 0, Addr: locks},
			{Op: Fork, Task: 0, Other: 4},
			{Op: Fork, Task: 4, Other: 5},
			write(5, 3),
		},
	},
	{
		name: "a clock that replaces one whose owner has forked",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Fork, Task: 2, Other: 3},
			write(1, 1),
			{Op: Fork, Task: 1, Other: 4},
			{Op: ReleaseMerge, Task: 3, Addr: things},
			{Op: Acquire, Task: 0, Addr: things},
			{Op: Release, Task: 3, Addr: things + 8},
			{Op: Acquire, Task: 4, Addr: things},
			{Op: Acquire, Task: 2, Addr: things + 8},
			{Op: Fork, Task: 4, Other: 5},
			{Op: ReleaseMerge, Task: 2, Addr: things + 16},
			{Op: Acquire, Task: 4, Addr: things + 16},
			{Op: Fork, Task: 4, Other: 6},
			write(6, 1),
		},
	},
	{
		// Only the second section of the first lock would tell the last writer of the quiet section, and
		// it does not surround the write.
		name: "a lasting section that is known through one that does not surround",
		trace: []Event{
			{Op: Fork, Task: 0, Other: 1},
			{Op: Lock, Task: 1, Addr: locks},
			{Op: Lock, Task: 1, Addr: locks + 8},
			write(1, 1),
			{Op: Unlock, Task: 1, Addr: locks},
			{Op: Lock, Task: 1, Addr: locks, Quiet: true},
			{Op: Unlock, Task: 1, Addr: locks + 8},
			{Op: Lock, Task: 0, Addr: locks + 8},
			{Op: Fork, Task: 0, Other: 2},
			{Op: Fork, Task: 2, Other: 3},
			write(3, 2),
			{Op: Unlock, Task: 1, Addr: locks + 8},
		},
		predicted: []uintptr{2}, all: []uintptr{2},
	},
}

func write(task int, site uintptr) Event { return writeAt(task, base, site) }

func writeAt(task int, addr, site uintptr) Event {
	return Event{Op: Access, Task: task, Addr: addr, N: 8, Kind: parallel.Write, Site: site}
}

// sites returns the sites of the accesses with a finding.
func sites(trace []Event, found map[int]*Finding, predicted bool) []uintptr {
	var s []uintptr
	for i, v := range trace {
		if f := found[i]; f != nil && (predicted && f.Predicted != nil || !predicted && f.Race != nil) {
			s = append(s, v.Site)
		}
	}
	return s
}

func equal(a, b []uintptr) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestTraces(t *testing.T) {
	for _, c := range traces {
		if n := len(Legal(c.trace)); n != len(c.trace) {
			t.Errorf("%s: only %d of %d events are legal", c.name, n, len(c.trace))
			continue
		}
		for _, m := range modes {
			found, _ := Replay(c.trace, m.o)
			if got := sites(c.trace, found, false); !equal(got, c.race) {
				t.Errorf("%s, %s: races at %v, want %v", c.name, m.name, got, c.race)
			}
			want := c.predicted
			if m.o.All {
				want = c.all
			} else if m.o.NoPredict {
				want = nil
			}
			if got := sites(c.trace, found, true); !equal(got, want) {
				t.Errorf("%s, %s: predictions at %v, want %v", c.name, m.name, got, want)
			}
			if err := Check(c.trace, m.o, nil); err != nil {
				t.Errorf("%s, %s: %v", c.name, m.name, err)
			}
		}
	}
}

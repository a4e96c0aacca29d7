package ptracer

import (
	"testing"

	"taskinstr/detector/event"
)

// racing is a race that is due: two sites and the bytes.
type racing struct {
	first, second uint32
	addr, size    uint64
	tier          event.Tier
}

func TestCases(t *testing.T) {
	const x = 0x7ff0_c0de_0000 // too large for 32 bits
	begin := event.Event{Op: event.FinishBegin, Obj: 5}
	finish := event.Event{Op: event.FinishEnd, Obj: 5}
	fork := func(task uint32) event.Event { return event.Event{Op: event.Fork, Other: task} }
	end := func(task uint32) event.Event { return event.Event{Op: event.End, Task: task, Obj: 5} }
	lock := func(task uint32, l uint64, shared bool) event.Event {
		return event.Event{Op: event.Lock, Task: task, Obj: l, Shared: shared}
	}
	unlock := func(task uint32, l uint64, shared bool) event.Event {
		return event.Event{Op: event.Unlock, Task: task, Obj: l, Shared: shared}
	}
	access := func(task uint32, k event.Kind, addr, size uint64, site uint32) event.Event {
		return event.Event{Op: event.Access, Task: task, Kind: k, Addr: addr, Size: size, Site: site}
	}
	many := func(task uint32, op event.Op, n uint64) (list []event.Event) {
		for i := range n {
			list = append(list, event.Event{Op: op, Task: task, Obj: 0x1000 + 8*i})
		}
		return list
	}
	join := func(lists ...[]event.Event) (all []event.Event) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	for name, c := range map[string]struct {
		trace []event.Event
		want  []racing
	}{
		"main races with its child": {
			[]event.Event{begin, fork(1), access(0, event.Write, x, 8, 1), access(1, event.Read, x+2, 2, 2), end(1), finish},
			[]racing{{1, 2, x + 2, 2, event.TierRace}},
		},
		"main after its finish": {
			[]event.Event{begin, fork(1), access(1, event.Write, x, 8, 1), end(1), finish, access(0, event.Write, x, 8, 2)},
			nil,
		},
		"addresses that differ in high bits": {
			[]event.Event{begin, fork(1), access(0, event.Write, x, 8, 1), access(1, event.Write, x-1<<32, 8, 2), end(1), finish},
			nil,
		},
		"a range over a page's end": {
			[]event.Event{begin, fork(1), access(0, event.Write, x, 9000, 1), access(1, event.Read, x+1, 8999, 2), end(1), finish},
			[]racing{{1, 2, x + 1, 8999, event.TierRace}},
		},
		"the seventieth of a hundred locks protects": {
			join([]event.Event{begin, fork(1)}, many(0, event.Lock, 100), []event.Event{access(0, event.Write, x, 8, 1)},
				many(0, event.Unlock, 100), // first in, first out
				[]event.Event{lock(1, 0x1000+8*69, false), access(1, event.Write, x, 8, 2), unlock(1, 0x1000+8*69, false), end(1), finish}),
			nil,
		},
		"readers of a lock do not exclude each other": {
			[]event.Event{begin, fork(1), lock(0, 8, true), lock(1, 8, true), access(0, event.Read, x, 4, 1), access(1, event.Write, x, 4, 2),
				unlock(0, 8, true), unlock(1, 8, true), end(1), finish},
			[]racing{{1, 2, x, 4, event.TierRace}},
		},
		"fresh memory, in the same step": {
			[]event.Event{begin, fork(1), access(1, event.Write, x, 8, 1), {Op: event.Free, Addr: x, Size: 8}, {Op: event.Alloc, Addr: x, Size: 8},
				access(0, event.Write, x, 8, 2), end(1), finish},
			nil,
		},
		"an access that is repeated in fresh memory": {
			[]event.Event{begin, fork(1), access(1, event.Write, x, 8, 1), {Op: event.Alloc, Addr: x, Size: 8}, access(1, event.Write, x, 8, 2),
				access(0, event.Write, x, 8, 3), end(1), finish},
			[]racing{{2, 3, x, 8, event.TierRace}},
		},
		"a possible access under a lock of its side": {
			[]event.Event{begin, fork(1), lock(0, 8, false), access(0, event.Write, x, 8, 1), unlock(0, 8, false),
				{Op: event.Branch, Task: 1, Obj: 1, Site: 2},
				{Op: event.Possible, Task: 1, Obj: 1, Kind: event.Write, Addr: x, Size: 8, Site: 3, Locks: []uint64{8}},
				{Op: event.Possible, Task: 1, Obj: 1, Kind: event.Read, Addr: x, Size: 4, Site: 4},
				{Op: event.Possible, Task: 1, Obj: 1, Kind: event.Read, Addr: x, Size: 4, Site: 5, Locks: []uint64{8 | 1}},
				access(0, event.Write, x, 4, 6), end(1), finish},
			[]racing{{1, 4, x, 4, event.TierPossible}, {3, 6, x, 4, event.TierPossible}, {4, 6, x, 4, event.TierPossible}, {5, 6, x, 4, event.TierPossible}},
		},
		"a possible access stands for none that happened": {
			[]event.Event{begin, fork(1), access(1, event.Write, x, 8, 1),
				{Op: event.Possible, Task: 1, Obj: 1, Kind: event.Write, Addr: x, Size: 8, Site: 2},
				access(0, event.Write, x, 8, 3), end(1), finish},
			[]racing{{1, 3, x, 8, event.TierRace}, {2, 3, x, 8, event.TierPossible}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []racing
			d := newDetector(func(r event.Race) {
				got = append(got, racing{r.First.Site, r.Second.Site, r.Addr, r.Size, r.Tier})
			}, fullSizes, &diagnoser{})
			for i := range c.trace {
				d.Event(&c.trace[i])
			}
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", got, c.want)
			}
			for i := range got {
				if got[i] != c.want[i] {
					t.Errorf("got %v, want %v", got[i], c.want[i])
				}
			}
		})
	}
}

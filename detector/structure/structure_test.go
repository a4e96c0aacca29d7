package structure

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/trace"
)

// mapped returns a trace with the structure found in it. Places and stacks are unknown,
// so no event counts as the runtime's own.
func mapped(raw []event.Event) []event.Event {
	f := NewFinder()
	for i := range raw {
		f.Event(&raw[i])
	}
	var out []event.Event
	m := f.Plan().Mapper(func(e *event.Event) { out = append(out, *e) })
	s := &trace.Symbols{Locations: make([]trace.Location, 1), Places: make([]trace.Place, 1), Stacks: make([]trace.Stack, 1)}
	for i := range raw {
		m.Event(s, &raw[i])
	}
	m.Close()
	return out
}

const wordOf = 0xc000200000 // addresses of WaitGroups and channels

// lowered rewrites the scopes and promises of a trace as WaitGroups and closes of
// channels.
func lowered(structured []event.Event) []event.Event {
	var out []event.Event
	for _, e := range structured {
		obj := wordOf + 16*e.Obj
		switch e.Op {
		case event.FinishBegin:
			continue
		case event.FinishEnd:
			e = event.Event{Op: event.Acquire, Task: e.Task, Obj: obj, Use: event.UseWaitGroup}
		case event.End:
			if e.Obj != 0 {
				out = append(out, event.Event{Op: event.ReleaseMerge, Task: e.Task, Obj: obj, Use: event.UseWaitGroup})
				e.Obj = 0
			}
		case event.Set:
			e = event.Event{Op: event.Release, Task: e.Task, Obj: obj + 8, Use: event.UseChannel, Addr: obj, Value: trace.ChanClose}
		case event.Get:
			e = event.Event{Op: event.Acquire, Task: e.Task, Obj: obj + 8, Use: event.UseChannel, Addr: obj, Value: trace.ChanReceiveClosed}
		}
		out = append(out, e)
	}
	return out
}

// Structure written as WaitGroups and channels is found again: the same accesses are
// ordered, under any schedule.
func TestFoundAgain(t *testing.T) {
	features := differential.Features{Finish: true, Sync: true, Promises: true, Isolated: true, Locks: true, Atomics: true, Ranges: true}
	scopes, promises := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := differential.Random(r, 10+r.IntN(80), features)
		schedule := r
		if seed%2 == 0 {
			schedule = nil
		}
		want := p.Run(schedule)
		got := mapped(lowered(want))
		if err := event.Check(got); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		a, b := differential.Judge(want), differential.Judge(got)
		if !maps.Equal(a.Order, b.Order) || !maps.Equal(a.Structural, b.Structural) {
			t.Fatalf("seed %d: %d unordered pairs, %d are found", seed, len(a.Order), len(b.Order))
		}
		for _, e := range got {
			switch e.Op {
			case event.FinishBegin:
				scopes++
			case event.Set:
				promises++
			case event.Outside:
				t.Fatalf("seed %d: %v", seed, e)
			}
		}
	}
	if scopes == 0 || promises == 0 {
		t.Errorf("%d scopes, %d promises were found", scopes, promises)
	}
}

// The building blocks of the cases.
const (
	wg   = 0xc000300000
	ch   = 0xc000300100
	word = 0xc000300200
	once = 0xc000300300
)

func fork(parent, child uint32) event.Event {
	return event.Event{Op: event.Fork, Task: parent, Other: child}
}
func end(task uint32) event.Event { return event.Event{Op: event.End, Task: task} }
func access(task uint32) event.Event {
	return event.Event{Op: event.Access, Task: task, Addr: 8, Size: 8}
}
func doneOf(task uint32) event.Event {
	return event.Event{Op: event.ReleaseMerge, Task: task, Obj: wg, Use: event.UseWaitGroup}
}
func waitOf(task uint32) event.Event {
	return event.Event{Op: event.Acquire, Task: task, Obj: wg, Use: event.UseWaitGroup}
}
func channelOf(task uint32, op event.Op, what, capacity, slot uint64) event.Event {
	return event.Event{Op: op, Task: task, Use: event.UseChannel, Addr: ch, Size: capacity, Value: what, Obj: ch + 96 + 8*slot}
}
func send(task uint32, slot uint64) event.Event {
	return channelOf(task, event.ReleaseAcquire, trace.ChanSend, 2, slot)
}
func receive(task uint32, slot uint64) event.Event {
	return channelOf(task, event.ReleaseAcquire, trace.ChanReceive, 2, slot)
}

// onChannel is an operation on one of several channels of capacity one.
func onChannel(task uint32, i uint64, what uint64) event.Event {
	op := [...]event.Op{trace.ChanSend: event.ReleaseAcquire, trace.ChanReceive: event.ReleaseAcquire, trace.ChanClose: event.Release, trace.ChanReceiveClosed: event.Acquire}[what]
	at := uint64(0xc000300400 + 256*i)
	return event.Event{Op: op, Task: task, Use: event.UseChannel, Addr: at, Size: 1, Value: what, Obj: at + 96}
}
func using(e event.Event, u event.Use) event.Event {
	e.Use = u
	return e
}

func TestCases(t *testing.T) {
	release := func(task uint32, u event.Use) event.Event {
		return event.Event{Op: event.ReleaseMerge, Task: task, Obj: word, Use: u}
	}
	acquire := func(task uint32, u event.Use) event.Event {
		return event.Event{Op: event.Acquire, Task: task, Obj: word, Use: u}
	}
	for _, c := range []struct {
		name    string
		raw     []event.Event
		scopes  int
		sets    int
		outside []event.Use
	}{
		{"finish", []event.Event{fork(0, 1), fork(0, 2), access(2), doneOf(2), access(1), doneOf(1), end(2), waitOf(0), end(1)}, 1, 0, nil},
		{"two rounds", []event.Event{fork(0, 1), doneOf(1), end(1), waitOf(0), fork(0, 2), doneOf(2), end(2), waitOf(0)}, 2, 0, nil},
		{"two that wait", []event.Event{fork(0, 1), fork(0, 2), doneOf(2), end(2), waitOf(0), waitOf(1), access(1), end(1)}, 0, 1, nil},
		{"a sibling waits", []event.Event{fork(0, 1), fork(0, 2), access(1), doneOf(1), end(1), waitOf(2), access(2), end(2)}, 0, 1, nil},
		{"done in the middle", []event.Event{fork(0, 1), doneOf(1), access(1), end(1), waitOf(0)}, 0, 1, nil},
		{"nobody waits", []event.Event{fork(0, 1), access(1), doneOf(1), end(1)}, 0, 0, nil},
		{"rounds overlap", []event.Event{fork(0, 1), fork(0, 2), doneOf(1), end(1), waitOf(0), access(2), doneOf(2), end(2), waitOf(0)}, 1, 0, []event.Use{event.UseWaitGroup}},
		{"new memory", []event.Event{fork(0, 1), doneOf(1), end(1), waitOf(0), {Op: event.Alloc, Addr: wg - 8, Size: 64}, fork(0, 2), doneOf(2), end(2), waitOf(0)}, 2, 0, nil},
		{"one message", []event.Event{fork(0, 1), send(1, 0), end(1), receive(0, 0)}, 1, 1, nil},
		{"a message with a fork before it arrives", []event.Event{fork(0, 1), send(1, 0), end(1), fork(0, 2), receive(0, 0), access(2)}, 0, 2, nil},
		{"a message in the middle of a task", []event.Event{fork(0, 1), send(1, 0), access(1), end(1), receive(0, 0)}, 0, 2, nil},
		{"a message to somebody else", []event.Event{fork(0, 1), send(1, 0), end(1), fork(0, 2), receive(2, 0)}, 0, 2, nil},
		{"tests that call Parallel", []event.Event{
			fork(0, 1), access(1), onChannel(1, 1, trace.ChanSend), onChannel(0, 1, trace.ChanReceive),
			fork(0, 2), onChannel(2, 2, trace.ChanSend), onChannel(0, 2, trace.ChanReceive),
			onChannel(0, 0, trace.ChanClose), onChannel(2, 0, trace.ChanReceiveClosed), access(2), onChannel(1, 0, trace.ChanReceiveClosed), access(1),
			onChannel(1, 1, trace.ChanSend), end(1), onChannel(0, 1, trace.ChanReceive), onChannel(2, 2, trace.ChanSend), end(2), onChannel(0, 2, trace.ChanReceive),
		}, 3, 5, nil},
		{"a test that is forked beside those that called Parallel", []event.Event{
			fork(0, 1), onChannel(1, 1, trace.ChanSend), onChannel(0, 1, trace.ChanReceive),
			onChannel(0, 0, trace.ChanClose), onChannel(1, 0, trace.ChanReceiveClosed), access(1),
			fork(0, 2), access(2), end(2),
			onChannel(1, 1, trace.ChanSend), end(1), onChannel(0, 1, trace.ChanReceive),
		}, 0, 5, nil},
		{"a pipe", []event.Event{fork(0, 1), send(1, 0), send(1, 1), receive(0, 0), send(1, 0), end(1), receive(0, 1), receive(0, 0)}, 1, 5, nil},
		{"two senders", []event.Event{fork(0, 1), fork(0, 2), send(1, 0), send(2, 1), receive(0, 0)}, 0, 0, []event.Use{event.UseChannel, event.UseChannel, event.UseChannel}},
		{"senders in turn", []event.Event{fork(0, 1), send(1, 0), receive(0, 0), fork(0, 2), fork(2, 3), send(3, 1), receive(0, 1)}, 0, 4, nil},
		{"senders that are alive at once", []event.Event{fork(0, 1), fork(0, 2), send(1, 0), receive(0, 0), send(2, 1), receive(0, 1)}, 0, 0, []event.Use{event.UseChannel, event.UseChannel, event.UseChannel, event.UseChannel}},
		{"a sender before the other's message has arrived", []event.Event{fork(0, 1), send(1, 0), fork(0, 2), send(2, 1), receive(0, 0), receive(0, 1)}, 0, 0, []event.Use{event.UseChannel, event.UseChannel, event.UseChannel, event.UseChannel}},
		{"once", []event.Event{fork(0, 1), using(acquire(0, 0), event.UseOnce), using(release(0, 0), event.UseOnce), using(acquire(1, 0), event.UseOnce)}, 0, 1, nil},
		{"atomics that order", []event.Event{fork(0, 1), release(1, event.UseAtomic), acquire(0, event.UseAtomic)}, 0, 0, []event.Use{event.UseAtomic}},
		{"atomics that do not", []event.Event{release(0, event.UseAtomic), fork(0, 1), acquire(1, event.UseAtomic), doneOf(1), end(1), waitOf(0), acquire(0, event.UseAtomic)}, 1, 0, nil},
		{"foreign unlock", []event.Event{fork(0, 1), {Op: event.Lock, Task: 1, Obj: word}, {Op: event.Unlock, Task: 0, Obj: word}}, 0, 0, []event.Use{event.UseHandover}},
		{"timer", []event.Event{{Op: event.Fork, Other: 1, Shared: true}, access(1)}, 0, 0, []event.Use{event.UseTimer}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := mapped(c.raw)
			if err := event.Check(got); err != nil {
				t.Error(err)
			}
			scopes, sets := 0, 0
			var outside []event.Use
			for _, e := range got {
				switch e.Op {
				case event.FinishEnd:
					scopes++
				case event.Set:
					sets++
				case event.Outside:
					outside = append(outside, e.Use)
				}
			}
			if scopes != c.scopes || sets != c.sets || !slices.Equal(outside, c.outside) {
				t.Errorf("%d scopes, %d promises, outside %v; want %d, %d, %v; events %v", scopes, sets, outside, c.scopes, c.sets, c.outside, got)
			}
		})
	}
}

// A promise at the address of an earlier promise is another promise.
func TestPromiseAgain(t *testing.T) {
	got := mapped([]event.Event{
		{Op: event.Set, Obj: word}, {Op: event.Get, Obj: word},
		{Op: event.Set, Obj: word}, {Op: event.Get, Obj: word},
	})
	if err := event.Check(got); err != nil {
		t.Error(err)
	}
	if len(got) != 4 || got[0].Obj != got[1].Obj || got[2].Obj != got[3].Obj || got[0].Obj == got[2].Obj {
		t.Errorf("%v", got)
	}
}

// A task without operations, such as the runtime's own, is left out.
func TestSilent(t *testing.T) {
	for _, e := range mapped([]event.Event{fork(0, 1), fork(0, 2), access(2), end(1)}) {
		if e.Task == 1 || e.Op == event.Fork && e.Other == 1 {
			t.Errorf("%v", e)
		}
	}
}

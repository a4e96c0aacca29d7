package fasttrack

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(500)

// judge returns, by brute force, the bytes on which conflicting accesses are unordered by
// happens-before, and the pairs of those accesses.
func judge(trace []event.Event) (bytes map[uint64]bool, pairs map[differential.Pair]bool) {
	bytes, pairs = map[uint64]bool{}, map[differential.Pair]bool{}
	differential.Conflicts(trace, true, func(k, i int, lo, hi uint64) {
		pairs[differential.PairOf(&trace[k], &trace[i])] = true
		for x := lo; x < hi; x++ {
			bytes[x] = true
		}
	})
	return bytes, pairs
}

const rawBase = 0xc000200000

// raw returns a trace with raw events instead of structured ones.
func raw(trace []event.Event) (list []event.Event) {
	for _, e := range trace {
		obj := rawBase + 8*e.Obj
		switch e.Op {
		case event.FinishBegin:
		case event.FinishEnd:
			list = append(list, event.Event{Op: event.Acquire, Task: e.Task, Obj: obj})
		case event.End:
			list = append(list, event.Event{Op: event.ReleaseMerge, Task: e.Task, Obj: obj}, event.Event{Op: event.End, Task: e.Task})
		case event.Set:
			list = append(list, event.Event{Op: event.Release, Task: e.Task, Obj: obj})
		case event.Get:
			list = append(list, event.Event{Op: event.Acquire, Task: e.Task, Obj: obj})
		default:
			list = append(list, e)
		}
	}
	return list
}

// salt adds raw events by running tasks, and fresh memory.
func salt(r *rand.Rand, trace []event.Event) (list []event.Event) {
	running := []uint32{0}
	for _, e := range trace {
		list = append(list, e)
		switch e.Op {
		case event.Fork:
			running = append(running, e.Other)
		case event.End:
			running = slices.DeleteFunc(running, func(t uint32) bool { return t == e.Task })
		}
		if r.IntN(6) != 0 {
			continue
		}
		x := event.Event{Task: running[r.IntN(len(running))], Obj: rawBase + 8*uint64(r.IntN(3))}
		switch k := r.IntN(14); k {
		case 0, 1, 2:
			x.Op = event.Acquire
		case 3, 4, 5, 6, 7, 8, 9:
			x.Op = [...]event.Op{event.Release, event.Release, event.ReleaseMerge, event.ReleaseMerge, event.ReleaseMerge,
				event.ReleaseAcquire, event.ReleaseAcquire}[k-3]
		case 10:
			x.Op = event.Meet
			x.Other = running[r.IntN(len(running))]
			if x.Other == x.Task {
				continue
			}
		default:
			x = event.Event{Op: event.Alloc, Addr: e.Addr + uint64(r.IntN(4)), Size: uint64(1 + r.IntN(16))}
			if r.IntN(2) == 0 {
				x.Addr = rawBase
			}
		}
		list = append(list, x)
	}
	return list
}

// The detector names the racy bytes that brute force finds, and only pairs that brute
// force finds: from structured events, from raw events and from both.
func TestJudge(t *testing.T) {
	races, reused := 0, int64(0)
	for s, r := range programs.All(9) {
		f := differential.Features{Finish: true, Promises: true, Isolated: true, Locks: true, Atomics: s%2 == 0, Ranges: true, Sync: s%3 == 0}
		trace := differential.Random(r, 10+r.IntN(60), f).Run(r)
		want, pairs := judge(trace)
		switch s % 4 {
		case 1:
			trace = raw(trace)
			if got, _ := judge(trace); !maps.Equal(got, want) {
				t.Fatalf("seed %d: raw events have racy bytes %v, structured ones %v", s, got, want)
			}
		case 2, 3:
			trace = salt(r, trace)
			want, pairs = judge(trace)
		}
		got := detectortest.Run(t, Spec, nil, trace)
		if err := got.Wrong(pairs); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		if !maps.Equal(got.Bytes, want) {
			t.Fatalf("seed %d: racy bytes %v, want %v", s, got.Bytes, want)
		}
		reused += got.Counters["slots taken over"]
		races += len(got.Bytes)
	}
	if races < *programs.N/10 || reused == 0 {
		t.Errorf("only %d racy bytes, %d slots taken over", races, reused)
	}
	t.Logf("%d programs, %d racy bytes, %d slots taken over", *programs.N, races, reused)
}

// A hundred thousand tasks of one scope follow as many of another: clocks share their
// common parts.
func TestManyTasks(t *testing.T) {
	d, err := Spec.New(event.Config{Report: func(r event.Race) { t.Errorf("race %v", r) }})
	if err != nil {
		t.Fatal(err)
	}
	const tasks = 100_000
	id := uint32(0)
	for scope := range uint64(2) {
		d.Event(&event.Event{Op: event.FinishBegin, Obj: scope + 1})
		for range tasks {
			id++
			d.Event(&event.Event{Op: event.Fork, Other: id})
			d.Event(&event.Event{Op: event.Access, Task: id, Kind: event.Write, Addr: 64 * uint64(id%tasks), Size: 8})
			d.Event(&event.Event{Op: event.End, Task: id, Obj: scope + 1})
		}
		d.Event(&event.Event{Op: event.FinishEnd, Obj: scope + 1})
	}
	for _, c := range d.Close() {
		if c.Name == "slots of clocks" && c.Value > tasks+1 {
			t.Errorf("%d slots", c.Value)
		}
	}
}

package ptracer

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	parallel "taskinstr/detector/parallel"
)

// lowered is where the engine's synchronization objects of scopes lie.
const lowered = 0xc000200000

// engine tells a trace of structured events to the parallel engine with predicted=all.
// A scope is a synchronization object: each task's end is merged into it, and its
// FinishEnd acquires it. The second result has the accesses that the engine holds back
// because it knows that their task has made them, or that no other task is alive.
func engine(trace []event.Event) (map[int]finding, map[int]bool) {
	e := new(parallel.Engine)
	found, skipped := map[int]finding{}, map[int]bool{}
	now := 0
	tasks := map[uint32]*parallel.Task{0: e.Init(parallel.Options{All: true, Repeat: true})}
	defer e.Close()
	parallel.OnReport(e, func(r *parallel.Report) {
		f, ok := found[now]
		if !ok {
			f = finding{map[uint64]bool{}, map[uint32]bool{}}
			found[now] = f
		}
		for i := range uint64(r.Cur.Size) {
			f.bytes[uint64(r.Cur.Addr)+i] = true
		}
		f.first[uint32(r.Prev.Site)] = true
	})
	defer parallel.OnReport(e, nil)
	for i := range trace {
		v := &trace[i]
		now = i
		t := tasks[v.Task]
		switch v.Op {
		case event.Fork:
			tasks[v.Other] = e.Fork(t, 0, uintptr(i))
		case event.End:
			e.ReleaseMerge(t, lowered+8*uintptr(v.Obj))
			e.End(t)
			delete(tasks, v.Task)
		case event.FinishEnd:
			e.Acquire(t, lowered+8*uintptr(v.Obj))
		case event.Lock:
			e.Lock(t, uintptr(v.Obj), v.Shared)
		case event.Unlock:
			e.Unlock(t, uintptr(v.Obj), v.Shared)
		case event.Access:
			addr, n, k, site := uintptr(v.Addr), uintptr(v.Size), parallel.Kind(v.Kind), uintptr(v.Site)
			if e.Alone(t) {
				skipped[i] = true
				continue
			}
			switch p := e.Probe(t, addr, n, k); {
			case p == parallel.Covered:
				skipped[i] = true
			case p == parallel.Unknown || !e.Quick(t, addr, n, k, site, site, 0):
				e.Access(t, addr, n, k, site, site, 0)
			}
		}
	}
	return found, skipped
}

// The detector and the engine find the same races. Both keep representatives, so that they
// may name different ones of two earlier accesses that race with a later access. The test
// compares three results: for each access that neither holds back, the bytes on which it races
// with an earlier access; the racy bytes of the whole run; and the pair, for an access that
// races with a single earlier access.
func TestEngine(t *testing.T) {
	accesses, pairs := 0, 0
	for s, r := range programs.All(17) {
		p := differential.Random(r, 10+r.IntN(80), features[s%uint64(len(features))])
		trace := p.Run(r)
		ours, _ := run(t, trace, map[string]string{"access-cache": "off"})
		engines, skipped := engine(trace)
		want := differential.Judge(trace)
		if err := compare(trace, ours, want); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		if err := compare(trace, engines, want); err != nil {
			t.Fatalf("seed %d: engine: %v", s, err)
		}
		earlier := map[int]map[uint32]bool{} // the sites of all earlier accesses that race, by event
		at := map[uint32]int{}
		for k := range trace {
			if trace[k].Op == event.Access {
				at[trace[k].Site] = k
			}
		}
		for p := range want.Structural {
			a, b := p.A, p.B
			if at[a] > at[b] {
				a, b = b, a
			}
			if earlier[at[b]] == nil {
				earlier[at[b]] = map[uint32]bool{}
			}
			earlier[at[b]][a] = true
		}
		for k := range trace {
			if trace[k].Op != event.Access || skipped[k] {
				continue
			}
			accesses++
			a, b := ours[k], engines[k]
			if !equal(a.bytes, b.bytes) {
				t.Fatalf("seed %d: event %d (%v): bytes %v, engine %v", s, k, trace[k], a.bytes, b.bytes)
			}
			if len(earlier[k]) == 1 {
				pairs++
				if !equal(a.first, earlier[k]) || !equal(b.first, earlier[k]) {
					t.Fatalf("seed %d: event %d (%v): races with site %v, engine %v, want %v", s, k, trace[k], a.first, b.first, earlier[k])
				}
			}
		}
	}
	if pairs == 0 {
		t.Error("no access races with one other")
	}
	t.Logf("%d programs, %d accesses, %d pairs", *programs.N, accesses, pairs)
}

func equal[K comparable](a, b map[K]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

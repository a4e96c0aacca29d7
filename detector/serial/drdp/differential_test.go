package drdp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(300)

// stretches are factors for differential.Stretch.
var stretches = []uint64{1, 40, 64, 101}

// The exact claim of package drdp, in depth-first order and in any other.
func TestFirstRaces(t *testing.T) {
	for s, r := range programs.All(5) {
		noHeirs = s%3 == 0
		f := differential.Features{Finish: true, Promises: s%5 != 0, Sync: s%2 == 0, Ranges: true}
		p := differential.Random(r, 10+r.IntN(70), f)
		for _, trace := range [][]event.Event{p.Run(nil), p.Run(r)} {
			every := 0
			if s%4 == 0 {
				every = sweeps[s/4%4]
			}
			long, by := trace, stretches[s/8%4]
			if by > 1 {
				long = differential.Stretch(trace, by)
				same(t, s, every, long, by)
			}
			same(t, s, every, trace, 1)
			first(t, s, every, trace)
			if s%16 == 0 {
				first(t, s, every, long)
			}
		}
	}
}

// sweeps are numbers of events between two sweeps.
var sweeps = []int{3, 7, 16, 30}

// first fails unless the claim holds for a trace whose accesses have a site each.
func first(t *testing.T, seed uint64, every int, trace []event.Event) {
	t.Helper()
	if err := differential.FirstRaces(spec(every), nil, trace); err != nil {
		for k, e := range trace {
			t.Log(k, e, "site", e.Site)
		}
		t.Fatalf("seed %d: %v", seed, err)
	}
}

// few makes all sites one of three, so that origins that are remembered by place come into
// play.
func few(site uint32) uint32 { return 1 + site%3 }

// An accused access is the earlier one of a race of byte x with the event of a trace.
type accused struct {
	event int
	x     uint64
	event.Party
}

// same fails unless the bytes with a race are the bytes that brute force finds, with few sites, and
// the earlier accesses named are among those that race. The trace is one whose memory has been made
// larger by a factor.
func same(t *testing.T, seed uint64, every int, trace []event.Event, by uint64) {
	t.Helper()
	small := slices.Clone(trace)
	for i := range small {
		if e := &small[i]; e.Op == event.Access {
			e.Addr, e.Size = differential.Base+(e.Addr-differential.Base)/by, e.Size/by
		}
	}
	judged := differential.Judge(small)
	want := judged.Words
	place := map[uint32]int{}
	for i := range small {
		if small[i].Op == event.Access {
			place[small[i].Site] = i
		}
	}
	right := map[accused]bool{}
	for p := range judged.Structural {
		i, k := place[p.A], place[p.B]
		i, k = min(i, k), max(i, k)
		a, b := &small[i], &small[k]
		who := a.Party()
		who.Site = few(who.Site)
		for x := max(a.Addr, b.Addr); x < min(a.Addr+a.Size, b.Addr+b.Size); x++ {
			right[accused{k, x, who}] = true
		}
	}
	got := map[uint64]bool{}
	now := 0
	d := newOnTrace(event.Config{Report: func(r event.Race) {
		for i := range r.Size {
			got[r.Addr+i] = true
			if x := differential.Base + (r.Addr+i-differential.Base)/by; !right[accused{now, x, r.First}] {
				t.Fatalf("seed %d: event %d (%v): no race on %#x with %+v", seed, now, &small[now], x, r.First)
			}
		}
	}}, every)
	defer d.Close()
	for now = range trace {
		e := trace[now]
		e.Site = few(e.Site)
		d.Event(&e)
	}
	racy := map[uint64]bool{}
	for x := range got {
		racy[differential.Base+(x-differential.Base)/by] = true
	}
	for x := range racy {
		if !want[x] {
			t.Fatalf("seed %d: a race on %#x is none", seed, x)
		}
	}
	for x := range want {
		for i := range by {
			if !got[differential.Base+(x-differential.Base)*by+i] {
				t.Fatalf("seed %d: no race found on byte %d of %d of %#x", seed, i, by, x)
			}
		}
	}
}

// With locks and atomics, which are outside of the model: no pair is reported that is no race.
func TestOutside(t *testing.T) {
	for s, r := range programs.All(6) {
		f := differential.Features{Finish: true, Promises: true, Sync: s%2 == 0, Ranges: true, Isolated: true, Locks: s%3 != 0}
		trace := differential.Random(r, 80, f).Run(r)
		if err := detectortest.Run(t, spec(0), nil, trace).Wrong(differential.Judge(trace).Structural); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
	}
}

// Tasks that seldom fork or release have long steps: the judgements of a step come into
// play, and sweeps come in the middle.
func TestLongSteps(t *testing.T) {
	for s, r := range programs.All(7) {
		trace := longSteps(r, 2+uint32(r.IntN(3)), 20+r.IntN(60))
		every := []int{0, 5, 11, 23}[s%4]
		by := stretches[s/4%4]
		same(t, s, every, trace, 1)
		if by > 1 {
			same(t, s, every, differential.Stretch(trace, by), by)
		}
		first(t, s, every, trace)
	}
}

// longSteps returns a trace of some tasks that run side by side from the beginning.
func longSteps(r *rand.Rand, tasks uint32, accesses int) []event.Event {
	const words = 6
	var trace []event.Event
	for i := range tasks {
		trace = append(trace, event.Event{Op: event.Fork, Task: 0, Other: i + 1})
	}
	promise, task := uint64(1), uint32(1)
	for site := range accesses {
		if r.IntN(2) == 0 {
			task = 1 + uint32(r.IntN(int(tasks)))
		}
		e := event.Event{Op: event.Access, Task: task, Size: 8, Site: 1 + uint32(site)}
		switch r.IntN(20) {
		case 0:
			trace = append(trace, event.Event{Op: event.Set, Task: e.Task, Obj: promise})
			promise++
		case 1:
			if promise > 1 {
				trace = append(trace, event.Event{Op: event.Get, Task: e.Task, Obj: 1 + uint64(r.IntN(int(promise-1)))})
			}
		}
		n := 1
		if r.IntN(3) == 0 {
			n = 1 + r.IntN(words)
		}
		e.Addr, e.Size = differential.Base+8*uint64(r.IntN(words-n+1)), 8*uint64(n)
		if n == 1 && r.IntN(3) == 0 {
			e.Size = 1 << r.IntN(3)
			e.Addr += e.Size * uint64(r.IntN(int(8/e.Size)))
		}
		if r.IntN(4) == 0 {
			e.Kind = event.Write
		}
		trace = append(trace, e)
	}
	return trace
}

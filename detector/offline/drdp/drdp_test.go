package drdp

import (
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(2000)

// traversals returns all settings of the options.
func traversals() []map[string]string {
	var all []map[string]string
	for _, order := range options[0].Values {
		for _, joins := range options[1].Values {
			for _, age := range options[2].Values {
				all = append(all, map[string]string{"order": order, "joins": joins, "age": age})
			}
		}
	}
	return all
}

// The exact claim of doc.go holds with each traversal, in depth-first order and in any
// other order. In the other orders, tasks wait for promises that are set later.
func TestFirstRaces(t *testing.T) {
	for s, r := range programs.All(5) {
		f := differential.Features{Finish: true, Promises: true, Sync: s%2 == 0, Ranges: true}
		p := differential.Random(r, 10+r.IntN(70), f)
		for i, trace := range [][]event.Event{p.Run(nil), p.Run(r)} {
			for j, option := range traversals() {
				if i == 0 && *programs.N > 10000 && j != int(s%8) {
					continue // depth-first order exercises nothing that the other orders do not
				}
				if err := differential.FirstRaces(Spec, option, trace); err != nil {
					t.Fatalf("seed %d, %v: %v", s, option, err)
				}
			}
		}
	}
}

// Locks and atomics are outside of the model, so that the exact claim does not hold. But
// each reported pair is a race.
func TestOutside(t *testing.T) {
	for s, r := range programs.All(6) {
		f := differential.Features{Finish: true, Promises: true, Sync: s%2 == 0, Ranges: true, Isolated: true, Locks: s%3 != 0, Atomics: s%3 != 1}
		trace := differential.Random(r, 80, f).Run(r)
		if err := detectortest.Run(t, Spec, nil, trace).Wrong(differential.Judge(trace).Structural); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
	}
}

// Some tasks have no scope that waits for them, or another scope than the innermost one.
func TestEscaping(t *testing.T) {
	escaped := int64(0)
	for s, r := range programs.All(7) {
		f := differential.Features{Finish: true, Promises: s%2 == 0, Sync: s%3 == 0}
		trace := reorder(r, escape(r, differential.Random(r, 10+r.IntN(70), f).Run(nil)))
		if err := event.Check(trace); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		if err := differential.FirstRaces(Spec, nil, trace); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		d := newDetector(func(event.Race) {}, traversal{})
		for i := range trace {
			d.Event(&trace[i])
		}
		escaped += d.tree.Escaped
	}
	if escaped == 0 {
		t.Error("no task has escaped")
	}
}

// escape changes the scope of some tasks' ends to none or to the enclosing scope, which
// is open as long.
func escape(r *rand.Rand, trace []event.Event) []event.Event {
	outer := map[uint64]uint64{}
	var open []uint64
	for i := range trace {
		e := &trace[i]
		switch e.Op {
		case event.FinishBegin:
			if len(open) > 0 {
				outer[e.Obj] = open[len(open)-1]
			}
			open = append(open, e.Obj)
		case event.FinishEnd:
			open = open[:len(open)-1]
		case event.End:
			switch r.IntN(4) {
			case 0:
				e.Obj = 0
			case 1:
				e.Obj = outer[e.Obj]
			}
		}
	}
	return trace
}

// reorder executes the operations of each task of a trace in another legal order.
func reorder(r *rand.Rand, trace []event.Event) []event.Event {
	lists := map[uint32][]event.Event{}
	ends := map[uint64]int{} // by scope: the number of tasks that have not ended
	used := map[uint64]uint64{}
	scopes := uint64(1 << 40)
	for _, e := range trace { // a scope that is opened again gets another number
		switch e.Op {
		case event.FinishBegin:
			scopes++
			used[e.Obj] = scopes
			e.Obj = scopes
		case event.FinishEnd:
			e.Obj = used[e.Obj]
		case event.End:
			e.Obj = used[e.Obj]
			ends[e.Obj]++
		}
		lists[e.Task] = append(lists[e.Task], e)
	}
	set := map[uint64]bool{}
	tasks := []uint32{0}
	var out []event.Event
	for len(tasks) > 0 {
		i := r.IntN(len(tasks))
		task := tasks[i]
		if len(lists[task]) == 0 {
			tasks = append(tasks[:i], tasks[i+1:]...)
			continue
		}
		e := lists[task][0]
		if e.Op == event.FinishEnd && ends[e.Obj] > 0 || e.Op == event.Get && !set[e.Obj] {
			continue
		}
		lists[task] = lists[task][1:]
		out = append(out, e)
		switch e.Op {
		case event.Fork:
			tasks = append(tasks, e.Other)
		case event.Set:
			set[e.Obj] = true
		case event.End:
			ends[e.Obj]--
		}
	}
	return out
}

// Reclaiming after every event does not change the result.
func TestReclaim(t *testing.T) {
	spec := Spec
	spec.New = func(c event.Config) (event.Detector, error) {
		return reclaiming{newDetector(c.Report, traversal{})}, nil
	}
	for s, r := range programs.Part(4, 8) {
		f := differential.Features{Finish: true, Promises: s%4 != 0, Sync: s%2 == 0, Ranges: true}
		p := differential.Random(r, 60, f)
		trace := p.Run(r)
		if s%3 == 0 {
			trace = reorder(r, escape(r, p.Run(nil)))
		}
		if err := differential.FirstRaces(spec, nil, trace); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
	}
}

type reclaiming struct{ *detector }

func (r reclaiming) Event(e *event.Event) {
	r.detector.Event(e)
	r.reclaim()
}

func TestOptions(t *testing.T) {
	for _, o := range options {
		if _, err := Spec.New(event.Config{Option: map[string]string{o.Name: "sideways"}}); err == nil {
			t.Errorf("%s=sideways is accepted", o.Name)
		}
		for _, v := range o.Values {
			if _, err := Spec.New(event.Config{Option: map[string]string{o.Name: v}}); err != nil {
				t.Error(err)
			}
		}
	}
}

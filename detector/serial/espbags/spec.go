//go:build !taskinstr_runtime

package espbags

import (
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/serial"
	"taskinstr/detector/theorem"
)

// Spec is the detector of traces.
var Spec = event.Spec{
	Name:    "espbags",
	Doc:     "S- and P-bags of tasks and finish scopes, serial depth-first",
	Source:  "Raman, Zhao, Sarkar, Vechev, Yahav: Efficient Data Race Detection for Async-Finish Parallelism, FMSD 2012",
	Model:   event.Finish | event.Isolated | event.Locks,
	Serial:  true,
	Theorem: theorem.AnySchedule,
	Options: []event.Option{{Name: "repeat", Doc: "report each race of a pair of stacks, not the first alone", Values: []string{"no", "yes"}}},
	New: func(c event.Config) (event.Detector, error) {
		return newOnTrace(c, c.Option["repeat"] == "yes"), nil
	},
}

// An onTrace is an engine that is told the events of a trace.
type onTrace struct {
	serial.OnTrace
	e     Engine
	stack []uint32

	outside [event.Uses]int64
	escaped int64 // ends in another scope than the innermost, scopes that do not nest, waits of strangers
	order   int64 // events that are out of depth-first order
}

func newOnTrace(c event.Config, repeat bool) *onTrace {
	d := &onTrace{stack: []uint32{0}}
	d.Begin(&d.e, d.e.Init(Options{Repeat: repeat, Space: serial.TraceSpace}), c.Report)
	return d
}

func (d *onTrace) Event(e *event.Event) {
	t := d.Task(e.Task)
	if e.Op == event.Alloc || e.Op == event.Free {
		d.OnTrace.Event(t, e)
		return
	}
	if t == nil {
		return
	}
	if n := len(d.stack); n == 0 || d.stack[n-1] != e.Task {
		d.order++
	}
	switch e.Op {
	case event.Fork:
		d.stack = append(d.stack, e.Other)
	case event.End:
		if e.Obj != 0 {
			d.e.Leave(t, e.Obj)
		} else {
			d.escaped++
		}
		if i := slices.Index(d.stack, e.Task); i >= 0 {
			d.stack = slices.Delete(d.stack, i, i+1)
		}
	case event.FinishEnd:
		if !d.e.Wait(t, e.Obj) {
			d.escaped++
		}
	case event.Access:
		if e.Kind.Atomic() {
			d.outside[event.UseAtomic]++
		}
	case event.Get:
		d.outside[event.UseOther]++
	case event.Outside:
		d.outside[e.Use]++
	}
	d.OnTrace.Event(t, e)
	if d.e.NeedSweep() {
		d.e.Sweep()
	}
}

func (d *onTrace) Close() []event.Counter {
	var s Stats
	d.e.Stats(&s)
	d.e.Close()
	c := []event.Counter{
		{Name: "tasks", Value: int64(s.Forked) - 1},
		{Name: "unions of bags", Value: int64(s.Unions)},
		{Name: "accesses that changed a history", Value: int64(s.Recorded)},
		{Name: "words with a cell", Value: int64(s.Cells)},
		{Name: "bytes", Value: int64(s.Committed)},
	}
	for _, x := range []struct {
		name string
		n    int64
	}{
		{"outside: events out of depth-first order", d.order},
		{"outside: tasks and scopes that escape", d.escaped},
		{"outside: accesses past a full list of locks", int64(s.Overflows)},
	} {
		if x.n > 0 {
			c = append(c, event.Counter{Name: x.name, Value: x.n})
		}
	}
	for u, n := range d.outside {
		if n > 0 {
			c = append(c, event.Counter{Name: "outside: " + event.Use(u).String(), Value: n})
		}
	}
	return c
}

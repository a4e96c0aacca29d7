package drdp

import (
	"taskinstr/detector/event"

	"taskinstr/detector/serial"
)

// spec is the engine as a detector of traces, for tests.
func spec(sweepEvery int) event.Spec {
	return event.Spec{
		Name: "drdp online",
		New: func(c event.Config) (event.Detector, error) {
			return newOnTrace(c, sweepEvery), nil
		},
	}
}

// An onTrace is an engine that is told the events of a trace.
type onTrace struct {
	serial.OnTrace
	e     Engine
	every int // events between two sweeps, 0: as needed
	n     int
}

// noHeirs is for engines made from now on.
var noHeirs bool

// Promises and scopes have keys that are no addresses of memory.
const (
	promiseKey = 1 << 61
	scopeKey   = 1 << 62
)

func newOnTrace(c event.Config, every int) *onTrace {
	d := &onTrace{every: every}
	d.e.NoHeirs = noHeirs
	d.Begin(&d.e, d.e.Init(Options{Repeat: true, Space: serial.TraceSpace}), c.Report)
	return d
}

func (d *onTrace) Event(e *event.Event) {
	t := d.Task(e.Task)
	if t == nil {
		return
	}
	switch e.Op {
	case event.End:
		if e.Obj != 0 {
			d.e.ReleaseMerge(t, uintptr(scopeKey|e.Obj))
		}
	case event.FinishEnd:
		d.e.Acquire(t, uintptr(scopeKey|e.Obj))
	case event.Set:
		d.e.Release(t, uintptr(promiseKey|e.Obj))
	case event.Get:
		d.e.Acquire(t, uintptr(promiseKey|e.Obj))
	}
	d.OnTrace.Event(t, e)
	d.n++
	if d.every > 0 && d.n%d.every == 0 || d.e.NeedSweep() {
		d.e.Sweep()
	}
}

func (d *onTrace) Close() []event.Counter {
	d.e.Close()
	return nil
}

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
	e     Engine
	conf  event.Config
	tasks map[uint32]*Task
	name  map[uint64]uint32 // from the engine's numbers of tasks to the trace's
	every int               // events between two sweeps, 0: as needed
	n     int
}

// noHeirs is for engines made from now on.
var noHeirs bool

// traceSpace holds the memory of random programs.
const traceSpace = 32

// Promises and scopes have keys that are no addresses of memory.
const (
	promiseKey = 1 << 61
	scopeKey   = 1 << 62
)

func newOnTrace(c event.Config, every int) *onTrace {
	d := &onTrace{conf: c, tasks: map[uint32]*Task{}, name: map[uint64]uint32{}, every: every}
	d.e.NoHeirs = noHeirs
	d.tasks[0] = d.e.Init(Options{Repeat: true, Space: traceSpace})
	d.name[1] = 0
	d.e.OnReport(d.report)
	return d
}

func (d *onTrace) Event(e *event.Event) {
	t := d.tasks[e.Task]
	if t == nil {
		return
	}
	switch e.Op {
	case event.Alloc, event.Free:
		d.e.Alloc(uintptr(e.Addr), uintptr(e.Size))
	case event.Fork:
		child := d.e.Fork(t, 0, 0)
		d.tasks[e.Other] = child
		d.name[d.e.Serial(child)] = e.Other
	case event.End:
		if e.Obj != 0 {
			d.e.ReleaseMerge(t, uintptr(scopeKey|e.Obj))
		}
		d.e.End(t)
		delete(d.tasks, e.Task)
	case event.FinishEnd:
		d.e.Acquire(t, uintptr(scopeKey|e.Obj))
	case event.Set:
		d.e.Release(t, uintptr(promiseKey|e.Obj))
	case event.Get:
		d.e.Acquire(t, uintptr(promiseKey|e.Obj))
	case event.Lock:
		d.e.Lock(t, uintptr(e.Obj), e.Shared)
	case event.Unlock:
		d.e.Unlock(t, uintptr(e.Obj), e.Shared)
	case event.Access:
		a, n, k, site := uintptr(e.Addr), uintptr(e.Size), serial.Kind(e.Kind), uintptr(e.Site)
		if (n != 8 || a%8 != 0 || k > serial.Write || !d.e.Again(t, a, k, site, 0)) &&
			!d.e.Covered(t, a, n, k) && !d.e.Quick(t, a, n, k, site, 0, e.Stack) {
			d.e.Access(t, a, n, k, site, 0, e.Stack)
		}
	}
	d.n++
	if d.every > 0 && d.n%d.every == 0 || d.e.NeedSweep() {
		d.e.Sweep()
	}
}

func (d *onTrace) report(r *serial.Report) {
	d.conf.Report(event.Race{First: d.party(&r.Prev), Second: d.party(&r.Cur), Addr: uint64(r.Cur.Addr), Size: uint64(r.Cur.Size)})
}

func (d *onTrace) party(s *serial.Side) event.Party {
	return event.Party{Task: d.name[s.Task], Kind: event.Kind(s.Kind), Site: uint32(s.Site), Stack: s.Stack}
}

func (d *onTrace) Close() []event.Counter {
	d.e.Close()
	return nil
}

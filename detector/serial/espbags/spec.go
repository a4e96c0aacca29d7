//go:build !taskinstr_runtime

package espbags

import (
	"taskinstr/detector/event"
	"taskinstr/detector/mem"
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
	Options: []event.Option{{Name: "repeat", Doc: "report each race of a pair of places, not the first alone", Values: []string{"no", "yes"}}},
	New: func(c event.Config) (event.Detector, error) {
		return newOnTrace(c, c.Option["repeat"] == "yes"), nil
	},
}

// An onTrace is an engine that is told the events of a trace.
type onTrace struct {
	e      Engine
	conf   event.Config
	tasks  map[uint32]*Task
	name   map[uint64]uint32  // from the engine's numbers of tasks to the trace's
	chunk  map[uint64]uintptr // where the addresses of a chunk of the trace lie in the engine's space
	chunks []uint64
	stack  []uint32

	outside [event.Uses]int64
	escaped int64 // ends in another scope than the innermost, scopes that do not nest, waits of strangers
	order   int64 // events that are out of depth-first order
}

// The engine has a smaller space of addresses than traces, which it fills chunk by
// chunk.
const (
	traceSpace = 36
	traceChunk = 1 << 20
)

func newOnTrace(c event.Config, repeat bool) *onTrace {
	d := &onTrace{conf: c, tasks: map[uint32]*Task{}, name: map[uint64]uint32{}, chunk: map[uint64]uintptr{}, stack: []uint32{0}}
	d.tasks[0] = d.e.Init(Options{Repeat: repeat, Space: traceSpace})
	d.name[1] = 0
	d.e.OnReport(d.report)
	return d
}

func (d *onTrace) Event(e *event.Event) {
	if e.Op == event.Alloc || e.Op == event.Free {
		d.pieces(e.Addr, e.Size, func(a, n uintptr) { d.e.Alloc(a, n) })
		return
	}
	t := d.tasks[e.Task]
	if t == nil {
		return
	}
	if n := len(d.stack); n == 0 || d.stack[n-1] != e.Task {
		d.order++
	}
	switch e.Op {
	case event.Fork:
		child := d.e.Fork(t, 0, 0)
		d.tasks[e.Other] = child
		d.name[d.e.Serial(child)] = e.Other
		d.stack = append(d.stack, e.Other)
	case event.End:
		if e.Obj != 0 {
			d.e.Leave(t, e.Obj)
		} else {
			d.escaped++
		}
		d.e.End(t)
		delete(d.tasks, e.Task)
		for i := len(d.stack) - 1; i >= 0; i-- {
			if d.stack[i] == e.Task {
				d.stack = append(d.stack[:i], d.stack[i+1:]...)
				break
			}
		}
	case event.FinishEnd:
		if !d.e.Wait(t, e.Obj) {
			d.escaped++
		}
	case event.Lock:
		d.e.Lock(t, uintptr(e.Obj), e.Shared)
	case event.Unlock:
		d.e.Unlock(t, uintptr(e.Obj), e.Shared)
	case event.Access:
		d.pieces(e.Addr, e.Size, func(a, n uintptr) {
			k, site := serial.Kind(e.Kind), uintptr(e.Site)
			if (n != 8 || a%8 != 0 || k > serial.Write || !d.e.Again(t, a, k, site, 0)) && !d.e.Covered(t, a, n, k) && !d.e.Quick(t, a, n, k, site, 0, e.Stack) {
				d.e.Access(t, a, n, k, site, 0, e.Stack)
			}
		})
		if e.Kind.Atomic() {
			d.outside[event.UseAtomic]++
		}
	case event.Get:
		d.outside[event.UseOther]++
	case event.Outside:
		d.outside[e.Use]++
	}
	if d.e.NeedSweep() {
		d.e.Sweep()
	}
}

// pieces calls f for the parts of a range of the trace's addresses that lie together
// in the engine's space.
func (d *onTrace) pieces(addr, size uint64, f func(a, n uintptr)) {
	for size > 0 {
		at := addr % traceChunk
		n := min(size, traceChunk-at)
		base, ok := d.chunk[addr-at]
		if !ok {
			if len(d.chunks) == 1<<traceSpace/traceChunk {
				mem.Exhausted("addresses")
			}
			base = uintptr(len(d.chunks)) * traceChunk
			d.chunks = append(d.chunks, addr-at)
			d.chunk[addr-at] = base
		}
		f(base+uintptr(at), uintptr(n))
		addr += n
		size -= n
	}
}

func (d *onTrace) report(r *serial.Report) {
	c := event.Race{First: d.party(&r.Prev), Second: d.party(&r.Cur), Size: uint64(r.Cur.Size)}
	c.Addr = d.chunks[r.Cur.Addr/traceChunk] + uint64(r.Cur.Addr)%traceChunk
	d.conf.Report(c)
}

func (d *onTrace) party(s *serial.Side) event.Party {
	return event.Party{Task: d.name[s.Task], Kind: event.Kind(s.Kind), Site: uint32(s.Site), Stack: s.Stack}
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

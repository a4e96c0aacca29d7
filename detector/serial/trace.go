//go:build !taskinstr_runtime

package serial

import (
	"taskinstr/detector/event"
	"taskinstr/detector/mem"
)

// A Traced is the engine of an algorithm.
type Traced interface {
	Fork(parent *Task, created uint32, pc uintptr) *Task
	End(*Task)

	Serial(*Task) uint64
	Lock(t *Task, addr uintptr, shared bool)
	Unlock(t *Task, addr uintptr, shared bool) bool
	Alloc(addr, n uintptr)
	Again(t *Task, addr uintptr, k Kind, site, pc uintptr) bool
	Covered(t *Task, addr, n uintptr, k Kind) bool
	Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool
	Access(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32)
	OnReport(func(*Report))
}

// An OnTrace tells an engine the events of a trace that all algorithms take in the same way: all but
// those of scopes and promises.
type OnTrace struct {
	e      Traced
	tasks  map[uint32]*Task
	name   map[uint64]uint32  // from the engine's numbers of tasks to the trace's
	chunk  map[uint64]uintptr // where the addresses of a chunk of the trace lie in the engine's space
	chunks []uint64
}

// The engine has a smaller space of addresses than traces, which it fills chunk by chunk.
const (
	TraceSpace = 36 // Options.Space
	traceChunk = 1 << 20
)

// Begin begins a trace on a new engine and its main task.
func (d *OnTrace) Begin(e Traced, main *Task, report func(event.Race)) {
	*d = OnTrace{e: e, tasks: map[uint32]*Task{0: main}, name: map[uint64]uint32{1: 0}, chunk: map[uint64]uintptr{}}
	e.OnReport(func(r *Report) {
		report(event.Race{
			First: d.party(&r.Prev), Second: d.party(&r.Cur),
			Addr: d.chunks[r.Cur.Addr/traceChunk] + uint64(r.Cur.Addr)%traceChunk, Size: uint64(r.Cur.Size),
		})
	})
}

func (d *OnTrace) party(s *Side) event.Party {
	return event.Party{Task: d.name[s.Task], Kind: event.Kind(s.Kind), Site: uint32(s.Site), Stack: s.Stack}
}

// Task returns a task of the trace, nil if it does not run.
func (d *OnTrace) Task(name uint32) *Task { return d.tasks[name] }

// Event tells the engine of an event of t.
func (d *OnTrace) Event(t *Task, e *event.Event) {
	switch e.Op {
	case event.Fork:
		child := d.e.Fork(t, 0, 0)
		d.tasks[e.Other] = child
		d.name[d.e.Serial(child)] = e.Other
	case event.End:
		d.e.End(t)
		delete(d.tasks, e.Task)
	case event.Lock:
		d.e.Lock(t, uintptr(e.Obj), e.Shared)
	case event.Unlock:
		d.e.Unlock(t, uintptr(e.Obj), e.Shared)
	case event.Alloc, event.Free:
		d.pieces(e.Addr, e.Size, d.e.Alloc)
	case event.Access:
		k, site := Kind(e.Kind), uintptr(e.Site)
		d.pieces(e.Addr, e.Size, func(a, n uintptr) {
			if (n != 8 || a%8 != 0 || k > Write || !d.e.Again(t, a, k, site, 0)) &&
				!d.e.Covered(t, a, n, k) && !d.e.Quick(t, a, n, k, site, 0, e.Stack) {
				d.e.Access(t, a, n, k, site, 0, e.Stack)
			}
		})
	}
}

// pieces calls f for the parts of a range of the trace's addresses that lie together in the engine's
// space.
func (d *OnTrace) pieces(addr, size uint64, f func(a, n uintptr)) {
	for size > 0 {
		at := addr % traceChunk
		n := min(size, traceChunk-at)
		base, ok := d.chunk[addr-at]
		if !ok {
			if len(d.chunks) == 1<<TraceSpace/traceChunk {
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

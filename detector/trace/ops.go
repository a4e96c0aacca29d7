package trace

import (
	"taskinstr/detector/event"
	"taskinstr/detector/trace/wire"
)

// ops maps the operations of files to operations of package event.
var ops = [wire.Ops]event.Op{
	wire.Fork: event.Fork, wire.End: event.End, wire.FinishBegin: event.FinishBegin, wire.FinishEnd: event.FinishEnd,
	wire.Set: event.Set, wire.Get: event.Get, wire.Lock: event.Lock, wire.Unlock: event.Unlock, wire.Access: event.Access,
	wire.Alloc: event.Alloc, wire.Free: event.Free, wire.Branch: event.Branch, wire.Possible: event.Possible,
	wire.Acquire: event.Acquire, wire.Release: event.Release, wire.ReleaseMerge: event.ReleaseMerge,
	wire.ReleaseAcquire: event.ReleaseAcquire, wire.Meet: event.Meet, wire.Outside: event.Outside,
}

var wireOps = func() map[event.Op]wire.Op {
	m := map[event.Op]wire.Op{}
	for w := wire.Define + 1; w < wire.Ops; w++ {
		m[ops[w]] = w
	}
	return m
}()

// fillsUse reports whether Reader must derive the operation of an event from its stack.
func fillsUse(e *event.Event) bool {
	return (e.Op.Raw() || e.Op == event.Outside) && e.Use == event.UseNone && (e.Stack != 0 || e.Site != 0)
}

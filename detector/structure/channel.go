package structure

import (
	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A channel is what was done on one.
type channel struct {
	capacity uint64
	ops      []chanOp
}

type chanOp struct {
	at    int64
	task  uint32
	other uint32 // of an unbuffered channel: the side that waited
	meet  bool
	what  uint8
}

func (f *Finder) channel(e *event.Event) {
	if e.Value == 0 {
		return // the first half of an operation on elements without size
	}
	c := f.chans[e.Addr]
	if c == nil {
		c = &channel{capacity: e.Size}
		f.chans[e.Addr] = c
		f.blocks[e.Addr/granule] = append(f.blocks[e.Addr/granule], e.Addr)
	}
	c.ops = append(c.ops, chanOp{f.now, e.Task, e.Other, e.Op == event.Meet, uint8(e.Value)})
	if e.Op == event.Meet {
		o := f.task(e.Other)
		o.active, o.done = true, nil
	}
}

// closeChannel maps what was done on a channel.
func (f *Finder) closeChannel(c *channel) {
	senders, receivers := map[uint32]bool{}, map[uint32]bool{}
	for _, o := range c.ops {
		s, r := o.task, o.other
		switch {
		case o.what == trace.ChanReceive && o.meet:
			s, r = r, s
			fallthrough
		case o.meet:
			senders[s], receivers[r] = true, true
		case o.what == trace.ChanSend:
			senders[o.task] = true
		case o.what == trace.ChanReceive:
			receivers[o.task] = true
		}
	}
	if len(senders) > 1 || len(receivers) > 1 {
		for _, o := range c.ops {
			f.plan.add(f.plan.behind, o.at, event.Event{Op: event.Outside, Task: o.task, Use: event.UseChannel})
		}
		return
	}
	f.sequence(c)
}

// sequence makes each message a promise, each place of the buffer that becomes free
// another one, and the close one.
func (f *Finder) sequence(c *channel) {
	var sent, freed []uint64 // promises of messages, and of places
	closed := uint64(0)
	sends, receives := 0, 0
	set := func(o chanOp, task uint32) uint64 {
		p := f.id()
		f.plan.add(f.plan.behind, o.at, event.Event{Op: event.Set, Task: task, Obj: p})
		return p
	}
	get := func(o chanOp, task uint32, p uint64) {
		f.plan.add(f.plan.behind, o.at, event.Event{Op: event.Get, Task: task, Obj: p})
	}
	for _, o := range c.ops {
		switch {
		case o.meet:
			p, q := set(o, o.task), set(o, o.other)
			get(o, o.task, q)
			get(o, o.other, p)
		case o.what == trace.ChanSend:
			if k := sends - int(c.capacity); k >= 0 && k < len(freed) {
				get(o, o.task, freed[k])
			}
			sent = append(sent, set(o, o.task))
			sends++
		case o.what == trace.ChanReceive:
			if receives < len(sent) {
				get(o, o.task, sent[receives])
			}
			freed = append(freed, set(o, o.task))
			receives++
		case o.what == trace.ChanClose:
			closed = set(o, o.task)
		case o.what == trace.ChanReceiveClosed && closed != 0:
			get(o, o.task, closed)
		}
	}
}

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
	for i := range c.ops {
		s, r, sends, receives := c.ops[i].sides()
		if sends {
			senders[s] = true
		}
		if receives {
			receivers[r] = true
		}
	}
	if len(senders) > 1 && len(receivers) == 1 && f.inTurn(c) {
		f.sequence(c)
		return
	}
	if len(senders) > 1 || len(receivers) > 1 {
		for _, o := range c.ops {
			f.plan.add(f.plan.behind, o.at, event.Event{Op: event.Outside, Task: o.task, Use: event.UseChannel})
		}
		return
	}
	f.sequence(c)
}

// sides returns the sender and the receiver of an operation, as far as it has both.
func (o *chanOp) sides() (sender, receiver uint32, sends, receives bool) {
	switch {
	case o.meet && o.what == trace.ChanReceive:
		return o.other, o.task, true, true
	case o.meet:
		return o.task, o.other, true, true
	}
	return o.task, o.task, o.what == trace.ChanSend, o.what == trace.ChanReceive
}

// inTurn reports whether the senders of a channel with one receiver come one after the
// other: each but the first descends from a task that the receiver has forked since it got
// the message before. So package testing waits for benchmarks.
func (f *Finder) inTurn(c *channel) bool {
	last, sent := int64(-1), 0 // the last receive, and messages that are under way
	var before uint32
	for i := range c.ops {
		o := &c.ops[i]
		sender, _, sends, receives := o.sides()
		if sends {
			if last >= 0 && sender != before && f.forkedBy(sender, c.receiver()) < last || sent > 0 && sender != before {
				return false
			}
			before = sender
			sent++
		}
		if receives {
			last = o.at
			sent--
		}
	}
	return true
}

// receiver returns the task that receives first.
func (c *channel) receiver() uint32 {
	for i := range c.ops {
		if _, r, _, receives := c.ops[i].sides(); receives {
			return r
		}
	}
	return 0
}

// forkedBy returns the number of the fork with which ancestor made the task that task is or
// descends from, -1 if it has not.
func (f *Finder) forkedBy(task, ancestor uint32) int64 {
	for task != 0 {
		t := f.task(task)
		if t.fork < 0 {
			return -1
		}
		if t.parent == ancestor {
			return t.fork
		}
		task = t.parent
	}
	return -1
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

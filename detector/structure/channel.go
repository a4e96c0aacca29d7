package structure

import (
	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A channel holds the operations on a channel.
type channel struct {
	capacity uint64
	ops      []chanOp
	called   []bool // by message: whether it ends a call
}

type chanOp struct {
	at    int64
	task  uint32
	other uint32 // of a rendezvous on an unbuffered channel: the side that waited
	meet  bool
	what  uint8
	final bool  // the operation is the last event of the task
	busy  int64 // event number of the task's latest fork, or begin or end of a scope; -1: none

	// If the task's next operation waits for the close of another channel: that channel,
	// and the event.
	then    *channel
	resumed int64
}

// channel records an operation of task t. sent is the message that was t's previous
// event, if any.
func (f *Finder) channel(e *event.Event, t *task, sent lastSend) {
	if e.Value == 0 {
		return // the first half of an operation on elements of size zero
	}
	c := f.chans.Make(e.Addr)
	if len(c.ops) == 0 {
		c.capacity = e.Size
	}
	busy := int64(-1)
	if n := len(t.busy); n > 0 {
		busy = t.busy[n-1]
	}
	c.ops = append(c.ops, chanOp{at: f.now, task: e.Task, other: e.Other, meet: e.Op == event.Meet, what: uint8(e.Value), busy: busy})
	switch {
	case e.Op == event.Meet:
		o := f.task(e.Other)
		o.active, o.done, o.sent = true, nil, lastSend{}
	case e.Value == trace.ChanSend:
		t.sent = lastSend{c, len(c.ops) - 1}
	case e.Value == trace.ChanReceiveClosed && sent.c != nil:
		o := &sent.c.ops[sent.i]
		o.then, o.resumed = c, f.now
	}
}

// sequential reports whether all schedules deliver the messages in the same order: there
// is one sender and one receiver, or one receiver and senders in turn.
func (f *Finder) sequential(c *channel) bool {
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
	return len(receivers) <= 1 && (len(senders) <= 1 || len(receivers) == 1 && f.inTurn(c))
}

// channels maps the operations on channels.
func (f *Finder) channels(list []*channel) {
	var halves []half
	var sequences []*channel
	for _, c := range list {
		if f.sequential(c) {
			sequences = append(sequences, c)
			halves = append(halves, f.calls(c)...)
			continue
		}
		for _, o := range c.ops {
			f.plan.add(f.plan.behind, o.at, event.Event{Op: event.Outside, Task: o.task, Use: event.UseChannel})
		}
	}
	scopes := f.splits(halves)
	for _, c := range sequences {
		f.sequence(c)
	}
	for _, list := range scopes {
		f.split(list)
	}
}

// sides returns the sender and the receiver of an operation, if it has them.
func (o *chanOp) sides() (sender, receiver uint32, sends, receives bool) {
	switch {
	case o.meet && o.what == trace.ChanReceive:
		return o.other, o.task, true, true
	case o.meet:
		return o.task, o.other, true, true
	}
	return o.task, o.task, o.what == trace.ChanSend, o.what == trace.ChanReceive
}

// inTurn reports whether the senders of a channel with one receiver send in turn: each
// sender but the first is, or descends from, a task that the receiver forked after it had
// received the previous sender's messages. Package testing waits for benchmarks in this
// way.
func (f *Finder) inTurn(c *channel) bool {
	last, sent := int64(-1), 0 // event number of the last receive; the number of messages not yet received
	var before uint32
	for i := range c.ops {
		o := &c.ops[i]
		sender, _, sends, receives := o.sides()
		if sends {
			if sender != before && (sent > 0 || last >= 0 && !f.forkedAfter(last, c.receiver(), sender)) {
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

// sequence makes a promise of each message that does not end a call, of each place of the
// buffer that a receive frees, and of the close.
func (f *Finder) sequence(c *channel) {
	var sent, freed []uint64 // promises of messages, and of freed places
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
			if sends < len(c.called) && c.called[sends] {
				sent = append(sent, 0)
			} else {
				sent = append(sent, set(o, o.task))
			}
			sends++
		case o.what == trace.ChanReceive:
			if receives < len(sent) && sent[receives] != 0 {
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

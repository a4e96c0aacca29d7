package trace

import (
	"errors"
	"fmt"

	"taskinstr/detector/event"
	"taskinstr/detector/trace/wire"
)

var errShort = errors.New("a record is cut off")

// A cursor reads the parts of records. It keeps its first error.
type cursor struct {
	b   []byte
	err error
}

func (c *cursor) byte() uint8 {
	if len(c.b) == 0 {
		c.err = errShort
		return 0
	}
	v := c.b[0]
	c.b = c.b[1:]
	return v
}

func (c *cursor) number() uint64 {
	v := uint64(0)
	for shift := uint(0); ; shift += 7 {
		b := c.byte()
		if shift > 63 {
			c.err = errors.New("a number is too long")
		}
		if c.err != nil {
			return 0
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
}

func (c *cursor) difference(from uint64) uint64 {
	d := c.number()
	return from + (d>>1 ^ -(d & 1))
}

// index reads a number, which must not exceed limit.
func (c *cursor) index(limit int, what string) uint32 {
	v := c.number()
	if c.err == nil && v > uint64(limit) {
		c.err = fmt.Errorf("%s %d is not defined", what, v)
	}
	if c.err != nil {
		return 0
	}
	return uint32(v)
}

// count reads the length of a list. Each element takes at least size bytes.
func (c *cursor) count(size int) int {
	v := c.number()
	if c.err == nil && v > uint64(len(c.b)/size) {
		c.err = errShort
	}
	if c.err != nil {
		return 0
	}
	return int(v)
}

// record reads one record. ok is false if the record is a definition.
func (t *Reader) record(e *event.Event) (ok bool, err error) {
	c := cursor{b: t.rest}
	if b := c.byte(); wire.Op(b&31) == wire.Define {
		t.define(&c)
	} else {
		ok = true
		t.event(&c, b, e)
	}
	t.rest = c.b
	return ok, c.err
}

func (t *Reader) event(c *cursor, b0 uint8, e *event.Event) {
	var w wire.Event
	locks := e.Locks[:0]
	if op := wire.Op(b0 & 31); op >= wire.Ops {
		c.err = fmt.Errorf("operation %d is not known", op)
		return
	}
	w.Parse(&t.last, b0, c.byte, c.number, c.difference)
	for range w.Locks {
		if c.err != nil {
			return
		}
		locks = append(locks, c.number())
	}
	*e = event.Event{
		Op: ops[w.Op], Kind: event.Kind(w.Kind), Use: useOfFile(w.Use), Shared: w.Shared, Taken: w.Taken, Valued: w.Valued,
		Task: w.Task, Other: w.Other, Site: w.Site, Stack: w.Stack,
		Obj: w.Obj, Addr: w.Addr, Size: w.Size, Value: w.Value, Locks: locks,
	}
	if fillsUse(e) {
		key := uint64(e.Site)<<32 | uint64(e.Stack)
		u, ok := t.uses[key]
		if !ok {
			u = t.Symbols.Use(e.Site, e.Stack)
			t.uses[key] = u
		}
		e.Use = u
	}
}

// useOfFile maps uses that package event does not know to UseOther.
func useOfFile(u uint8) event.Use {
	if event.Use(u) >= event.Uses {
		return event.UseOther
	}
	return event.Use(u)
}

func (t *Reader) text(c *cursor) string { return t.strings[c.index(len(t.strings)-1, "string")] }

func (t *Reader) define(c *cursor) {
	switch d := wire.Definition(c.byte()); d {
	case wire.Meta:
		name := t.text(c)
		t.Meta[name] = t.text(c)
	case wire.String:
		n := c.count(1)
		t.strings = append(t.strings, string(c.b[:n]))
		c.b = c.b[n:]
	case wire.Location:
		l := Location{Offset: c.number()}
		for range c.count(4) {
			f := Frame{Func: t.text(c), File: t.text(c), Line: int(c.number()), Flags: uint8(c.number())}
			l.Frames = append(l.Frames, f)
		}
		t.Locations = append(t.Locations, l)
	case wire.Stack:
		parent := c.index(len(t.Stacks)-1, "stack")
		t.Stacks = append(t.Stacks, Stack{parent, c.index(len(t.Locations)-1, "location")})
	case wire.Place:
		p := Place{Location: c.index(len(t.Locations)-1, "location"), Position: t.text(c), Also: t.text(c), Hook: t.text(c),
			Package: t.text(c), Site: uint32(c.number()), Formula: t.text(c), Count: int(c.number())}
		for range c.count(2) {
			p.Names = append(p.Names, Name{t.text(c), t.text(c)})
		}
		t.Places = append(t.Places, p)
	case wire.TaskName:
		task := uint32(c.number())
		t.Names[task] = c.number()
	case wire.EndOfTrace:
		if n := c.number(); c.err == nil && n != uint64(t.Events) {
			c.err = fmt.Errorf("the trace says that it has %d events, %d were read", n, t.Events)
		}
		t.Complete = true
	default:
		c.err = fmt.Errorf("definition %d is not known", d)
	}
}

package trace

import (
	"fmt"
	"io"

	"taskinstr/detector/event"
	"taskinstr/detector/trace/wire"
)

// A Writer writes a trace. Its methods do not return errors: Close returns the first.
type Writer struct {
	w         io.Writer
	err       error
	enc       wire.Encoder
	table     wire.Table
	out       []byte
	blocks    uint32
	strings   map[string]uint32
	locations uint32
	stacks    map[Stack]uint32
	places    uint32
}

// NewWriter returns a writer of a trace to w.
func NewWriter(w io.Writer) *Writer {
	t := &Writer{
		w:       w,
		enc:     wire.Encoder{Buf: make([]byte, wire.BlockSize)},
		out:     make([]byte, wire.HeadSize+wire.MaxCompressed(wire.BlockSize)),
		strings: map[string]uint32{},
		stacks:  map[Stack]uint32{},
	}
	t.write(append([]byte(wire.Magic), wire.Version))
	return t
}

func (t *Writer) write(b []byte) {
	if t.err == nil {
		_, t.err = t.w.Write(b)
	}
}

// room makes room for a record with n bytes of text, or of numbers of a list.
func (t *Writer) room(n int) {
	if !t.enc.Room(n) {
		t.Flush()
	}
}

// Flush writes the records since the last Flush as a block.
func (t *Writer) Flush() {
	raw := t.enc.Buf[:t.enc.N]
	if len(raw) == 0 {
		return
	}
	n := wire.Compress(t.out[wire.HeadSize:], raw, &t.table)
	if n >= len(raw) {
		n = copy(t.out[wire.HeadSize:], raw)
	}
	wire.PutHead(t.out, t.blocks, uint32(len(raw)), t.out[wire.HeadSize:wire.HeadSize+n])
	t.blocks++
	t.write(t.out[:wire.HeadSize+n])
	t.enc.Reset()
}

// Event writes the next event of the trace.
func (t *Writer) Event(e *event.Event) {
	op, ok := wireOps[e.Op]
	if !ok {
		if t.err == nil {
			t.err = fmt.Errorf("trace: the format has no operation %v", e.Op)
		}
		return
	}
	const most = 10 // bytes of a number
	locks := e.Locks[:min(len(e.Locks), (wire.BlockSize/2)/most)]
	t.room(most * len(locks))
	t.enc.Event(&wire.Event{
		Op: op, Kind: uint8(e.Kind), Use: uint8(e.Use), Shared: e.Shared, Taken: e.Taken, Valued: e.Valued || e.Value != 0,
		Task: e.Task, Other: e.Other, Site: e.Site, Stack: e.Stack, Locks: uint32(len(locks)),
		Obj: e.Obj, Addr: e.Addr, Size: e.Size, Value: e.Value,
	})
	if op == wire.Possible {
		for _, l := range locks {
			t.enc.Number(l)
		}
	}
}

func (t *Writer) text(s string) uint64 {
	if s == "" {
		return 0
	}
	s = s[:min(len(s), wire.MaxString)]
	i := t.strings[s]
	if i == 0 {
		i = uint32(len(t.strings) + 1)
		t.strings[s] = i
		t.room(len(s))
		t.enc.Text(s)
	}
	return uint64(i)
}

func (t *Writer) define(d wire.Definition, numbers ...uint64) {
	t.room(10 * len(numbers))
	t.enc.Define(d)
	for _, n := range numbers {
		t.enc.Number(n)
	}
}

// Meta defines a property of the whole trace.
func (t *Writer) Meta(name, value string) { t.define(wire.Meta, t.text(name), t.text(value)) }

// Location defines a location and returns its number.
func (t *Writer) Location(l Location) uint32 {
	frames := l.Frames[:min(len(l.Frames), maxFrames)]
	n := []uint64{l.Offset, uint64(len(frames))}
	for _, f := range frames {
		n = append(n, t.text(f.Func), t.text(f.File), uint64(f.Line), uint64(f.Flags))
	}
	t.define(wire.Location, n...)
	t.locations++
	return t.locations
}

// maxFrames limits the frames of one location.
const maxFrames = 1 << 10

// Stack returns the number of a stack. It defines the stack if it is new.
func (t *Writer) Stack(s Stack) uint32 {
	i := t.stacks[s]
	if i == 0 {
		i = uint32(len(t.stacks) + 1)
		t.stacks[s] = i
		t.define(wire.Stack, uint64(s.Parent), uint64(s.Location))
	}
	return i
}

// Place defines a place and returns its number.
func (t *Writer) Place(p Place) uint32 {
	names := p.Names[:min(len(p.Names), maxFrames)]
	n := []uint64{uint64(p.Location), t.text(p.Position), t.text(p.Also), t.text(p.Hook),
		t.text(p.Package), uint64(p.Site), t.text(p.Formula), uint64(max(p.Count, len(names))), uint64(len(names))}
	for _, x := range names {
		n = append(n, t.text(x.Expr), t.text(x.Decl))
	}
	t.define(wire.Place, n...)
	t.places++
	return t.places
}

// Name defines the number of a task's goroutine.
func (t *Writer) Name(task uint32, goroutine uint64) {
	t.define(wire.TaskName, uint64(task), goroutine)
}

// Close ends the trace and returns the first error of any method.
func (t *Writer) Close() error {
	t.define(wire.EndOfTrace, t.enc.Events)
	t.Flush()
	return t.err
}

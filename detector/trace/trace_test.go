package trace

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/trace/wire"
)

var all = differential.Features{Finish: true, Sync: true, Promises: true, Isolated: true, Locks: true, Atomics: true, Ranges: true}

// write returns the file of a trace.
func write(t testing.TB, events []event.Event) []byte {
	var b bytes.Buffer
	w := NewWriter(&b)
	for i := range events {
		w.Event(&events[i])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read returns the events of a file, up to its end or first error.
func read(file []byte) ([]event.Event, *Reader, error) {
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, nil, err
	}
	var events []event.Event
	for {
		var e event.Event
		if err := r.Next(&e); err != nil {
			if err == io.EOF {
				err = nil
			}
			return events, r, err
		}
		events = append(events, e)
	}
}

func equal(a, b []event.Event) bool {
	return slices.EqualFunc(a, b, func(x, y event.Event) bool {
		locks := slices.Equal(x.Locks, y.Locks)
		return locks && fields(x) == fields(y)
	})
}

// fields returns the fields of an event in a comparable form.
func fields(e event.Event) [14]uint64 {
	flag := func(b bool) uint64 {
		if b {
			return 1
		}
		return 0
	}
	return [14]uint64{uint64(e.Op), uint64(e.Kind), uint64(e.Use), flag(e.Shared), flag(e.Taken), uint64(e.Task), uint64(e.Other),
		uint64(e.Site), uint64(e.Stack), e.Obj, e.Addr, e.Size, e.Value}
}

func TestPrograms(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		events := differential.Random(r, 10+r.IntN(500), all).Run(r)
		got, reader, err := read(write(t, events))
		if err != nil || !reader.Complete || !equal(events, got) {
			t.Fatalf("seed %d: %d events, %d read, complete %v, error %v", seed, len(events), len(got), reader.Complete, err)
		}
	}
}

// random returns events with all fields that their operations can have.
func random(r *rand.Rand, n int) []event.Event {
	number := func() uint64 { return r.Uint64() >> r.IntN(64) }
	var events []event.Event
	for range n {
		e := event.Event{Op: ops[1+r.IntN(int(wire.Ops)-1)], Kind: event.Kind(r.IntN(4)), Shared: r.IntN(2) == 0, Taken: r.IntN(8) == 0,
			Task: uint32(r.IntN(3)), Site: uint32(r.IntN(4)), Stack: uint32(r.IntN(4)), Use: event.Use(1 + r.IntN(int(event.Uses)-1))}
		switch e.Op {
		case event.Fork, event.Meet:
			e.Other = uint32(number())
		case event.Access, event.Alloc, event.Free:
			e.Addr, e.Size = number(), number()
		case event.Possible:
			e.Obj, e.Addr, e.Size = number(), number(), number()
			for range r.IntN(5) {
				e.Locks = append(e.Locks, number())
			}
		default:
			e.Obj = number()
		}
		if (e.Op.Raw() || e.Op == event.Outside) && r.IntN(2) == 0 {
			e.Addr, e.Size = 1+number()/2, number()
		}
		if r.IntN(3) == 0 {
			e.Value = number()
		}
		events = append(events, e)
	}
	return events
}

func TestAllFields(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	events := random(r, 40_000) // several blocks
	file := write(t, events)
	got, reader, err := read(file)
	if err != nil || !equal(events, got) {
		t.Fatalf("%d events, %d read, error %v", len(events), len(got), err)
	}
	if reader.Blocks < 3 {
		t.Errorf("only %d blocks", reader.Blocks)
	}
}

// The whole blocks of a truncated file can be read.
func TestTruncated(t *testing.T) {
	events := random(rand.New(rand.NewPCG(3, 4)), 40_000)
	file := write(t, events)
	last := -1
	for n := 0; n <= len(file); n += 1 + len(file)/60 {
		got, r, err := read(file[:n])
		if n <= len(wire.Magic) {
			if err == nil {
				t.Fatalf("%d bytes are taken for a trace", n)
			}
			continue
		}
		if err != nil || !equal(events[:len(got)], got) || r.Complete {
			t.Fatalf("%d bytes: %d events, complete %v, error %v", n, len(got), r.Complete, err)
		}
		if len(got) < last {
			t.Fatalf("%d bytes give fewer events, %d", n, len(got))
		}
		last = len(got)
	}
	if last == 0 {
		t.Error("no whole block was read")
	}
}

// The error for a damaged file names the block.
func TestDamaged(t *testing.T) {
	events := random(rand.New(rand.NewPCG(5, 6)), 40_000)
	file := write(t, events)
	first := 0
	for n := len(wire.Magic) + 1; n < len(file); n += 1 + len(file)/80 {
		bad := bytes.Clone(file)
		bad[n] ^= 0x10
		got, _, err := read(bad)
		var d *DamageError
		if !errors.As(err, &d) && !(err == nil && len(got) < len(events)) {
			t.Fatalf("byte %d changed: %d events, error %v", n, len(got), err)
		}
		if !equal(events[:len(got)], got) {
			t.Fatalf("byte %d changed: wrong events", n)
		}
		if d != nil && d.Block == 0 {
			first++
		}
	}
	if first == 0 {
		t.Error("the first block was never found damaged")
	}
}

func TestNoTrace(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"", "this is no trace"},
		{"==================\nWARNING: DATA RACE\n", "this is no trace"},
		{wire.Magic + "\x63", "version 99"},
	} {
		if _, err := NewReader(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.file, err, c.want)
		}
	}
}

func TestSymbols(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Meta("go", "go1.26.8")
	main := w.Location(Location{Offset: 0x20, Frames: []Frame{{Func: "main.main", File: "/m.go", Line: 7, Flags: wire.FrameOwn}}})
	add := w.Location(Location{Offset: 0x91, Frames: []Frame{{Func: "sync.(*WaitGroup).Add", File: "/wg.go", Line: 9, Flags: wire.FrameSync | wire.FrameStd}}})
	outer := w.Stack(Stack{0, main})
	inner := w.Stack(Stack{outer, add})
	place := w.Place(Place{Position: "/m.go:7:3", Names: []Name{{"wg", "variable wg"}}, Count: 1})
	w.Event(&event.Event{Op: event.ReleaseMerge, Site: place, Stack: inner, Obj: 0xc000010000})
	w.Name(0, 1)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, r, err := read(b.Bytes())
	if err != nil || len(got) != 1 {
		t.Fatal(len(got), err)
	}
	if e := got[0]; e.Use != event.UseWaitGroup {
		t.Errorf("use %q", e.Use)
	}
	if c, callee, ok := r.UserCall(0, got[0].Stack); !ok || c.Line != 7 || callee != "sync.(*WaitGroup).Add" {
		t.Errorf("called %s in %+v", callee, c)
	}
	if p := r.Place(place); p.Expr() != "wg" || p.Decl() != "variable wg" || r.Position(place, inner) != "/m.go:7:3" {
		t.Errorf("place %+v", p)
	}
	if r.Meta["go"] != "go1.26.8" || r.Goroutine(0) != 1 {
		t.Error(r.Meta, r.Names)
	}
}

func FuzzCompress(f *testing.F) {
	f.Add([]byte("abcabcabcabcabcabcabcabcabcabc"), uint16(10))
	f.Add(write(f, random(rand.New(rand.NewPCG(7, 8)), 100)), uint16(3000))
	var table wire.Table
	f.Fuzz(func(t *testing.T, part []byte, times uint16) {
		b := bytes.Repeat(part, 1+int(times%64))
		b = b[:min(len(b), wire.BlockSize)]
		out := make([]byte, wire.MaxCompressed(len(b)))
		n := wire.Compress(out, b, &table)
		back := make([]byte, len(b))
		if k, err := decompress(back, out[:n]); err != nil || k != len(b) || !bytes.Equal(b, back) {
			t.Fatalf("%d bytes, %d back, error %v", len(b), k, err)
		}
	})
}

// Reading any bytes ends without a panic.
func FuzzRead(f *testing.F) {
	f.Add(write(f, random(rand.New(rand.NewPCG(9, 10)), 50)), []byte{})
	f.Fuzz(func(t *testing.T, file, payload []byte) {
		read(file)
		// The same as the records of a block that is whole.
		payload = payload[:min(len(payload), wire.BlockSize)]
		b := append([]byte(wire.Magic), wire.Version)
		head := make([]byte, wire.HeadSize)
		wire.PutHead(head, 0, uint32(len(payload)), payload)
		read(append(append(b, head...), payload...))
	})
}

func BenchmarkWrite(b *testing.B) {
	events := differential.Random(rand.New(rand.NewPCG(1, 1)), 100_000, all).Run(nil)
	w := NewWriter(io.Discard)
	for i := range b.N {
		w.Event(&events[i%len(events)])
	}
	w.Close()
}

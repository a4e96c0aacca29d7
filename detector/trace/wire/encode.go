package wire

// An Encoder writes records into Buf, which has BlockSize bytes. Before each record the
// caller asks for [Encoder.Room]; if there is none, the caller takes the block away and
// calls Reset.
type Encoder struct {
	Buf    []byte
	N      int    // bytes written
	Events uint64 // in all blocks
	last   State
}

// Room reports whether the block has room for another record with n bytes of text, or of
// numbers of a list.
func (w *Encoder) Room(n int) bool { return w.N+n+room <= len(w.Buf) }

// Reset begins a new block.
func (w *Encoder) Reset() {
	w.N = 0
	w.last = State{}
}

func (w *Encoder) byte(b uint8) {
	w.Buf[w.N] = b
	w.N++
}

// Number writes v as a varint: seven bits in each byte, the lowest first, bit 7 set in
// all bytes but the last. It has so many callers that inlining it would enlarge every
// instrumented program.
//
//go:noinline
func (w *Encoder) Number(v uint64) {
	for v >= 0x80 {
		w.byte(uint8(v) | 0x80)
		v >>= 7
	}
	w.byte(uint8(v))
}

// difference writes v-from: small distances in both directions have short codes.
func (w *Encoder) difference(v, from uint64) {
	d := int64(v - from)
	w.Number(uint64(d<<1) ^ uint64(d>>63))
}

// Event writes an event. The caller writes the numbers of the e.Locks locks after it.
func (w *Encoder) Event(e *Event) {
	s := &w.last
	h := has[e.Op]
	b0, b1 := uint8(e.Op), e.Kind&kindMask
	if e.Shared {
		b0 |= isShared
	}
	if e.Taken {
		b0 |= isTaken
	}
	if e.Task != s.Task {
		b0 |= otherTask
	}
	if e.Site != s.Site {
		b1 |= otherSite
	}
	if e.Stack != s.Stack {
		b1 |= otherStack
	}
	if e.Use != 0 {
		b1 |= hasUse
	}
	if e.Valued {
		b1 |= hasValue
	}
	if h&hasAddr == 0 && (e.Addr != 0 || e.Size != 0) {
		b1 |= hasExtra
		h |= hasAddr
	}
	if h&hasAddr != 0 && e.Size != s.Size {
		b1 |= otherSize
	}
	w.byte(b0)
	w.byte(b1)
	if b0&otherTask != 0 {
		w.Number(uint64(e.Task))
		s.Task = e.Task
	}
	if h&hasOther != 0 {
		w.Number(uint64(e.Other))
	}
	if b1&hasUse != 0 {
		w.byte(e.Use)
	}
	if b1&otherSite != 0 {
		w.difference(uint64(e.Site), uint64(s.Site))
		s.Site = e.Site
	}
	if b1&otherStack != 0 {
		w.difference(uint64(e.Stack), uint64(s.Stack))
		s.Stack = e.Stack
	}
	if h&hasObj != 0 {
		w.difference(e.Obj, s.Obj)
		s.Obj = e.Obj
	}
	if h&hasAddr != 0 {
		w.difference(e.Addr, s.Addr)
		s.Addr = e.Addr
		if b1&otherSize != 0 {
			w.Number(e.Size)
			s.Size = e.Size
		}
	}
	if b1&hasValue != 0 {
		w.Number(e.Value)
	}
	if h&hasLocks != 0 {
		w.Number(uint64(e.Locks))
	}
	w.Events++
}

// Define begins a definition. The caller writes its parts as numbers after it.
func (w *Encoder) Define(d Definition) {
	w.byte(uint8(Define))
	w.byte(uint8(d))
}

// Text defines a string.
func (w *Encoder) Text(s string) {
	s = s[:min(len(s), MaxString)]
	w.Define(String)
	w.Number(uint64(len(s)))
	w.N += copy(w.Buf[w.N:], s)
}

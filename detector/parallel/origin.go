package parallel

import (
	"unsafe"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
)

// An origin is the place of an access: a site of the source, an instruction, and the
// calls that led there. Site and pc are relative to the host's bases, see Options.
type origin struct {
	site  uint32 // also the link of the free chain
	pc    uint32
	stack uint32
	set   uint32 // locks held at its first access, or unknownSet; see Known
	mark  uint32
}

// An origin whose pc is from pairPC on is a pair: bytes of one word that have one record were accessed
// at two places. The lowest 8 bits of pc are a mask; site is the origin of the bytes in it, stack the
// origin of the others. Each may be a pair.
const pairPC = 1<<32 - 1<<8

//go:nosplit
func (o *origin) pair() bool { return o.pc >= pairPC }

// unknownSet marks a lockset that was not computed.
const unknownSet = 1<<32 - 1

// An originMemo is a cache entry for an origin. The bits of stack from stackBits on count the locks
// that the task held, up to maxCounted.
type originMemo struct {
	site, pc, stack, id uint32
}

const (
	stackBits  = context.Bits
	maxCounted = 1<<(32-stackBits) - 1
)

func (e *Engine) origin(i uint32) *origin {
	return (*origin)(unsafe.Add(nil, e.origins.Base+uintptr(i)*unsafe.Sizeof(origin{})))
}

func (e *Engine) siteOf(o *origin) uintptr {
	if o.site == 0 {
		return 0
	}
	return e.opt.SiteBase + uintptr(o.site)
}

func (e *Engine) pcOf(o *origin) uintptr { return e.opt.PCBase + uintptr(o.pc) }

// quickOrigin returns the origin of an access by t; 0 if t's proc neither remembers it nor has an
// origin in stock. Of the two slots for an origin the first holds the newer one. Accesses under
// different numbers of locks have different origins, for Known.
//
//go:nosplit
func (e *Engine) quickOrigin(t *Task, site, pc uintptr, stack uint32) uint32 {
	s, p := uint32(0), uint32(pc-e.opt.PCBase)
	if site != 0 {
		s = uint32(site - e.opt.SiteBase)
	}
	c := t.proc()
	slot := c.originSlot(s, p, stack)
	key := stack | min(t.nHolds, maxCounted)<<stackBits
	m := &c.originMemos[slot]
	if m.site == s && m.pc == p && m.stack == key && m.id != 0 {
		return m.id
	}
	a := &c.originMemos[slot^1]
	if a.site == s && a.pc == p && a.stack == key && a.id != 0 {
		return a.id
	}
	o := origin{site: s, pc: p, stack: stack, set: t.set, mark: e.sweeps}
	if t.nHolds != 0 && !t.setKnown {
		o.set = unknownSet
	}
	return e.enterOrigin(c, slot, originMemo{s, p, key, 0}, &o)
}

// enterOrigin makes o an origin and enters it into the memos from slot on, under key. It returns 0 if c has
// no origin in stock.
//
//go:nosplit
func (e *Engine) enterOrigin(c *proc, slot uint32, key originMemo, o *origin) uint32 {
	i := c.origins
	if i == 0 {
		return 0
	}
	p := e.origin(i)
	c.origins = p.site
	p.site, p.pc, p.stack, p.set = o.site, o.pc, o.stack, o.set
	mem.Fence() // the mark makes an origin of it for Known, which takes no lock
	p.mark = o.mark
	m := &c.originMemos[slot%originCache]
	if m.id != 0 {
		c.originMemos[(slot^1)%originCache] = *m
	}
	key.id = i
	*m = key
	return i
}

// quickPair returns the origin of a word whose bytes mask have origin x and the others y; 0 if t's proc
// neither remembers it nor has an origin in stock.
//
//go:nosplit
func (e *Engine) quickPair(t *Task, x, y, mask uint32) uint32 {
	if x == y {
		return x
	}
	c := t.proc()
	slot := (x*0x9e3779b1 ^ y*0x85ebca6b ^ mask<<20) >> (32 - originBits)
	for _, m := range [...]*originMemo{&c.originMemos[slot%originCache], &c.originMemos[(slot^1)%originCache]} {
		if m.site == x && m.stack == y && m.pc == pairPC|mask && m.id != 0 {
			return m.id
		}
	}
	return e.enterOrigin(c, slot, originMemo{x, pairPC | mask, y, 0}, &origin{site: x, pc: pairPC | mask, stack: y, set: unknownSet, mark: e.sweeps})
}

// quickPairs is quickPair for the writes and the reads of a history with cell h. ok is false if they have no
// pairs.
//
//go:nosplit
func (e *Engine) quickPairs(t *Task, h, x, y cell, mask uint32) (g cell, ok bool) {
	if t == nil || (h.w|h.r)&listed != 0 {
		return y, x == y
	}
	g = cell{e.quickPair(t, x.w, y.w, mask), e.quickPair(t, x.r, y.r, mask)}
	return g, (g.w != 0 || y.w == 0) && (g.r != 0 || y.r == 0)
}

// originAt returns the origin of the byte at addr, which is no pair, and the largest next, at most end, for
// which all bytes [addr, next) have this origin. o is the origin, or pair, of the bytes [addr, end).
func (e *Engine) originAt(o uint32, addr, end uintptr) (one uint32, next uintptr) {
	if !e.origin(o).pair() {
		return o, end
	}
	at := func(addr uintptr) uint32 {
		i := o
		for p := e.origin(i); p.pair(); p = e.origin(i) {
			if i = p.stack; p.pc>>(addr%wordBytes)&1 != 0 {
				i = p.site
			}
		}
		return i
	}
	one = at(addr)
	for next = addr + 1; next < end && at(next) == one; next++ {
	}
	return one, next
}

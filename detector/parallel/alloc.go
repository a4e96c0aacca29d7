package parallel

import "taskinstr/detector/mem"

// Alloc makes the bytes [addr, addr+n) fresh: it drops their history and the sync objects
// in them.
func (e *Engine) Alloc(addr, n uintptr) {
	for p, end := addr, addr+n; p < end; {
		t := mem.Load32(e.dir.At32(p >> tableShift % dirEntries))
		if t == 0 {
			p = (p>>tableShift + 1) << tableShift
			continue
		}
		next := min((p|(blockBytes-1))+1, end)
		if i := uint32(mem.Load64(e.tableSlot(t, p>>blockShift))); i != 0 {
			lo := p & (blockBytes - 1)
			e.resetBlock(e.block(i), lo, lo+next-p)
		}
		p = next
	}
}

// Free is Alloc for memory that has no owner from now on.
func (e *Engine) Free(addr, n uintptr) { e.Alloc(addr, n) }

// resetBlock drops the history and the sync objects of the bytes [lo, hi) of b.
func (e *Engine) resetBlock(b *block, lo, hi uintptr) {
	mem.LockSeq(&b.mu)
	switch {
	case hi-lo == blockBytes:
		if b.page != 0 {
			e.setPage(b, 0)
		}
		b.n = 0
	case b.page != 0:
		e.setCells(b, history{}, lo, hi)
	case !b.cut(lo, hi):
		e.makeCells(b)
		e.setCells(b, history{}, lo, hi)
	}
	if b.nSync != 0 {
		e.resetObjects(b, lo, hi)
	}
	e.unlockSeq(&b.mu)
}

// resetObjects frees the sync objects in the bytes [lo, hi) of b, which has some.
func (e *Engine) resetObjects(b *block, lo, hi uintptr) {
	if b.sync&listed == 0 {
		e.resetList(b, &b.sync, lo, hi)
		return
	}
	p := e.slotPage(b.sync &^ listed)
	for w := lo / wordBytes; w <= (hi-1)/wordBytes; w++ {
		if p.heads[w%blockWords] != 0 {
			e.resetList(b, &p.heads[w%blockWords], lo, hi)
		}
	}
	if b.nSync == 0 {
		e.slots.Put(b.sync &^ listed)
		mem.Store32(&b.sync, 0)
	}
}

// resetList frees the objects of a list that lie in the bytes [lo, hi) of the block.
func (e *Engine) resetList(b *block, link *uint32, lo, hi uintptr) {
	for *link != 0 {
		i := *link
		o := e.object(i)
		if x := o.addr & (blockBytes - 1); x < lo || x >= hi {
			link = &o.next
			continue
		}
		mem.Lock(&o.mu)
		*link = o.next
		o.addr = 0
		mem.Store64(&o.epoch, 0)
		e.clear(nil, &o.general)
		e.clear(nil, &o.excl)
		e.clear(nil, &o.shared)
		if o.holder != 0 || o.readers != 0 {
			mem.Add32(&e.foreign, 1) // its holders drop their holds, see dropEndedHolds
		}
		o.holder, o.readers = 0, 0
		o.strayed, o.awaited, o.orders = false, false, false
		if o.shares != 0 {
			e.shares.Put(o.shares)
			o.shares = 0
		}
		e.dropUses(o)
		e.dropAnnounced(o)
		held := o.buffer
		o.buffer = 0
		e.unlockWord(&o.mu)
		e.objects.Put(i)
		if held != 0 {
			e.dropBuffer(held) // its block is another one than b, and no buffer has a buffer
		}
		b.nSync--
	}
}

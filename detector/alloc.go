package detector

import "unsafe"

// A slotPage holds the sync objects of a block in one list for each word of the block.
type slotPage struct {
	heads [blockWords]uint32
}

// listedObjects is the number of objects up to which a block keeps its objects in one
// list.
const listedObjects = 8

func (e *Engine) slotPage(i uint32) *slotPage {
	return (*slotPage)(unsafe.Add(nil, e.slots.base+uintptr(i)*unsafe.Sizeof(slotPage{})))
}

// objectsHead returns the head of the list to which an object at addr belongs.
func (e *Engine) objectsHead(b *block, addr uintptr) *uint32 {
	if b.sync&listed == 0 {
		return &b.sync
	}
	return &e.slotPage(b.sync &^ listed).heads[addr/wordBytes%blockWords]
}

// findObject returns the index of the object at addr. If there is none it makes one if
// create is set, and otherwise returns 0.
func (e *Engine) findObject(addr uintptr, create bool) uint32 {
	if !create {
		i := e.blockAt(addr >> blockShift)
		if i == 0 || load32(&e.block(i).sync) == 0 {
			return 0
		}
	}
	b := e.openBlock(addr >> blockShift)
	head := e.objectsHead(b, addr)
	i := *head
	for i != 0 && e.object(i).addr != addr {
		i = e.object(i).next
	}
	if i == 0 && create {
		if b.nSync == listedObjects && b.sync&listed == 0 {
			e.spreadObjects(b)
			head = e.objectsHead(b, addr)
		}
		i = e.objects.get()
		o := e.object(i)
		lockWord(&o.mu) // a task that remembers the freed object may still lock it
		o.addr = addr
		o.serial = add32(&e.lockSerial, 1)
		o.version++ // a reused element never repeats a version that a task remembers
		o.next = *head
		e.unlockWord(&o.mu)
		store32(head, i)
		b.nSync++
	}
	e.unlockSeq(&b.mu)
	return i
}

// spreadObjects turns a block's list of objects into a slotPage.
func (e *Engine) spreadObjects(b *block) {
	s := e.slots.get()
	p := e.slotPage(s)
	p.heads = [blockWords]uint32{}
	for i := b.sync; i != 0; {
		o := e.object(i)
		next := o.next
		h := &p.heads[o.addr/wordBytes%blockWords]
		o.next = *h
		*h = i
		i = next
	}
	store32(&b.sync, s|listed)
}

// Alloc makes the bytes [addr, addr+n) fresh: it drops their history and the sync objects
// in them.
func (e *Engine) Alloc(addr, n uintptr) {
	for p, end := addr, addr+n; p < end; {
		t := load32(e.dir.at32(p >> tableShift % dirEntries))
		if t == 0 {
			p = (p>>tableShift + 1) << tableShift
			continue
		}
		next := min((p|(blockBytes-1))+1, end)
		if i := load32(e.tableSlot(t, p>>blockShift)) &^ hasCells; i != 0 {
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
	lockSeq(&b.mu)
	switch {
	case hi-lo == blockBytes:
		if b.page != 0 {
			e.dropPage(b)
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

// dropPage frees the cells of b, which becomes a block without runs.
func (e *Engine) dropPage(b *block) {
	e.setPage(b, 0)
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
		e.slots.put(b.sync &^ listed)
		store32(&b.sync, 0)
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
		lockWord(&o.mu)
		*link = o.next
		o.addr = 0
		e.clearPoints(nil, &o.general)
		e.clearPoints(nil, &o.excl)
		e.clearPoints(nil, &o.shared)
		if o.holder != 0 || o.readers != 0 {
			add32(&e.foreign, 1) // its holders drop their holds, see dropEndedHolds
		}
		o.holder, o.readers = 0, 0
		o.strayed = false
		e.unlockWord(&o.mu)
		e.objects.put(i)
		b.nSync--
	}
}

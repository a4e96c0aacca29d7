package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Memory that a task gets is zero. By Go's memory model this initialization is a write of the task, and so
// it is here: New makes it the history of the memory. All that the task does with the memory in the same step
// repeats the write, which is what most objects see: Probe finds their accesses Covered. An access
// that races with a covered one races with the write as well, and is reported with the place of the allocation.

// New is Alloc for n bytes at addr that t has got and that are zero.
func (e *Engine) New(t *Task, addr, n, site, pc uintptr, stack uint32) {
	e.Restock(t)
	h := history{cell{w: e.recordOf(t, Write)}, cell{w: e.quickOrigin(t, site, pc, stack)}}
	for p, end := addr, addr+n; p < end; {
		next := min((p|(blockBytes-1))+1, end)
		b := e.openBlock(p >> blockShift)
		if b.next == 0 {
			e.touch(b)
		}
		lo := p & (blockBytes - 1)
		if !b.renew(e, h, lo, lo+next-p) {
			if b.page == 0 {
				e.makeCells(b)
			}
			e.setCells(b, h, lo, lo+next-p)
		}
		if b.nSync != 0 {
			e.resetObjects(b, lo, lo+next-p)
		}
		e.unlockSeq(&b.mu)
		p = next
	}
}

// QuickNew is New for up to quickBytes bytes that are whole words. If that takes memory or the
// removal of sync objects, it returns false, perhaps after a part of the work, and New repeats the whole.
//
//go:nosplit
func (e *Engine) QuickNew(t *Task, addr, n, site, pc uintptr, stack uint32) bool {
	lo := addr & (blockBytes - 1)
	if (addr|n)%wordBytes != 0 || n > quickBytes || lo+n > blockBytes || !e.seat(t) {
		return false
	}
	if t.nHolds != 0 && (!t.setKnown && !e.quickSet(t) || t.foreign != mem.Load32(&e.foreign)) {
		return false
	}
	if t.tableTag != addr>>tableShift && !e.findTable(t, addr) {
		return false
	}
	i := uint32(mem.Load64((*uint64)(unsafe.Add(nil, t.table+addr>>blockShift%tableSlots*entryBytes))))
	o := e.quickOrigin(t, site, pc, stack)
	if i == 0 || o == 0 || t.records[Write] == noRecord && e.quickRecord(t, Write) == 0 {
		return false
	}
	b := e.block(i)
	if _, ok := mem.QuickLockSeq(&b.mu); !ok {
		return false
	}
	ok := b.next != 0 && b.nSync == 0 && b.renew(e, history{cell{w: t.records[Write]}, cell{w: o}}, lo, lo+n)
	e.unlockSeq(&b.mu)
	return ok
}

// renew makes h the history of the bytes [lo, hi) of b, whatever it was. It returns false, with at most the old
// history removed, if b would need cells.
//
//go:nosplit
func (b *block) renew(e *Engine, h history, lo, hi uintptr) bool {
	if b.page == 0 {
		return b.cut(lo, hi) && b.put(b.find(lo), lo, hi, h)
	}
	if (lo|hi)%wordBytes != 0 {
		return false
	}
	for w := uintptr(unsafe.Pointer(e.wordAt(b.page, lo))); lo < hi; lo += wordBytes {
		*(*history)(unsafe.Add(nil, w)) = h
		w += unsafe.Sizeof(history{})
	}
	return true
}

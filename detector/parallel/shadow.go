package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// The shadow of memory is a two-level directory over 48-bit addresses. It leads to
// blocks, each of which covers 8 KiB. Tables and blocks are made at first use and stay.
const (
	addrBits   = 48
	blockShift = 13
	blockBytes = 1 << blockShift
	tableShift = 26
	tableSlots = 1 << (tableShift - blockShift)
	entryBytes = 8
	tableBytes = tableSlots * entryBytes
	dirEntries = 1 << (addrBits - tableShift)

	wordBytes  = 8
	blockWords = blockBytes / wordBytes
)

// maxRuns makes a block ten cache lines long.
const maxRuns = 29

// A block is the shadow of 8 KiB. It holds either runs, which are disjoint, in ascending
// order and merged with neighbours of equal history, or, if it would need more than
// maxRuns, a cell for each word.
type block struct {
	mu    uint32 // see mem.LockSeq
	page  uint32 // index of its cellPage, 0 for a block of runs; see setPage
	home  uint32 // the cellPage that it has as a block of cells, and then until a sweep; 0: none
	n     uint32 // number of runs
	sync  uint32 // its sync objects: the head of a list or, with listed set, a slotPage
	nSync uint16 // number of sync objects
	due   uint16 // cells accessed by long accesses since the last attempt to merge them
	slot  uint32 // table * tableSlots + index of its entry in the directory
	next  uint32 // link of the list of touched blocks, endOfTouched at its end; 0: not in the list
	runs  [maxRuns]run
	_     [6]uint32
}

// A run is the history of the bytes [lo, hi) of a block.
type run struct {
	lo, hi uint16
	history
}

// A cell is two numbers, for writes and for reads: the halves of a history, or their
// origins.
type cell struct {
	w, r uint32
}

// A cellPage holds the history of each word of a block.
type cellPage struct {
	words [blockWords]history
}

// bits returns the halves w and r as the number that a little-endian processor loads from
// a cell.
func bits(w, r uint32) uint64 { return uint64(w) | uint64(r)<<32 }

// A splitWord holds histories of a word whose bytes differ. Bit j of a mask stands for byte j.
// The masks are disjoint, and bytes in no mask have no history. A word with more histories has
// further splitWords.
type splitWord struct {
	masks  [splitPieces]uint8 // 0: unused; coversBytes loads them at once
	_      uint16
	mark   uint32
	next   uint32 // the word's next element; also the link of the free chain
	_      uint32
	pieces [splitPieces]history // canonical
}

const splitPieces = 2

// wholeWord is the mask of all bytes of a word.
const wholeWord = 1<<wordBytes - 1

// maskOf returns the mask of n bytes of a word, 1 to 8, from the byte at lo on, which is an
// offset or an address.
func maskOf(lo, n uintptr) uint32 { return (1<<n - 1) << (lo % wordBytes) & wholeWord }

func (e *Engine) block(i uint32) *block {
	return (*block)(unsafe.Add(nil, e.blocks.Base+uintptr(i)*unsafe.Sizeof(block{})))
}

func (e *Engine) page(i uint32) *cellPage {
	return (*cellPage)(unsafe.Add(nil, e.pages.Base+uintptr(i)*unsafe.Sizeof(cellPage{})))
}

func (e *Engine) split(i uint32) *splitWord {
	return (*splitWord)(unsafe.Add(nil, e.splits.Base+uintptr(i)*unsafe.Sizeof(splitWord{})))
}

// tableSlot returns the entry of a table for the block with the number page: the block's index in the low
// half, and in the high half the index of its cellPage, so that a reader of a cell need not read the
// block.
func (e *Engine) tableSlot(table uint32, page uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, e.tables.Base+uintptr(table)*tableBytes+page%tableSlots*entryBytes))
}

// setPage makes b a block of cells, or of runs if page is 0.
func (e *Engine) setPage(b *block, page uint32) {
	b.page = page
	if page != 0 {
		mem.Add32(&e.celled, 1)
	} else {
		mem.Add32(&e.celled, ^uint32(0))
	}
	mem.Store64(e.tableSlot(b.slot/tableSlots, uintptr(b.slot)), bits(e.indexOf(b), page))
}

// blockAt returns the index of the block with the number page, 0 if there is none.
//
//go:nosplit
func (e *Engine) blockAt(page uintptr) uint32 {
	t := mem.Load32(e.dir.At32(page / tableSlots % dirEntries))
	if t == 0 {
		return 0
	}
	return uint32(mem.Load64(e.tableSlot(t, page)))
}

// needBlock is blockAt that makes a missing block.
func (e *Engine) needBlock(page uintptr) uint32 {
	if b := e.blockAt(page); b != 0 {
		return b
	}
	mem.Lock(&e.dirMu)
	d := e.dir.At32(page / tableSlots % dirEntries)
	t := *d
	if t == 0 {
		t = e.tables.Get()
		mem.Store32(d, t)
	}
	s := e.tableSlot(t, page)
	b := uint32(*s)
	if b == 0 {
		b = e.blocks.Get()
		e.block(b).slot = t*tableSlots + uint32(page%tableSlots)
		mem.Store64(s, bits(b, 0))
	}
	mem.Unlock(&e.dirMu)
	return b
}

// HasShadow reports whether the bytes [addr, addr+n) may have history or sync objects.
func (e *Engine) HasShadow(addr, n uintptr) bool {
	if n == 0 {
		return false
	}
	for p, last := addr>>blockShift, (addr+n-1)>>blockShift; p <= last; {
		t := mem.Load32(e.dir.At32(p / tableSlots % dirEntries))
		if t == 0 {
			p = (p/tableSlots + 1) * tableSlots
			continue
		}
		if mem.Load64(e.tableSlot(t, p)) != 0 {
			return true
		}
		p++
	}
	return false
}

// openBlock returns the block with the number page, locked.
func (e *Engine) openBlock(page uintptr) *block {
	b := e.block(e.needBlock(page))
	mem.LockSeq(&b.mu)
	return b
}

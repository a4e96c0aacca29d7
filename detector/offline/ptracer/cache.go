package ptracer

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/structure/dpst"
)

const allocPage = 1 << 12 // bytes

// accessCache finds accesses that repeat an earlier access of the same step under the
// same locks. Each access that races with the repeated one has met the earlier one, or will
// meet its entry in the history.
type accessCache struct {
	hits    int64
	entries []accessEntry     // their number is a power of two, or 0
	fresh   map[uint64]uint32 // by page: the number of allocations and releases within it
	era     uint32            // the number of those that concern several pages
}

type accessEntry struct {
	addr, size uint64
	step       dpst.Node
	locks      lockset.Set
	kind       event.Kind
	fresh, era uint32
}

func newAccessCache(size int) *accessCache {
	return &accessCache{entries: make([]accessEntry, size), fresh: map[uint64]uint32{}}
}

// repeats reports whether an access repeats an earlier one, and remembers it if it does not.
func (c *accessCache) repeats(e *event.Event, step dpst.Node, locks lockset.Set) bool {
	page := e.Addr / allocPage
	if len(c.entries) == 0 || (e.Addr+e.Size-1)/allocPage != page {
		return false
	}
	now := accessEntry{e.Addr, e.Size, step, locks, e.Kind, c.fresh[page], c.era}
	slot := &c.entries[int(e.Addr^e.Addr>>12^e.Size<<7^uint64(step)*0x9e3779b1)&(len(c.entries)-1)]
	was := *slot
	if was.kind == event.Write && now.kind == event.Read {
		was.kind = event.Read // an earlier write covers a read
	}
	if was == now {
		c.hits++
		return true
	}
	*slot = now
	return false
}

// clear forgets accesses to memory that was allocated or freed.
func (c *accessCache) clear(addr, n uint64) {
	if n == 0 {
		return
	}
	if addr/allocPage != (addr+n-1)/allocPage {
		c.era++
		return
	}
	c.fresh[addr/allocPage]++
}

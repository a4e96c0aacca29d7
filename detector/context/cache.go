package context

import "taskinstr/detector/mem"

// A Cache remembers contexts, and has a stock of free ones. The zero value is empty.
type Cache struct {
	stock uint32
	memos [CacheSize]memo
}

const (
	cacheBits = 12

	// CacheSize is the number of contexts that a cache remembers.
	CacheSize = 1 << cacheBits
)

// A memo remembers a context. A context has two slots, of which the first
// holds the newer one. With one slot, two contexts that alternate would evict each
// other, and each duplicate context makes new places of the accesses in it.
type memo struct {
	pc         uintptr
	parent, id uint32
}

//go:nosplit
func slot(parent uint32, pc uintptr) uint32 {
	return (uint32(pc) ^ parent*0x85ebca6b) * 0x9e3779b1 >> (32 - cacheBits)
}

// Find returns the context in which pc was called from parent, if it is the newer one in its slots;
// otherwise 0.
//
//go:nosplit
func (c *Cache) Find(parent uint32, pc uintptr) uint32 {
	if m := &c.memos[slot(parent, pc)]; m.pc == pc && m.parent == parent {
		return m.id
	}
	return 0
}

// Restock gives c free contexts of x, unless it has some. It reports whether it has.
func (c *Cache) Restock(x *Tree) bool {
	if c.stock != 0 {
		return false
	}
	c.stock = x.GetBatch()
	return true
}

// Look is Find in all of the cache and the tree. If neither has the context, c has it from then on; the
// result is 0 if c has no stock for that.
//
//go:nosplit
//taskinstr:inline
func (c *Cache) Look(x *Tree, parent uint32, pc uintptr) uint32 {
	s := slot(parent, pc)
	m := &c.memos[s]
	if m.pc == pc && m.parent == parent {
		return m.id
	}
	a := &c.memos[s^1]
	if a.pc == pc && a.parent == parent {
		return a.id
	}
	i, slot, tag := x.Find(uint64(parent)<<48 ^ uint64(parent>>16) ^ uint64(pc))
	if i == 0 || x.frame(i).pc != pc || x.frame(i).parent != parent {
		if i = c.stock; i == 0 {
			return 0
		}
		f := x.frame(i)
		c.stock = f.parent
		*f = frame{pc: pc, parent: parent}
		mem.Intern(slot, tag, i)
	}
	if m.pc != 0 {
		*a = *m
	}
	*m = memo{pc, parent, i}
	return i
}

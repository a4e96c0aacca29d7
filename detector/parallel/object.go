package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// An object holds the synchronization state of one address. It belongs to the shadow
// block of that address, so that it ends with the memory that contains it.
type object struct {
	next    uint32 // in the block's list, or the link of the free chain
	mu      uint32
	addr    uintptr // 0: free
	serial  uint32  // identifies the lock; another lock at the same address has another serial
	version uint32  // rises with every change of general
	epoch   uint64  // of general, slot<<32 | step, for Acquired; manyEpochs if general is mixed

	general released // for every task that acquires
	excl    released // the end of the last exclusive critical section
	shared  released // the ends of the shared sections since then

	holder    uint32 // the task that took the lock exclusively
	began     uint32 // the step in which it did
	grant     uint32 // number of exclusive holds so far
	readers   uint32 // number of shared holds
	shares    uint32 // index of the shareTable, 0 until a task takes the lock shared
	era       uint32 // rises when the last reader leaves after a stray unlock
	uses      uint32 // made in the critical sections of the lock, see use
	announced uint32 // index of the announced sections of the lock, 0: none
	buffer    uint32 // the buffer that ends with the memory at addr, 0 if there is none
	strayed   bool   // a task without a hold has unlocked shared in this era
	awaited   bool   // suspended reports may wait for the end of a section of this lock
	visited   bool   // the next sweep visits it, see Engine.visits
	orders    bool   // the lock orders accesses in the weak order, too, see relax
	visit     uint32 // the next one of those
	left      uint32 // during relax: the accesses and sections that ended tasks have left under the lock
}

//go:nosplit
func (e *Engine) object(i uint32) *object {
	return (*object)(unsafe.Add(nil, e.objects.Base+uintptr(i)*unsafe.Sizeof(object{})))
}

// manyEpochs is the epoch of an object whose content no epoch implies.
const manyEpochs = ^uint64(0)

// An objMemo is a cache entry for an object, with the version up to which the task has
// acquired.
type objMemo struct {
	addr    uintptr
	obj     uint32
	version uint32 // of general, at the last acquire
}

//go:nosplit
func (t *Task) objMemoOf(addr uintptr) *objMemo {
	return &t.objs[uint32(addr>>3)*0x9e3779b1>>(32-objBits)]
}

// openObject returns the object at addr, locked, and t's cache entry for it. If there is
// none it makes one if create is set, and otherwise returns nil.
func (e *Engine) openObject(t *Task, addr uintptr, create bool) (*object, *objMemo) {
	c := t.objMemoOf(addr)
	if c.addr == addr {
		o := e.object(c.obj)
		mem.Lock(&o.mu)
		if o.addr == addr {
			return o, c
		}
		e.unlockWord(&o.mu)
	}
	near := t.proc().objectAt(addr)
	i := *near
	if i == 0 || e.object(i).addr != addr {
		i = e.lookUp(addr)
	}
	for ; ; i = 0 {
		if i == 0 {
			if i = e.findObject(addr, create); i == 0 {
				return nil, nil
			}
		}
		o := e.object(i)
		mem.Lock(&o.mu)
		if o.addr == addr {
			*c = objMemo{addr: addr, obj: i}
			*near = i
			return o, c
		}
		e.unlockWord(&o.mu) // it was freed in the meantime
	}
}

// lookUp returns the index of the object at addr, or 0 if it does not see it. It takes no
// lock, so the object may be freed meanwhile. Objects move between lists, so the search has a
// limit.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) lookUp(addr uintptr) uint32 {
	b := e.blockAt(addr >> blockShift)
	if b == 0 {
		return 0
	}
	i := mem.Load32(&e.block(b).sync)
	if i&listed != 0 {
		i = mem.Load32(&e.slotPage(i &^ listed).heads[addr/wordBytes%blockWords])
	}
	for n := 0; i != 0 && n < listedObjects; n++ {
		o := e.object(i)
		if mem.Load64((*uint64)(unsafe.Pointer(&o.addr))) == uint64(addr) {
			return i
		}
		i = mem.Load32(&o.next)
	}
	return 0
}

// sameObject returns the object at addr if it still has the serial, else nil.
func (e *Engine) sameObject(addr uintptr, serial uint32) *object {
	if i := e.lookUp(addr); i != 0 && e.object(i).serial == serial {
		return e.object(i)
	}
	return nil
}

// findObject returns the index of the object at addr. If there is none it makes one if
// create is set, and otherwise returns 0.
func (e *Engine) findObject(addr uintptr, create bool) uint32 {
	if !create {
		i := e.blockAt(addr >> blockShift)
		if i == 0 || mem.Load32(&e.block(i).sync) == 0 {
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
		i = e.objects.Get()
		o := e.object(i)
		mem.Lock(&o.mu) // a task that remembers the freed object may still lock it
		o.addr = addr
		o.serial = mem.Add32(&e.lockSerial, 1)
		o.version++ // a reused element never repeats a version that a task remembers
		o.next = *head
		e.unlockWord(&o.mu)
		mem.Store32(head, i)
		b.nSync++
	}
	e.unlockSeq(&b.mu)
	return i
}

// A slotPage holds the sync objects of a block in one list for each word of the block.
type slotPage struct {
	heads [blockWords]uint32
}

// listedObjects is the number of objects up to which a block keeps its objects in one
// list.
const listedObjects = 8

func (e *Engine) slotPage(i uint32) *slotPage {
	return (*slotPage)(unsafe.Add(nil, e.slots.Base+uintptr(i)*unsafe.Sizeof(slotPage{})))
}

// objectsHead returns the head of the list to which an object at addr belongs.
func (e *Engine) objectsHead(b *block, addr uintptr) *uint32 {
	if b.sync&listed == 0 {
		return &b.sync
	}
	return &e.slotPage(b.sync &^ listed).heads[addr/wordBytes%blockWords]
}

// spreadObjects turns a block's list of objects into a slotPage.
func (e *Engine) spreadObjects(b *block) {
	s := e.slots.Get()
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
	mem.Store32(&b.sync, s|listed)
}

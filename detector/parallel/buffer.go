package parallel

import "taskinstr/detector/mem"

// The buffer of a channel whose elements have size zero has no bytes, so an element has no
// address for its sync object. Such a buffer gets addresses from a reserved range, in which
// the program has no memory.

const (
	// bufferSpace is the size of the reserved range.
	bufferSpace = 1 << 38

	// bufferClasses is the number of sizes of buffers: 1, 2, 4, ... words.
	bufferClasses = 25

	// maxBuffer is the largest number of elements for which Buffer makes a buffer. It bounds
	// the share of the range that one channel takes, since a program may make a channel of
	// capacity 1<<40 that it never fills.
	maxBuffer = 1 << (bufferClasses - 1)
)

// A buffer has one word for each element.
type buffer struct {
	base  uintptr
	class uint32 // the binary logarithm of the number of words
	next  uint32 // the link of the free chain of its class
}

func (e *Engine) buffer(i uint32) *buffer { return (*buffer)(e.buffers.At(i)) }

// Buffer makes a buffer of n elements and returns the address of the first one. The elements are 8
// bytes apart. Their sync objects end with the memory at owner, and then another buffer may get the
// addresses. If owner is 0 no other buffer ever gets them. The result is 0 if n is too large, or if
// no addresses are left. t makes the call.
func (e *Engine) Buffer(t *Task, owner, n uintptr) uintptr {
	if n > maxBuffer {
		return 0
	}
	class := uint32(0)
	for 1<<class < n {
		class++
	}
	i := e.newBuffer(class, owner != 0)
	if i == 0 {
		return 0
	}
	base := e.buffer(i).base
	if owner != 0 {
		e.mustSeat(t)
		o, _ := e.openObject(t, owner, true)
		o.buffer = i
		e.unlockWord(&o.mu)
	}
	return base
}

// newBuffer returns a buffer, a free one if reuse is set and there is one. It returns 0 if no
// addresses are left.
func (e *Engine) newBuffer(class uint32, reuse bool) uint32 {
	mem.Lock(&e.bufferMu)
	i := uint32(0)
	if reuse {
		i = e.freeBuffers[class]
	}
	size := uintptr(wordBytes) << class
	switch {
	case i != 0:
		e.freeBuffers[class] = e.buffer(i).next
	case size <= mem.Share(bufferSpace)-e.bufferBytes:
		i = e.buffers.Get()
		*e.buffer(i) = buffer{base: e.bufferBase + e.bufferBytes, class: class}
		e.bufferBytes += size
	}
	mem.Unlock(&e.bufferMu)
	return i
}

// dropBuffer frees buffer i and the sync objects of its elements.
func (e *Engine) dropBuffer(i uint32) {
	p := e.buffer(i)
	e.Free(p.base, wordBytes<<p.class)
	mem.Lock(&e.bufferMu)
	p.next = e.freeBuffers[p.class]
	e.freeBuffers[p.class] = i
	mem.Unlock(&e.bufferMu)
}

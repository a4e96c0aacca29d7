package serial

import "taskinstr/detector/mem"

// An octet is an origin for each byte of a word. Code that accesses a word byte by byte does
// so from several places, and in the same way for the next words. An octet as the origin of
// an entry saves such a word a cell. Words with equal origins share the octet.
type octet struct {
	of   [wordBytes]uint32 // 0 where the entry has no byte; the first is also the link of the free chain
	mark uint32            // of the last sweep that found it in use
}

// isOctet is set in the number of an octet and clear in the number of an origin.
const isOctet = 1 << 31

// A joinMemo remembers a result of joinOrigins.
type joinMemo struct {
	old, o   uint32
	m, bytes uint32
	result   uint32
}

const joinMemos = 64

func (e *Engine) octet(i uint32) *octet { return (*octet)(e.octets.At(i &^ isOctet)) }

//go:nosplit
func (e *Engine) joinMemo(old, m, bytes, o uint32) *joinMemo {
	return &e.joins[(old*5^o^bytes*3^m)%joinMemos]
}

// quickJoin returns a result of joinOrigins that is remembered, else 0.
//
//go:nosplit
func (e *Engine) quickJoin(old, m, bytes, o uint32) uint32 {
	if old == o {
		return o
	}
	if j := e.joinMemo(old, m, bytes, o); j.old == old && j.o == o && j.m == m && j.bytes == bytes {
		return j.result
	}
	return 0
}

// joinOrigins returns the origin of an entry about the bytes m, with the origin old, that gets
// further bytes with the origin o.
func (e *Engine) joinOrigins(old, m, bytes, o uint32) uint32 {
	if r := e.quickJoin(old, m, bytes, o); r != 0 || old == o {
		return r
	}
	var x octet
	for i := range x.of {
		switch {
		case bytes>>i&1 != 0:
			x.of[i] = o
		case m>>i&1 != 0:
			x.of[i] = e.originAtByte(old, i)
		}
	}
	hash := uint64(0)
	for _, o := range x.of {
		hash = (hash ^ uint64(o)) * 0xd6e8feb86659fd93
	}
	i, slot, tag := e.octets.Find(hash)
	if i == 0 || e.octet(i).of != x.of {
		i = e.octets.Take()
		*e.octet(i) = x
		mem.Intern(slot, tag, i)
	}
	*e.joinMemo(old, m, bytes, o) = joinMemo{old, o, m, bytes, i | isOctet}
	return i | isOctet
}

// originAtByte returns the origin of the i-th byte of a word with origin o.
func (e *Engine) originAtByte(o uint32, i int) uint32 {
	if o&isOctet != 0 {
		return e.octet(o).of[i]
	}
	return o
}

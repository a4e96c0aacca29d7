//go:build taskinstr_runtime

// A hash map for the recorder, outside of Go's heap. tr_trace.lock guards it.

package runtime

import "unsafe"

// A tr_map maps two words, not both zero, to a nonzero number. It doubles when it is half
// full.
type tr_map struct {
	entries uintptr // [size]tr_mapEntry, open addressing
	size, n uintptr
}

type tr_mapEntry struct {
	a, b  uint64
	value uint64
}

const tr_mapFirst = 1 << 8

// at returns the entry of a key, or a free entry that put can fill.
func (m *tr_map) at(a, b uint64) *tr_mapEntry {
	h := uintptr((a*0x9e3779b97f4a7c15 ^ b) * 0xd6e8feb86659fd93 >> 20)
	for ; ; h++ {
		e := (*tr_mapEntry)(unsafe.Pointer(m.entries + h&(m.size-1)*unsafe.Sizeof(tr_mapEntry{})))
		if e.value == 0 || e.a == a && e.b == b {
			return e
		}
	}
}

func (m *tr_map) get(a, b uint64) uint32 {
	if m.size == 0 {
		return 0
	}
	return uint32(m.at(a, b).value)
}

func (m *tr_map) put(a, b uint64, value uint32) {
	if 2*m.n >= m.size {
		m.grow()
	}
	e := m.at(a, b)
	if e.value == 0 {
		m.n++
	}
	*e = tr_mapEntry{a, b, uint64(value)}
}

func (m *tr_map) grow() {
	old := *m
	m.size = max(2*old.size, tr_mapFirst)
	m.entries = uintptr(tr_alloc(m.size * unsafe.Sizeof(tr_mapEntry{})))
	for i := uintptr(0); i < old.size; i++ {
		if e := (*tr_mapEntry)(unsafe.Pointer(old.entries + i*unsafe.Sizeof(tr_mapEntry{}))); e.value != 0 {
			*m.at(e.a, e.b) = *e
		}
	}
	if old.size != 0 {
		me_Free(unsafe.Pointer(old.entries), old.size*unsafe.Sizeof(tr_mapEntry{}))
	}
}

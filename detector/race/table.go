package race

import "taskinstr/detector/mem"

// A Table has the races that were reported, pairs of places or of stacks. It holds digests of 64 bits. The zero value
// needs Init.
type Table struct {
	pairs mem.Zeroed
	round uint32
}

const (
	slots = 1 << 22

	removed = 1 // in the place of a pair that was taken out
)

// Init makes x an empty table.
func (x *Table) Init() { x.pairs.Init(slots * 8) }

// Close gives the memory back.
func (x *Table) Close() { x.pairs.Close() }

// Forget makes all pairs new.
func (x *Table) Forget() { mem.Add32(&x.round, 1) }

// PairOf returns a digest of two places, in either order.
func PairOf(x, y uint64) uint64 {
	if x > y {
		x, y = y, x
	}
	return x*0x9e3779b97f4a7c15 ^ y
}

// entry returns the entry of a pair, which is a race or a predicted one.
func (x *Table) entry(pair uint64, predicted bool) uint64 {
	h := (pair ^ uint64(mem.Load32(&x.round))<<32) * 0xd6e8feb86659fd93
	h ^= h >> 32
	h = h*0xd6e8feb86659fd93&^1 | 2
	if predicted {
		h |= 1
	}
	return h
}

// Has reports whether a pair is in the table.
func (x *Table) Has(pair uint64, predicted bool) bool {
	h := x.entry(pair, predicted)
	for i, tries := uintptr(h>>40), 0; tries < slots; tries++ {
		switch mem.Load64(x.pairs.At64(i % slots)) {
		case h:
			return true
		case 0:
			return false
		}
		i++
	}
	return false
}

// Add enters a pair and reports whether it was new.
func (x *Table) Add(pair uint64, predicted bool) bool {
	h := x.entry(pair, predicted)
	for i, tries := uintptr(h>>40), 0; tries < slots; tries++ {
		s := x.pairs.At64(i % slots)
		v := mem.Load64(s)
		if v == 0 {
			if mem.Cas64(s, 0, h) {
				return true
			}
			v = mem.Load64(s)
		}
		if v == h {
			return false
		}
		i++
	}
	return true // a full table causes repeated reports but loses none
}

// Remove takes a pair out again.
func (x *Table) Remove(pair uint64, predicted bool) {
	h := x.entry(pair, predicted)
	for i, tries := uintptr(h>>40), 0; tries < slots; tries++ {
		s := x.pairs.At64(i % slots)
		if v := mem.Load64(s); v == 0 || v == h && mem.Cas64(s, h, removed) {
			return
		}
		i++
	}
}

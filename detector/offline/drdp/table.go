package drdp

// A table maps promises to points by open addressing. The zero value is empty.
type table struct {
	entries []entry // their number is a power of two, and at most two thirds are in use
	used    int
}

type entry struct {
	promise uint64
	point   uint32 // 0: the entry is free
}

func (t *table) slot(promise uint64) *entry {
	mask := uint64(len(t.entries)) - 1
	for h := (promise * 0x9e3779b97f4a7c15 >> 20) & mask; ; h = (h + 1) & mask {
		if e := &t.entries[h]; e.point == 0 || e.promise == promise {
			return e
		}
	}
}

// get returns the promise's point, 0 if it has none.
func (t *table) get(promise uint64) uint32 {
	if t.used == 0 {
		return 0
	}
	return t.slot(promise).point
}

func (t *table) put(promise uint64, point uint32) {
	if 3*t.used >= 2*len(t.entries) {
		old := t.entries
		t.entries = make([]entry, max(64, 2*len(old)))
		for _, e := range old {
			if e.point != 0 {
				*t.slot(e.promise) = e
			}
		}
	}
	e := t.slot(promise)
	if e.point == 0 {
		t.used++
	}
	*e = entry{promise, point}
}

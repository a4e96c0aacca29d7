package drdp

import "taskinstr/detector/offline/shadow"

// A reader is an element of a persistent list of reads, the newest first. No element is
// known to precede a newer one.
type reader struct {
	record uint32
	older  uint32 // a value of type readers
	length uint32
}

// readers refers to the reads of a byte: 0 for none, the number of the only record, or
// list + the number of a reader.
type readers uint32

// first splits off the newest read.
func (d *detector) first(r readers) (record uint32, rest readers) {
	if r&list == 0 {
		return uint32(r), 0
	}
	x := d.readers.At(uint32(r &^ list))
	return x.record, readers(x.older)
}

// An addition is a cached result of read. It is valid as long as the numbers are: a later
// join could only make a list shorter.
type addition struct {
	before, after readers
	now           uint32
}

// remembered is read with a cache: neighbouring words have the same readers.
func (d *detector) remembered(r readers, now uint32) readers {
	if r == 0 || r == readers(now) {
		return readers(now)
	}
	a := &d.additions[(uint32(r)*0x9e37^now)%uint32(len(d.additions))]
	if a.before != r || a.now != now {
		*a = addition{r, d.read(r, now), now}
	}
	return a.after
}

// read returns r with a read added. It drops earlier reads that precede the new read,
// because a write that is parallel to one of them is parallel to the new read. It asks
// the tree about the newest reads, until one does not precede the new read; whenever the
// number of reads has doubled, it asks about all of them, with a short search.
func (d *detector) read(r readers, now uint32) readers {
	b := d.past.At(now)
	for r != 0 {
		record, rest := d.first(r)
		if record == now {
			return r
		}
		if !d.replaces(b, record, 0) {
			break
		}
		r = rest
	}
	if r == 0 {
		return readers(now)
	}
	length := uint32(2)
	if r&list != 0 {
		length += d.readers.At(uint32(r&^list)).length - 1
	}
	if length >= 8 && length&(length-1) == 0 {
		r = d.pruned(r, b)
		if r == 0 {
			return readers(now)
		}
		length = 2
		if r&list != 0 {
			length += d.readers.At(uint32(r&^list)).length - 1
		}
	}
	return d.cons(now, r, length)
}

// pruneSearch is the number of points that a search for an earlier read may visit.
const pruneSearch = 16

// replaces reports whether read b is known to make an earlier read redundant, after
// visiting at most the given number of points.
func (d *detector) replaces(b *shadow.Record, record uint32, points int64) bool {
	a := d.past.At(record)
	return (b.Locks == 0 || a.Locks == b.Locks) && (a.Kind.Atomic() || !b.Kind.Atomic()) && d.surelyPrecedes(a, b, points)
}

// pruned returns the reads that do not precede b.
func (d *detector) pruned(r readers, b *shadow.Record) readers {
	d.kept = d.kept[:0]
	for r != 0 {
		var record uint32
		if record, r = d.first(r); !d.replaces(b, record, pruneSearch) {
			d.kept = append(d.kept, record)
		}
	}
	for i := len(d.kept) - 1; i >= 0; i-- {
		if r == 0 {
			r = readers(d.kept[i])
		} else {
			r = d.cons(d.kept[i], r, uint32(len(d.kept)-i))
		}
	}
	return r
}

// cons returns a list of record and older. It reuses an equal recent list: neighbouring
// bytes that are read one by one share their lists.
func (d *detector) cons(record uint32, older readers, length uint32) readers {
	x := reader{record: record, older: uint32(older), length: length}
	slot := &d.recent[(record^uint32(older)*0x9e37)%uint32(len(d.recent))]
	if *slot == 0 || *d.readers.At(*slot) != x {
		*slot = d.readers.Add(x)
	}
	return readers(*slot | list)
}

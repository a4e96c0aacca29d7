package drdp

import "taskinstr/detector/shadow"

// A reader is an element of a persistent list of reads, the newest first. No
// element precedes a newer one, as far as that has been asked.
type reader struct {
	record uint32
	older  uint32 // a reference to readers
	length uint32
}

// readers refers to the reads of a byte: 0, list + the number of a reader, or the
// number of the only record.
type readers uint32

// first takes the newest read off.
func (d *detector) first(r readers) (record uint32, rest readers) {
	if r&list == 0 {
		return uint32(r), 0
	}
	x := d.readers.at(uint32(r &^ list))
	return x.record, readers(x.older)
}

// An addition is a result of read. It holds as long as the numbers do: what a task
// gets later could only make a list shorter.
type addition struct {
	before, after readers
	now           uint32
}

// remembered is read, with an answer that was given before: neighbouring words have
// the same readers.
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

// read returns r with a read added. Earlier reads that precede it are left out: a
// write that is parallel to one of them is parallel to the new one. The tree is asked
// about the newest ones, until one does not precede, and, with a short search, about
// all whenever their number has doubled.
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
		length += d.readers.at(uint32(r&^list)).length - 1
	}
	if length >= 8 && length&(length-1) == 0 {
		r = d.pruned(r, b)
		if r == 0 {
			return readers(now)
		}
		length = 2
		if r&list != 0 {
			length += d.readers.at(uint32(r&^list)).length - 1
		}
	}
	return d.cons(now, r, length)
}

// pruneSearch is how many points are visited to find out about an earlier read.
const pruneSearch = 16

// replaces reports whether read b is known to make an earlier read superfluous, after
// a search of so many points.
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

// cons returns a list of an element and older ones, one that exists if it is
// remembered: neighbouring bytes that are read one by one share their lists.
func (d *detector) cons(record uint32, older readers, length uint32) readers {
	x := reader{record: record, older: uint32(older), length: length}
	slot := &d.recent[(record^uint32(older)*0x9e37)%uint32(len(d.recent))]
	if *slot == 0 || *d.readers.at(*slot) != x {
		*slot = d.readers.add(x)
	}
	return readers(*slot | list)
}

package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Access records an access of n bytes at a by t and reports its races.
func (e *Engine) Access(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) {
	if n == 0 || e.Alone(t) {
		return
	}
	algUse(e, t)
	e.touch(a, n)
	o := e.originOf(site, pc, stack)
	set := e.lockset(t, k.Atomic())
	if head := a % wordBytes; head != 0 || n < wordBytes {
		m := min(n, wordBytes-head)
		e.access(t, a, bytesOf(head, m), k, o, set)
		a += m
		n -= m
	}
	if m := n &^ (wordBytes - 1); m != 0 {
		e.words(t, a, m, k, o, set)
		a += m
		n -= m
	}
	if n != 0 {
		e.access(t, a, bytesOf(0, n), k, o, set)
	}
}

// someWords records an access to n bytes at a, whole words, word by word. Runs of equal
// entries are judged at once.
func (e *Engine) someWords(t *Task, a, n uintptr, k Kind, o, set uint32) {
	for n > 0 {
		p := e.entry(a)
		x := *p
		if x == inLine {
			if y := e.line(a).entry; y == t.okw || k == Read && t.passes(y) {
				m := sameEntries(p, min(n, lineBytes-a&(lineBytes-1))/wordBytes) * wordBytes
				a += m
				n -= m
				continue
			}
			e.takeOut(a)
			x = *p
		}
		run := sameEntries(p, n/wordBytes)
		switch {
		case x == t.okw || k == Read && t.passes(x):
		case set != 0 || k > Write || x&idMask == hasCell || x != 0 && x>>byteShift != full:
			// The new origins of a word with a history of some bytes are made of the old
			// ones, of which equal entries say nothing.
			run = 1
			e.access(t, a, full, k, o, set)
		default:
			q := e.places(p)
			old := uint32(*q >> 32)
			e.access(t, a, full, k, o, 0)
			if y := *p; y&idMask == hasCell || e.nClash != 0 {
				run = 1
			} else if y != x {
				run = e.fill(p, q, run, x, old, y, k, o)
			}
		}
		a += run * wordBytes
		n -= run * wordBytes
	}
}

// atOnce is the number of entries that are compared at once.
const atOnce = 64

// sameEntries returns how many of the n entries at p are equal to the first, at least
// 1, at most n.
func sameEntries(p *uint64, n uintptr) uintptr {
	x := *p
	i := uintptr(0)
	for n-i > atOnce {
		q := unsafe.Add(unsafe.Pointer(p), i*wordBytes)
		if *(*uint64)(q) != x || !mem.Equal(q, unsafe.Add(q, wordBytes), atOnce*wordBytes) {
			break
		}
		i += atOnce
	}
	for i < n && *(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) == x {
		i++
	}
	return i
}

// fill extends an access of kind k at origin o to a run of n words. It has changed the entry
// at p, the first one, from x to y; fill changes the others, whose entries are x, too. x is 0
// or about a whole word, and the reader of the first word had the origin old. fill returns
// the number of entries that are y now: it stops at a word whose reader had another origin,
// if y has a list with that origin.
func (e *Engine) fill(p, q *uint64, n uintptr, x uint64, old uint32, y uint64, k Kind, o uint32) uintptr {
	i := uintptr(1)
	if k == Write {
		for ; i < n; i++ {
			*(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) = y
			*(*uint64)(unsafe.Add(unsafe.Pointer(q), i*wordBytes)) = pair(o, 0)
		}
	} else {
		origin := uint32(*q >> 32)
		r := uint32(x >> idBits & idMask)
		alike := !IsList(uint32(y>>idBits)) || r == 0 || IsList(r)
		for ; i < n; i++ {
			u := (*uint64)(unsafe.Add(unsafe.Pointer(q), i*wordBytes))
			if !alike && uint32(*u>>32) != old {
				break
			}
			*(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) = y
			setReader(u, origin)
		}
	}
	e.Counts.Recorded += uint64(i - 1)
	return i
}

// access records an access to some bytes of the word at a.
func (e *Engine) access(t *Task, a uintptr, bytes uint32, k Kind, o, set uint32) {
	e.nClash = 0
	p := e.entry(a)
	x := *p
	if x == inLine {
		if x = e.line(a).entry; x == t.okw || k == Read && t.passes(x) {
			return
		}
		e.takeOut(a)
		x = *p
	}
	w, r, m := unpack(x)
	if w == hasCell {
		e.accessCell(t, a, p, bytes, k, o, set)
		return
	}
	if w < e.Base && e.Past(r) && x != 0 {
		x, w, r, m = 0, 0, 0, 0
		*p = 0
	}
	if w == t.Unit && (r == 0 || !k.Writes()) && bytes&^m == 0 {
		return // the write of the same unit represents the access, under any locks
	}
	if set != 0 {
		e.makeCell(p)
		e.accessCell(t, a, p, bytes, k, o, set)
		return
	}
	if m == 0 {
		*p = e.first(t, bytes, k)
		*e.places(p) = firstPlace(k, o)
		e.Counts.Recorded++
		return
	}
	q := *e.places(p)
	if y := e.first(t, m, k); y == x && bytes&^m != 0 {
		// More bytes get the history that the others have.
		*p = e.first(t, m|bytes, k)
		if k.Writes() {
			*e.places(p) = pair(e.joinOrigins(uint32(q), m, bytes&^m, o), 0)
		} else {
			*e.places(p) = pair(0, e.joinOrigins(uint32(q>>32), m, bytes&^m, o))
		}
		e.Counts.Recorded++
		return
	}
	if m&bytes == 0 {
		e.makeCell(p)
		e.accessCell(t, a, p, bytes, k, o, 0)
		return
	}
	h := hist{w: w, r: r, wo: uint32(q), ro: uint32(q >> 32)}
	g := h
	e.judge(t, &g, k, o, 0)
	same := g == h && bytes&^m == 0
	if !same && bytes != m && (m&^bytes != 0 || !k.Writes() && (w != 0 || g.r != t.Unit)) {
		e.nClash = 0
		e.makeCell(p)
		e.accessCell(t, a, p, bytes, k, o, 0)
		return
	}
	if !same {
		*p = word(g.w, g.r, bytes)
		*e.places(p) = pair(g.wo, g.ro)
		if bytes != m {
			*e.places(p) = firstPlace(k, o) // the access covers all bytes
		}
		e.Counts.Recorded++
	}
	if e.nClash != 0 {
		e.report(t, a, m&bytes, k, o, 0)
		return
	}
	if _, _, m := unpack(*p); k == Read && (same || bytes == full) && m == full {
		e.passed(t, *p)
	}
	if bytes == full && m == full && !same && k <= Write {
		t.learn(x, *p, k, h.ro, o)
	}
}

// first returns the entry of bytes without history after an access of t.
func (e *Engine) first(t *Task, bytes uint32, k Kind) uint64 {
	if k.Writes() {
		return word(t.Unit, 0, bytes)
	}
	return word(0, t.Unit, bytes)
}

func firstPlace(k Kind, o uint32) uint64 {
	if k.Writes() {
		return pair(o, 0)
	}
	return pair(0, o)
}

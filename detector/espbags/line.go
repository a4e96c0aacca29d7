package espbags

import "unsafe"

// A line is 16 words of memory. Ranges that cover lines treat them like words: a line
// whose words all have the same entry and origins may have these once, as an entry of
// its own, and all its words the entry inLine. An access of a part of the line that
// changes it gives each word its entry back. An entry of a line is 0 where the words
// speak for themselves.
const (
	lineWords = 16
	lineBytes = lineWords * wordBytes
)

// lineAt returns where the entry of the line at an offset of the shadow lies. Its origins
// lie e.size/lineWords bytes behind it.
//
//go:nosplit
func (e *Engine) lineAt(off uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, e.lines+off/lineBytes*wordBytes))
}

//go:nosplit
func (e *Engine) line(a uintptr) *uint64 { return e.lineAt(a & e.mask) }

//go:nosplit
func (e *Engine) linePlaces(p *uint64) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(p), e.size/lineWords))
}

// expand gives the words of a line that has an entry theirs. An entry about tasks that
// precede everything is none.
//
//go:nosplit
func (e *Engine) expand(a uintptr) {
	l := e.line(a)
	p := e.entry(a &^ (lineBytes - 1))
	x, o := *l, *e.linePlaces(l)
	q := e.places(p)
	if w, r, _ := unpack(x); w < e.base && r < e.base {
		for i := 0; i < lineWords; i++ {
			*at64(p, i) = 0
		}
		*l = 0
		return
	}
	for i := 0; i < lineWords; i++ {
		*at64(p, i) = x
		*at64(q, i) = o
	}
	*l = 0
}

// clearWords empties the history of n bytes at a, whole words of a chunk.
func (e *Engine) clearWords(a, n uintptr) {
	end := a + n
	if a%lineBytes != 0 && *e.line(a) != 0 {
		e.expand(a)
	}
	if end%lineBytes != 0 && *e.line(end) != 0 {
		e.expand(end)
	}
	hostClear(unsafe.Pointer(e.entry(a)), n)
	for a = (a + lineBytes - 1) &^ (lineBytes - 1); a < end; a += lineBytes {
		*e.line(a) = 0
	}
}

// words is access for n bytes, whole words.
func (e *Engine) words(t *Task, a, n uintptr, k Kind, o, set uint32) {
	if set != 0 || k > Write || n < lineBytes {
		e.someWords(t, a, n, k, o, set)
		return
	}
	if head := -a & (lineBytes - 1); head != 0 {
		e.someWords(t, a, head, k, o, set)
		a += head
		n -= head
	}
	for n >= lineBytes {
		m := e.wholeLines(t, a, n&^(lineBytes-1), k, o)
		a += m
		n -= m
	}
	if n != 0 {
		e.someWords(t, a, n, k, o, set)
	}
}

// wholeLines is access for some of n bytes at a, whole lines. It returns for how many.
func (e *Engine) wholeLines(t *Task, a, n uintptr, k Kind, o uint32) uintptr {
	l := e.line(a)
	x := *l
	if x == 0 {
		if !e.uniteLine(t, a, l, k, o) {
			e.someWords(t, a, lineBytes, k, o, 0)
		}
		return lineBytes
	}
	if x == t.okw || k == Read && t.passes(x) {
		return sameEntries(l, n/lineBytes) * lineBytes
	}
	w, r, _ := unpack(x)
	places := e.linePlaces(l)
	q := *places
	h := hist{w: w, r: r, wo: uint32(q), ro: uint32(q >> 32)}
	g := h
	e.nClash = 0
	e.judge(t, &g, k, o, 0)
	if e.nClash != 0 {
		e.expand(a)
		e.someWords(t, a, lineBytes, k, o, 0)
		return lineBytes
	}
	if g == h {
		e.passed(t, x)
		return sameEntries(l, n/lineBytes) * lineBytes
	}
	y := word(g.w, g.r, full)
	if g.w < e.base {
		y = word(0, g.r, full)
	}
	run := sameEntries(l, n/lineBytes)
	for i := 0; i < int(run); i++ {
		*at64(l, i) = y
		if k == Write {
			*at64(places, i) = pair(o, 0)
		} else {
			*at64(places, i) = *at64(places, i)&(1<<32-1) | uint64(o)<<32
		}
	}
	e.counts.Recorded += uint64(run)
	return run * lineBytes
}

// uniteLine is access for a line without an entry that gets one by it. It returns false
// if it has done nothing.
func (e *Engine) uniteLine(t *Task, a uintptr, l *uint64, k Kind, o uint32) bool {
	p := e.entry(a)
	e.nClash = 0
	for i := uintptr(0); i < lineWords; {
		q := at64(p, int(i))
		x := *q
		run := sameEntries(q, lineWords-i)
		w, r, m := unpack(x)
		if w == hasCell || k == Read && (w >= e.base || run == lineWords && x == t.own) {
			return false // a read leaves the writers, whose origins may differ
		}
		if m != 0 && x != t.okw && (e.parallel(w) || e.parallel(r)) {
			return false
		}
		i += run
	}
	y := e.first(t, full, k)
	for i := 0; i < lineWords; i++ {
		*at64(p, i) = inLine
	}
	*l = y
	*e.linePlaces(l) = firstPlace(k, o)
	e.counts.Recorded++
	return true
}

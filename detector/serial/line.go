package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A line is lineWords words of memory. A range gives the words of a line that it covers, the
// words [from, to), one common history and the entry inLine. A word of them that is accessed
// alone later gets an entry of its own and is listed in out, which has room for maxOut
// words. So a range that comes again looks at the line and at the listed words only.
//
//	entry(word) == inLine  if and only if  from <= word < to and the word is not in out
type line struct {
	entry    uint64 // like the entry of a word, about whole words
	places   uint64
	from, to uint8 // to is 0: no words
	n        uint8
	out      [maxOut]uint8
}

const (
	lineBytes = lineWords * wordBytes
	maxOut    = 13
	lineSize  = unsafe.Sizeof(line{})

	// leastRange is the least number of bytes of a range for which lines pay.
	leastRange = 16 * wordBytes

	// maxTrim is the largest number of words that leave a line when a range covers a part
	// of it. If more would have to leave, the line is expanded.
	maxTrim = 16
)

// line returns the line that contains address a.
//
//go:nosplit
func (e *Engine) line(a uintptr) *line {
	return (*line)(unsafe.Add(nil, e.lines.Base+a&e.mask/lineBytes*lineSize))
}

//go:nosplit
func wordOf(a uintptr) uint8 { return uint8(a / wordBytes % lineWords) }

// own gives the word with the entry p the history of its line as its own.
//
//go:nosplit
func (e *Engine) own(l *line, p *uint64) {
	if w, r, _ := unpack(l.entry); w < e.Base && e.Past(r) {
		*p = 0 // all of it precedes everything
		return
	}
	*p = l.entry
	*e.places(p) = l.places
}

// takeOut gives the word at a, which has the history of its line, an entry of its own.
//
//go:nosplit
func (e *Engine) takeOut(a uintptr) {
	l := e.line(a)
	i := wordOf(a)
	switch {
	case i == l.from:
		l.from++
	case i == l.to-1:
		l.to--
	case l.n < maxOut:
		l.out[l.n] = i
		l.n++
	default:
		e.expand(a)
		return
	}
	e.own(l, e.entry(a))
	if l.from == l.to {
		*l = line{}
	}
}

// expand gives all words of the line that contains a entries of their own.
//
//go:nosplit
func (e *Engine) expand(a uintptr) {
	l := e.line(a)
	p := e.entry(a &^ (lineBytes - 1))
	for i := int(l.from); i < int(l.to); i++ {
		if q := at64(p, i); *q == inLine {
			e.own(l, q)
		}
	}
	*l = line{}
}

// trim gives the words of a line outside of [i, j) entries of their own.
func (e *Engine) trim(l *line, a uintptr, i, j uint8) {
	p := e.entry(a &^ (lineBytes - 1))
	for ; l.from < i && l.from < l.to; l.from++ {
		if q := at64(p, int(l.from)); *q == inLine {
			e.own(l, q)
		}
	}
	for ; l.to > j && l.from < l.to; l.to-- {
		if q := at64(p, int(l.to-1)); *q == inLine {
			e.own(l, q)
		}
	}
	n := uint8(0)
	for _, out := range l.out[:l.n] {
		if out >= l.from && out < l.to {
			l.out[n] = out
			n++
		}
	}
	l.n = n
	if l.from == l.to {
		*l = line{}
	}
}

// clearWords empties the history of n bytes at a, whole words of a chunk.
func (e *Engine) clearWords(a, n uintptr) {
	for end := a + n; a < end; {
		m := min(end-a, lineBytes-a&(lineBytes-1))
		if l := e.line(a); l.to != 0 {
			switch i, j := wordOf(a), wordOf(a)+uint8(m/wordBytes); {
			case j <= l.from || i >= l.to:
			case i <= l.from && j >= l.to:
				*l = line{}
			case i <= l.from:
				e.trim(l, a, j, l.to)
			case j >= l.to:
				e.trim(l, a, l.from, i)
			default:
				e.expand(a)
			}
		}
		mem.Clear(unsafe.Pointer(e.entry(a)), m)
		a += m
	}
}

// words records an access to n bytes at a, whole words.
func (e *Engine) words(t *Task, a, n uintptr, k Kind, o, set uint32) {
	if set != 0 || k > Write || n < leastRange {
		e.someWords(t, a, n, k, o, set)
		return
	}
	for n > 0 {
		m := min(n, lineBytes-a&(lineBytes-1))
		e.partOfLine(t, a, m, k, o)
		a += m
		n -= m
	}
}

// partOfLine records an access to n bytes at a, words of one line.
func (e *Engine) partOfLine(t *Task, a, n uintptr, k Kind, o uint32) {
	l := e.line(a)
	i, j := wordOf(a), wordOf(a)+uint8(n/wordBytes)
	if l.to != 0 && (j <= l.from || i >= l.to) {
		if l.to-l.from >= j-i {
			e.someWords(t, a, n, k, o, 0)
			return
		}
		e.expand(a) // the larger range gets the line
	}
	if l.to == 0 {
		if !e.unify(t, a, l, i, j, k, o) {
			e.someWords(t, a, n, k, o, 0)
		}
		return
	}
	x := l.entry
	if x == t.okw || k == Read && t.passes(x) {
		if l.n != 0 || i < l.from || j > l.to {
			e.others(t, a, l, i, j, k, o)
		}
		return
	}
	w, r, _ := unpack(x)
	q := l.places
	h := hist{w: w, r: r, wo: uint32(q), ro: uint32(q >> 32)}
	g := h
	e.nClash = 0
	if w < e.Base && e.Past(r) { // the whole history precedes everything
		g = hist{w: t.Unit, wo: o}
		if k == Read {
			g = hist{r: t.Unit, ro: o}
		}
	} else {
		e.judge(t, &g, k, o, 0)
	}
	if e.nClash == 0 && g == h {
		e.passed(t, x)
	} else {
		less := uint8(0)
		if i > l.from {
			less += i - l.from
		}
		if j < l.to {
			less += l.to - j
		}
		if e.nClash != 0 || less > maxTrim {
			e.expand(a)
			e.someWords(t, a, n, k, o, 0)
			return
		}
		if less != 0 {
			e.trim(l, a, i, j)
		}
		if g.w < e.Base {
			g.w, g.wo = 0, 0
		}
		l.entry, l.places = word(g.w, g.r, full), pair(g.wo, g.ro)
		e.Counts.Recorded++
	}
	if l.n != 0 || i < l.from || j > l.to {
		e.others(t, a, l, i, j, k, o)
	}
}

// others records an access for the words of [i, j) that do not have the history of their
// line; the line has recorded the access already. After a write these words get the history
// of the line back, where it is equal and the range stays connected.
func (e *Engine) others(t *Task, a uintptr, l *line, i, j uint8, k Kind, o uint32) {
	a &^= lineBytes - 1
	p := e.entry(a)
	same := l.entry == t.okw && l.places == pair(o, 0) // like the result of this write
	n := uint8(0)
	for m := uint8(0); m < l.n; m++ {
		out := l.out[m]
		if out >= i && out < j {
			if *at64(p, int(out)) != t.okw {
				e.access(t, a+uintptr(out)*wordBytes, full, k, o, 0)
			}
			if q := at64(p, int(out)); k == Write && same && *q == t.okw {
				*q = inLine
				continue
			}
		}
		l.out[n] = out
		n++
	}
	l.n = n
	if i < l.from {
		e.someWords(t, a+uintptr(i)*wordBytes, uintptr(l.from-i)*wordBytes, k, o, 0)
	}
	if j > l.to {
		e.someWords(t, a+uintptr(l.to)*wordBytes, uintptr(j-l.to)*wordBytes, k, o, 0)
	}
	if k != Write || !same {
		return
	}
	for m := l.from; m > i && *at64(p, int(m-1)) == t.okw; m-- {
		*at64(p, int(m-1)) = inLine
		l.from--
	}
	for m := l.to; m < j && *at64(p, int(m)) == t.okw; m++ {
		*at64(p, int(m)) = inLine
		l.to++
	}
}

// unify records an access for the words [i, j) of a line that has no range yet, and makes
// them its range. It returns false, and has done nothing, if they cannot have one history.
func (e *Engine) unify(t *Task, a uintptr, l *line, i, j uint8, k Kind, o uint32) bool {
	p := e.entry(a)
	n := uintptr(j - i)
	e.nClash = 0
	for m := uintptr(0); m < n; {
		q := at64(p, int(m))
		x := *q
		run := sameEntries(q, n-m)
		w, r, bytes := unpack(x)
		if w == hasCell || k == Read && (w >= e.Base || run == n && x == t.own) {
			return false // a read keeps the writers, whose origins may differ
		}
		if bytes != 0 && x != t.okw && (algParallel(e, t, w) || !e.Behind(t, r)) {
			return false
		}
		m += run
	}
	for m := 0; m < int(n); m++ {
		*at64(p, m) = inLine
	}
	*l = line{entry: e.first(t, full, k), places: firstPlace(k, o), from: i, to: j}
	e.Counts.Recorded++
	return true
}

package online

import "unsafe"

// passes reports whether x is known to be the entry of a word that a read leaves as it is.
//
//go:nosplit
func (t *Task) passes(x uint64) bool {
	return x == t.own || x == t.okr || x == t.noop[noopSlot(x)]
}

// passed says that x is one, of a whole word.
//
//go:nosplit
func (t *Task) passed(x uint64) {
	if x>>byteShift == full && x != t.own {
		t.okr = x
		t.noop[noopSlot(x)] = x
		t.noted = true
	}
}

//go:nosplit
func noopSlot(x uint64) uint64 { return (x ^ x>>idBits) % noops }

// Pass reports whether an access leaves no trace, as far as a look at the entries of up
// to passWords words tells. Of larger ones it does not know, unless t is alone.
//
//go:nosplit
func (t *Task) Pass(a, n uintptr, k Kind) bool {
	if n > passWords*wordBytes {
		return t.mask == 0
	}
	x := *(*uint64)(unsafe.Add(nil, t.base+a&t.mask))
	if x != t.okw && !(k == Read && t.passes(x)) {
		return false
	}
	end := a + n
	a = a&^(wordBytes-1) + wordBytes
	if a >= end || t.mask == 0 {
		return true
	}
	for ; a < end; a += wordBytes {
		x = *(*uint64)(unsafe.Add(nil, t.base+a&t.mask))
		if x != t.okw && !(k == Read && t.passes(x)) {
			return false
		}
	}
	return true
}

const (
	passWords    = 8
	hitsToExpand = 4
)

// A placeMemo remembers the origin of the accesses of one site, as long as Task.Act
// stays: then the calling context is the same.
type placeMemo struct {
	site, pc uintptr
	act      uint64
	origin   uint32
}

const placeMemos = 8

//go:nosplit
func (t *Task) placeMemo(site uintptr) *placeMemo { return &t.places[site>>2%placeMemos] }

// Again records an access of a whole word at a place where the task was last in the same
// activation of the same function, if its entry has become what another one has in
// this step. It may run on the task's own stack.
//
//go:nosplit
func (e *Engine) Again(t *Task, a uintptr, k Kind, site, pc uintptr) bool {
	m := t.placeMemo(site)
	if m.site != site || m.act != t.Act || m.pc != pc || *e.marked(a)&hasEntries == 0 {
		return false
	}
	p := e.entry(a)
	x := *p
	c := &t.clean[k]
	if uint32(x&idMask) < e.base && e.past(uint32(x>>idBits&idMask)) {
		e.use(t)
		if k == Write {
			*p = t.okw
			*e.places(p) = pair(m.origin, 0)
		} else {
			*p = t.own
			*e.places(p) = pair(0, m.origin)
		}
		return true
	}
	if k == Write && x == t.own {
		*p = t.okw
		*e.places(p) = pair(m.origin, 0)
		return true
	}
	return x == c.from && e.make(p, e.places(p), c, k, m.origin)
}

// make makes an entry into what a judged one has become, with origins at q, if an access
// at origin o does so.
//
//go:nosplit
func (e *Engine) make(p, q *uint64, c *judged, k Kind, o uint32) bool {
	if c.origin != 0 && c.origin != o || !c.any && uint32(*q>>32) != c.reader {
		return false
	}
	*p = c.to
	switch {
	case k == Write:
		*q = pair(o, 0)
	case c.origin != 0: // a list, which has the origin
		setReader(q, 0)
	default:
		setReader(q, o)
	}
	return true
}

// learn remembers that an access of kind k at origin o has made the entry x, whose readers
// had origin ro, into y.
//
//go:nosplit
func (t *Task) learn(x, y uint64, k Kind, ro, o uint32) {
	if k == Write {
		t.clean[Write] = judged{from: x, to: y, any: true}
		return
	}
	c := judged{from: x, to: y, any: true}
	if uint32(y>>idBits)&isList != 0 {
		c.origin = o
		if r := uint32(x >> idBits & idMask); r != 0 && r&isList == 0 {
			c.any, c.reader = false, ro
		}
	}
	t.clean[Read] = c
}

// Covered is Pass for accesses of up to a line, and looks at the entries of lines, too.
//
//go:nosplit
func (e *Engine) Covered(t *Task, a, n uintptr, k Kind) bool {
	if t.mask == 0 {
		return true
	}
	if n > lineBytes {
		return false
	}
	for end := a + n; a < end; a += wordBytes {
		x := *e.entry(a)
		if x == inLine {
			if x = *e.line(a); n <= wordBytes {
				// Where single words are accessed again and again, instructions are
				// to see their entries.
				if e.hits++; e.hits%hitsToExpand == 0 {
					e.expand(a)
				}
			}
		}
		if x != t.okw && !(k == Read && t.passes(x)) && !(n < wordBytes && e.partPasses(t, x, bytesOf(a%wordBytes, n), k)) {
			return false
		}
		a &^= wordBytes - 1
	}
	return true
}

// partPasses reports whether an access of some bytes of a word with entry x repeats one of
// the same task.
//
//go:nosplit
func (e *Engine) partPasses(t *Task, x uint64, bytes uint32, k Kind) bool {
	w, r, m := unpack(x)
	return bytes&^m == 0 && (w == t.step && (r == 0 || k == Read) || k == Read && r == t.step && w < e.base)
}

// Quick records an access if that is simple: of words without cell whose last accesses
// are known to precede t. It may run on the task's own stack. If it returns false it
// may have recorded the words in front of one that is not simple.
//
//go:nosplit
func (e *Engine) Quick(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	if t.held != 0 || k > Write || n > 8*wordBytes || *e.marked(a)&hasEntries == 0 || (a^(a+n-1)) >= chunkBytes {
		return false
	}
	o := e.quickOrigin(site, pc, stack)
	if o == 0 {
		return false
	}
	*t.placeMemo(site) = placeMemo{site, pc, t.Act, o}
	if a%wordBytes+n <= wordBytes {
		return e.quickWord(t, e.entry(a), bytesOf(a%wordBytes, n), k, o)
	}
	for n > 0 {
		m := min(n, wordBytes-a%wordBytes)
		if !e.quickWord(t, e.entry(a), bytesOf(a%wordBytes, m), k, o) {
			return false
		}
		a += m
		n -= m
	}
	return true
}

//go:nosplit
func (e *Engine) quickWord(t *Task, p *uint64, bytes uint32, k Kind, o uint32) bool {
	x := *p
	w, r, m := unpack(x)
	if w == hasCell {
		return false
	}
	if w < e.base && e.past(r) {
		x, w, r, m = 0, 0, 0, 0
	}
	if bytes == full && m == full || x == 0 {
		q := e.places(p)
		c := &t.clean[k&Write]
		switch {
		case x == t.okw:
			return true
		case x == c.from && bytes == full:
			if !e.make(p, q, c, k, o) {
				return false
			}
		case !e.precedes(t, w):
			return false
		case k == Write:
			if r&isList != 0 || !e.precedes(t, r) {
				return false
			}
			y := word(t.step, 0, bytes)
			if bytes == full {
				t.learn(x, y, k, 0, o)
			}
			*q = pair(o, 0)
			*p = y
		case w == t.step || r == t.step:
			t.passed(x)
			return true
		case r&isList != 0 || !e.precedes(t, r):
			return false
		default:
			y := word(w, t.step, bytes)
			setReader(q, o)
			if bytes == full {
				t.passed(y)
				t.learn(x, y, k, 0, o)
			}
			*p = y
		}
		e.use(t)
		e.counts.Recorded++
		return true
	}
	// A part of a word: one more of a kind, or no news.
	if bytes&^m == 0 && (w == t.step && (r == 0 || k == Read) || k == Read && r == t.step && w == 0) {
		return true
	}
	q := *e.places(p)
	if k == Write && w == t.step && r == 0 {
		if o = e.quickJoin(uint32(q), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(o, 0)
		return true
	}
	if k == Read && r == t.step && w == 0 {
		if o = e.quickJoin(uint32(q>>32), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(0, o)
		return true
	}
	if k == Write || bytes&^m != 0 || r != t.step || !e.precedes(t, w) {
		return false
	}
	t.passed(x)
	return true
}

// Access records an access of n bytes at a by t and reports its races.
func (e *Engine) Access(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) {
	if n == 0 || e.Alone(t) {
		return
	}
	e.use(t)
	e.touch(a, n)
	o := e.originOf(site, pc, stack)
	set := e.lockset(t, k.atomic())
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

// someWords is access for n bytes, whole words. Runs of equal entries are judged at
// once.
func (e *Engine) someWords(t *Task, a, n uintptr, k Kind, o, set uint32) {
	for n > 0 {
		p := e.entry(a)
		x := *p
		if x == inLine {
			y := *e.line(a)
			if y == t.okw || k == Read && t.passes(y) {
				m := min(n, lineBytes-a&(lineBytes-1))
				a += m
				n -= m
				continue
			}
			e.expand(a)
			x = y
		}
		run := sameEntries(p, n/wordBytes)
		switch {
		case x == t.okw || k == Read && t.passes(x):
		case set != 0 || k > Write || x&idMask == hasCell || x != 0 && x>>byteShift != full:
			// Of a word with a history of some bytes, the new origins are made of the
			// old ones, of which equal entries say nothing.
			run = 1
			e.access(t, a, full, k, o, set)
		default:
			q := e.places(p)
			ro := uint32(*q >> 32)
			e.access(t, a, full, k, o, 0)
			if y := *p; y&idMask == hasCell || e.nClash != 0 {
				run = 1
			} else if y != x {
				run = e.fill(p, q, run, y, k, uint32(*q>>32), x, ro, o)
			}
		}
		a += run * wordBytes
		n -= run * wordBytes
	}
}

// atOnce is how many entries are compared at once.
const atOnce = 64

// sameEntries returns how many of the n entries at p are equal to the first, at least
// 1, at most n.
func sameEntries(p *uint64, n uintptr) uintptr {
	x := *p
	i := uintptr(0)
	for n-i > atOnce {
		q := unsafe.Add(unsafe.Pointer(p), i*wordBytes)
		if *(*uint64)(q) != x || !hostEqual(q, unsafe.Add(q, wordBytes), atOnce*wordBytes) {
			break
		}
		i += atOnce
	}
	for i < n && *(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) == x {
		i++
	}
	return i
}

// fill makes y of the first of n equal entries x at p, empty or of whole words, whose
// readers have origin old, and of those behind it that an access at origin o makes the same of. ro is the new origin
// of readers. It returns of how many.
func (e *Engine) fill(p, q *uint64, n uintptr, y uint64, k Kind, ro uint32, x uint64, old, o uint32) uintptr {
	i := 0
	if k == Write {
		for ; i < int(n); i++ {
			*at64(p, i) = y
			*at64(q, i) = pair(o, 0)
		}
	} else {
		r := uint32(x >> idBits & idMask)
		alike := r == 0 || r&isList != 0 || uint32(y>>idBits)&isList == 0
		for ; i < int(n); i++ {
			u := at64(q, i)
			if i > 0 && !alike && uint32(*u>>32) != old {
				break
			}
			*at64(p, i) = y
			setReader(u, ro)
		}
	}
	e.counts.Recorded += uint64(i)
	return uintptr(i)
}

// access records an access to some bytes of the word at a.
func (e *Engine) access(t *Task, a uintptr, bytes uint32, k Kind, o, set uint32) {
	e.nClash = 0
	p := e.entry(a)
	x := *p
	if x == inLine {
		if x = *e.line(a); x == t.okw || k == Read && t.passes(x) {
			return
		}
		e.expand(a)
	}
	w, r, m := unpack(x)
	if w == hasCell {
		e.accessCell(t, a, p, bytes, k, o, set)
		return
	}
	if w < e.base && e.past(r) && x != 0 {
		x, w, r, m = 0, 0, 0, 0
		*p = 0
	}
	if w == t.step && (r == 0 || !k.writes()) && bytes&^m == 0 {
		return // its own write stands for it, whatever the locks
	}
	if set != 0 {
		e.makeCell(p)
		e.accessCell(t, a, p, bytes, k, o, set)
		return
	}
	if m == 0 {
		*p = e.first(t, bytes, k)
		*e.places(p) = firstPlace(k, o)
		e.counts.Recorded++
		return
	}
	q := *e.places(p)
	if y := e.first(t, m, k); y == x && bytes&^m != 0 {
		// More bytes get the history that the others have.
		*p = e.first(t, m|bytes, k)
		if k.writes() {
			*e.places(p) = pair(e.joinOrigins(uint32(q), m, bytes&^m, o), 0)
		} else {
			*e.places(p) = pair(0, e.joinOrigins(uint32(q>>32), m, bytes&^m, o))
		}
		e.counts.Recorded++
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
	if !same && bytes != m && (m&^bytes != 0 || !k.writes() && (w != 0 || g.r != t.step)) {
		e.nClash = 0
		e.makeCell(p)
		e.accessCell(t, a, p, bytes, k, o, 0)
		return
	}
	if !same {
		*p = word(g.w, g.r, bytes)
		*e.places(p) = pair(g.wo, g.ro)
		if bytes != m {
			*e.places(p) = firstPlace(k, o) // of all bytes, then
		}
		e.counts.Recorded++
	}
	if e.nClash != 0 {
		e.report(t, a, m&bytes, k, o, 0)
		return
	}
	if _, _, m := unpack(*p); k == Read && (same || bytes == full) && m == full {
		t.passed(*p)
	}
	if bytes == full && m == full && !same && k <= Write {
		t.learn(x, *p, k, h.ro, o)
	}
}

// first returns the entry of bytes without history that t accesses.
func (e *Engine) first(t *Task, bytes uint32, k Kind) uint64 {
	if k.writes() {
		return word(t.step, 0, bytes)
	}
	return word(0, t.step, bytes)
}

func firstPlace(k Kind, o uint32) uint64 {
	if k.writes() {
		return pair(o, 0)
	}
	return pair(0, o)
}

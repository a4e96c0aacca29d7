package espbags

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
func (e *Engine) passed(t *Task, x uint64) {
	if x>>byteShift == full && x != t.own {
		t.okr = x
		t.noop[noopSlot(x)] = x
		t.noted = true
		if w, r, _ := unpack(x); w < e.base && r != t.id && e.parallel(r) {
			e.shared = x
		}
	}
}

//go:nosplit
func noopSlot(x uint64) uint64 { return (x ^ x>>idBits) % noops }

// First returns the entry of the word at a, and whether an access of that word leaves no
// trace.
//
//go:nosplit
func (t *Task) First(a uintptr, k Kind) (x uint64, ok bool) {
	x = *(*uint64)(unsafe.Add(nil, t.base+a&t.mask))
	return x, x == t.okw || k == Read && t.passes(x)
}

// Same reports whether all words of a range that is not long have the entry x, that of the
// first, so that what First says holds for the range.
//
//go:nosplit
func (t *Task) Same(a, n uintptr, x uint64) bool {
	if t.mask == 0 {
		return true
	}
	if n > passWords*wordBytes {
		return false
	}
	end := a + n
	for a = a&^(wordBytes-1) + wordBytes; a < end; a += wordBytes {
		if *(*uint64)(unsafe.Add(nil, t.base+a&t.mask)) != x {
			return false
		}
	}
	return true
}

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
	passWords    = 32
	maxCovered   = 16 * wordBytes
	hitsToExpand = 16
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
	if m.site != site || m.act != t.Act || m.pc != pc || *e.marked(a) == 0 {
		return false
	}
	p := e.entry(a)
	x := *p
	stale := uint32(x&idMask) < e.base && uint32(x>>idBits&idMask) < e.base
	if k == Write {
		if !stale && x != t.own && x != t.clean[Write].from {
			return false
		}
		*p = t.okw
		*e.places(p) = pair(m.origin, 0)
		return true
	}
	if stale {
		*p = t.own
		*e.places(p) = pair(0, m.origin)
		return true
	}
	if x != t.clean[Read].from {
		return false
	}
	*p = t.clean[Read].to
	q := e.places(p)
	*q = *q&(1<<32-1) | uint64(m.origin)<<32
	return true
}

// Covered is Pass for accesses of up to a line, and looks at the entries of lines, too.
//
//go:nosplit
func (e *Engine) Covered(t *Task, a, n uintptr, k Kind) bool {
	if t.mask == 0 {
		return true
	}
	if n > maxCovered {
		return false
	}
	for end := a + n; a < end; a += wordBytes {
		x := *e.entry(a)
		line := x == inLine
		if line {
			x = e.line(a).entry
		}
		if x != t.okw && !(k == Read && t.passes(x)) && !(n < wordBytes && e.partPasses(t, x, bytesOf(a%wordBytes, n), k)) {
			return false
		}
		if line && n <= wordBytes {
			// Where single words are accessed again and again, instructions are to see
			// their entries.
			if e.hits++; e.hits%hitsToExpand == 0 {
				e.expand(a)
			}
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
	return bytes&^m == 0 && (w == t.id && (r == 0 || k == Read) || k == Read && r == t.id && w < e.base)
}

// Quick records an access if that is simple: of words without cell that this step has
// judged, without a race. It may run on the task's own stack. If it returns false it
// may have recorded the words in front of one that is not simple.
//
//go:nosplit
func (e *Engine) Quick(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	if t.held != 0 || t.done || k > Write || n > 8*wordBytes || *e.marked(a) == 0 || (a^(a+n-1)) >= chunkBytes || t.bag == 0 {
		return false
	}
	o := e.quickOrigin(site, pc, stack)
	if o == 0 || *e.up(t.id) == 0 {
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
		if x != inLine {
			return false
		}
		e.takeOut(uintptr(unsafe.Pointer(p)) - e.shadow)
		x = *p
		w, r, m = unpack(x)
	}
	if w < e.base && r < e.base {
		x, w, r, m = 0, 0, 0, 0
	}
	if bytes == full && m == full || x == 0 {
		y := word(t.id, 0, bytes)
		switch {
		case x == t.okw:
			return true
		case e.parallel(w):
			return false
		case k == Write:
			if e.parallel(r) {
				return false
			}
			t.clean[Write].from = x
			*e.places(p) = pair(o, 0)
		case w == t.id || r == t.id || e.parallel(r):
			e.passed(t, x)
			return true
		default:
			y = word(w, t.id, bytes)
			q := e.places(p)
			*q = *q&(1<<32-1) | uint64(o)<<32
			e.passed(t, y)
			t.clean[Read].from, t.clean[Read].to = x, y
		}
		*p = y
		e.counts.Recorded++
		return true
	}
	// A part of a word: one more of a kind, or no news.
	if bytes&^m == 0 && (w == t.id && (r == 0 || k == Read) || k == Read && r == t.id && w == 0) {
		return true
	}
	q := *e.places(p)
	if k == Write && w == t.id && r == 0 {
		if o = e.quickJoin(uint32(q), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(o, 0)
		return true
	}
	if k == Read && r == t.id && w == 0 {
		if o = e.quickJoin(uint32(q>>32), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(0, o)
		return true
	}
	if k == Write || bytes&^m != 0 || e.parallel(w) || r != t.id && !e.parallel(r) {
		return false
	}
	e.passed(t, x)
	return true
}

// Access records an access of n bytes at a by t and reports its races.
func (e *Engine) Access(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) {
	if n == 0 || e.Alone(t) {
		return
	}
	e.use(t)
	if t.okw == noEntry { // see Leave
		t.named()
	}
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
		case set != 0 || k > Write || x&idMask == hasCell:
			run = 1
			e.access(t, a, full, k, o, set)
		default:
			e.access(t, a, full, k, o, 0)
			if y := *p; y&idMask == hasCell || e.nClash != 0 {
				run = 1
			} else if y != x {
				e.fill(p, run, y, k, o)
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

// fill makes the entries behind the first of n, which it has become, y as well.
func (e *Engine) fill(p *uint64, n uintptr, y uint64, k Kind, o uint32) {
	q := e.places(p)
	if k == Write {
		for i := uintptr(1); i < n; i++ {
			*(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) = y
			*(*uint64)(unsafe.Add(unsafe.Pointer(q), i*wordBytes)) = pair(o, 0)
		}
	} else {
		for i := uintptr(1); i < n; i++ {
			*(*uint64)(unsafe.Add(unsafe.Pointer(p), i*wordBytes)) = y
			*(*uint32)(unsafe.Add(unsafe.Pointer(q), i*wordBytes+4)) = o
		}
	}
	e.counts.Recorded += uint64(n - 1)
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
	if w < e.base && r < e.base && x != 0 {
		x, w, r, m = 0, 0, 0, 0
		*p = 0
	}
	if w == t.id && (r == 0 || !k.writes()) && bytes&^m == 0 {
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
			*e.places(p) = pair(e.join(uint32(q), m, bytes&^m, o), 0)
		} else {
			*e.places(p) = pair(0, e.join(uint32(q>>32), m, bytes&^m, o))
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
	if !same && bytes != m && (m&^bytes != 0 || !k.writes() && (w != 0 || g.r != t.id)) {
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
		e.passed(t, *p)
	}
}

// first returns the entry of bytes without history that t accesses.
func (e *Engine) first(t *Task, bytes uint32, k Kind) uint64 {
	if k.writes() {
		return word(t.id, 0, bytes)
	}
	return word(0, t.id, bytes)
}

func firstPlace(k Kind, o uint32) uint64 {
	if k.writes() {
		return pair(o, 0)
	}
	return pair(0, o)
}

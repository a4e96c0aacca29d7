package serial

import "unsafe"

// passes reports whether a read by t is known to leave a word with the entry x as it is.
//
//go:nosplit
func (t *Task) passes(x uint64) bool {
	return x == t.own || x == t.okr || x == t.noop[noopSlot(x)]
}

// passed notes that a read by t leaves a word with the entry x as it is, if x is about a
// whole word.
//
//go:nosplit
func (e *Engine) passed(t *Task, x uint64) {
	if x>>byteShift == full && x != t.own {
		t.okr = x
		t.noop[noopSlot(x)] = x
		t.noted = true
		algPassed(e, t, x)
	}
}

//go:nosplit
func noopSlot(x uint64) uint64 { return (x ^ x>>idBits) % noops }

// First returns the entry of the word at a, and whether an access of kind k to that word
// leaves no trace.
//
//go:nosplit
func (t *Task) First(a uintptr, k Kind) (x uint64, ok bool) {
	x = *(*uint64)(unsafe.Add(nil, t.base+a&t.mask))
	return x, x == t.okw || k == Read && t.passes(x)
}

// Same reports whether all words of n bytes at a, up to passWords words, have the entry x of
// the first one, so that the answer of First holds for all of them.
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

// Pass reports whether the entries of up to passWords words show that an access leaves no
// trace. For more words it returns false, unless t is alone.
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
	quickWords   = 8
	maxCovered   = 16 * wordBytes
	hitsToExpand = 16
)

// A placeMemo remembers the origin of the accesses of one site in one calling context. As
// long as Task.Act stays the same, so does the context; the ids hold until the next sweep.
type placeMemo struct {
	site, pc      uintptr
	act           uint64
	stack, origin uint32
}

const placeMemos = 8

//go:nosplit
func (t *Task) placeMemo(site uintptr) *placeMemo { return &t.places[site>>2%placeMemos] }

// A judged entry is an entry of a whole word that the present step has met: an access of the
// same kind changes it into another entry, without a race.
type judged struct {
	from, to uint64
	reader   uint32 // the origin of the reader of from
	any      bool   // the origin of the reader does not matter
	origin   uint32 // of the access, 0: any
}

// learn remembers that an access of kind k at origin o has changed the entry x, whose reader
// had the origin ro, into y.
//
//go:nosplit
func (t *Task) learn(x, y uint64, k Kind, ro, o uint32) {
	c := &t.clean[k]
	c.from, c.to = x, y
	if !readerLists {
		return
	}
	c.any, c.origin = true, 0
	if k == Read && IsList(uint32(y>>idBits)) {
		c.origin = o
		if r := uint32(x >> idBits & idMask); r != 0 && !IsList(r) {
			c.any, c.reader = false, ro
		}
	}
}

// apply changes the entry at p, with origins at q, like the judged entry, if an access at
// origin o has that effect. Else it returns false.
//
//go:nosplit
func (c *judged) apply(p, q *uint64, k Kind, o uint32) bool {
	if readerLists && (c.origin != 0 && c.origin != o || !c.any && uint32(*q>>32) != c.reader) {
		return false
	}
	*p = c.to
	switch {
	case k == Write:
		*q = pair(o, 0)
	case readerLists && c.origin != 0: // a list, which has the origin
		setReader(q, 0)
	default:
		setReader(q, o)
	}
	return true
}

// Again records an access of a whole word, if the place is known in the present activation
// of its function, and the effect follows from an earlier judgement of this step. It may run
// on the task's own stack.
//
//go:nosplit
func (e *Engine) Again(t *Task, a uintptr, k Kind, site, pc uintptr) bool {
	m := t.placeMemo(site)
	if m.site != site || m.act != t.Act || m.pc != pc || *e.marked(a)&hasEntries == 0 {
		return false
	}
	return e.again(t, a, k, m.origin)
}

// again records an access at origin o if its effect follows from an earlier judgement.
//
//go:nosplit
func (e *Engine) again(t *Task, a uintptr, k Kind, o uint32) bool {
	p := e.entry(a)
	x := *p
	stale := uint32(x&idMask) < e.Base && e.Past(uint32(x>>idBits&idMask))
	if k == Write {
		if stale || x == t.own {
			algNote(e, t)
			*p = t.okw
			*e.places(p) = pair(o, 0)
			return true
		}
	} else if stale {
		algNote(e, t)
		*p = t.own
		*e.places(p) = pair(0, o)
		return true
	}
	c := &t.clean[k]
	return x == c.from && c.apply(p, e.places(p), k, o)
}

// InLine reports whether the word at a has the history of its line.
//
//go:nosplit
func (e *Engine) InLine(a uintptr) bool { return *e.entry(a) == inLine }

// Covered reports whether an access of up to maxCovered bytes leaves no trace. It looks at
// the entries of lines and of parts of words, too.
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
			// Single words are accessed again and again here: with entries of their own,
			// instrumented code sees that they are covered.
			if e.hits++; e.hits%hitsToExpand == 0 {
				e.expand(a)
			}
		}
		a &^= wordBytes - 1
	}
	return true
}

// partPasses reports whether an access of some bytes of a word with the entry x repeats an
// access of the same unit.
//
//go:nosplit
func (e *Engine) partPasses(t *Task, x uint64, bytes uint32, k Kind) bool {
	w, r, m := unpack(x)
	return bytes&^m == 0 && (w == t.Unit && (r == 0 || k == Read) || k == Read && r == t.Unit && w < e.Base)
}

// Quick records an access of up to quickWords words without cells, if the order of the
// earlier accesses is known at once and there is no race. It may run on the task's own
// stack. If it returns false, it may have recorded the access for some of the first words.
//
//go:nosplit
func (e *Engine) Quick(t *Task, a, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	if t.held != 0 || k > Write || n > quickWords*wordBytes || *e.marked(a)&hasEntries == 0 || (a^(a+n-1)) >= chunkBytes || !algReady(e, t) {
		return false
	}
	c := t.placeMemo(site)
	if c.site != site || c.pc != pc || c.stack != stack || c.origin == 0 {
		o := e.quickOrigin(site, pc, stack)
		if o == 0 {
			return false
		}
		*c = placeMemo{site: site, pc: pc, stack: stack, origin: o}
	}
	c.act = t.Act
	o := c.origin
	if n == wordBytes && a%wordBytes == 0 && e.again(t, a, k, o) {
		return true
	}
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
		e.takeOut(uintptr(unsafe.Pointer(p)) - e.shadow.Base)
		x = *p
		w, r, m = unpack(x)
	}
	if w < e.Base && e.Past(r) {
		x, w, r, m = 0, 0, 0, 0
	}
	if bytes == full && m == full || x == 0 {
		if x == t.okw {
			return true
		}
		q := e.places(p)
		if c := &t.clean[k]; x == c.from && bytes == full {
			if !c.apply(p, q, k, o) {
				return false
			}
			algNote(e, t)
			e.Counts.Recorded++
			return true
		}
		y := word(t.Unit, 0, bytes)
		switch {
		case !algPrecedes(e, t, w):
			return false
		case k == Write:
			if IsList(r) || !algPrecedes(e, t, r) {
				return false
			}
			*q = pair(o, 0)
		case w == t.Unit || r == t.Unit:
			e.passed(t, x)
			return true
		case IsList(r) || !algPrecedes(e, t, r):
			if readerLists {
				return false
			}
			e.passed(t, x)
			return true
		default:
			y = word(w, t.Unit, bytes)
			setReader(q, o)
			e.passed(t, y)
		}
		if bytes == full {
			t.learn(x, y, k, 0, o)
		}
		*p = y
		algNote(e, t)
		e.Counts.Recorded++
		return true
	}
	// An access of a part of a word repeats one of this unit, adds bytes to one, or reads
	// bytes whose history it leaves as it is.
	if bytes&^m == 0 && (w == t.Unit && (r == 0 || k == Read) || k == Read && r == t.Unit && w == 0) {
		return true
	}
	q := *e.places(p)
	if k == Write && w == t.Unit && r == 0 {
		if o = e.quickJoin(uint32(q), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(o, 0)
		return true
	}
	if k == Read && r == t.Unit && w == 0 {
		if o = e.quickJoin(uint32(q>>32), m, bytes&^m, o); o == 0 {
			return false
		}
		*p = word(w, r, m|bytes)
		*e.places(p) = pair(0, o)
		return true
	}
	if k == Write || bytes&^m != 0 || !algPrecedes(e, t, w) || r != t.Unit && (readerLists || algPrecedes(e, t, r)) {
		return false
	}
	e.passed(t, x)
	return true
}

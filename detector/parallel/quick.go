package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Quick adds an access, which Probe has just found Open, to the history, if foresee knows
// the outcome and the task's proc has the needed elements in stock. Otherwise it returns false.
// Its effect is the same as Access's. If it returns false after a part of the work, Access
// may repeat the whole. Ready or Restock has given the task its seat.
//
//go:nosplit
func (e *Engine) Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	o := e.quickOrigin(t, site, pc, stack)
	if o == 0 || t.records[k%kinds] == noRecord && e.quickRecord(t, k) == 0 {
		return false
	}
	s := &t.spot
	b := e.block(s.block)
	v := mem.Load32(&b.mu)
	ok := mem.TryLockSeq(&b.mu, v)
	if !ok {
		if v, ok = mem.QuickLockSeq(&b.mu); !ok {
			return false
		}
	}
	t.kind, t.origin, t.healing = k, o, n > healBytes
	lo := addr & (blockBytes - 1)
	if b.page != 0 {
		ok = n <= quickBytes && e.quickCells(t, b, lo, lo+n, wholeWord)
	} else {
		if v != s.seq {
			s.run = b.find(lo)
		}
		ok = b.next != 0 && e.quickRuns(t, b, lo, lo+n)
	}
	e.unlockSeq(&b.mu)
	if ok {
		t.addToFilter(addr, n, k)
	}
	return ok
}

// Ready reports whether t's proc has the elements in stock that Quick takes for an access of kind k by t. If not, Restock has work
// to do first.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) Ready(t *Task, k Kind) bool {
	if !e.seat(t) {
		return false
	}
	p := t.proc()
	return (p.records != 0 || t.records[k%kinds] != noRecord) && p.origins != 0 && p.lists != 0 && p.originLists != 0 && p.splits != 0
}

// Restock refills the stocks for an access by t. Quick cannot do this on the task's own stack.
func (e *Engine) Restock(t *Task) {
	e.mustSeat(t)
	p := t.proc()
	e.stock(&p.records, &e.records)
	e.stock(&p.origins, &e.origins)
	e.stock(&p.lists, &e.lists)
	e.stock(&p.originLists, &e.originLists)
	e.stock(&p.splits, &e.splits)
}

// eachMost is the number of accesses that QuickEach makes while it has locked a block.
const eachMost = 64

// eachFiltered is the number of accesses up to which QuickEach adds them to the filter.
const eachFiltered = 64

// QuickEach is Probe and Quick for count accesses of n bytes each, stride bytes apart, the
// first at addr. It returns the number of accesses at the start of the row that are part of
// the history now, or needed no work.
func (e *Engine) QuickEach(t *Task, addr, n, stride, count uintptr, k Kind, site, pc uintptr, stack uint32) (done uintptr) {
	if t.filterAt == 0 || !e.little || !e.seat(t) {
		return 0
	}
	if t.nHolds != 0 && (!t.setKnown && !e.quickSet(t) || t.foreign != mem.Load32(&e.foreign)) {
		return 0
	}
	o := e.quickOrigin(t, site, pc, stack)
	if o == 0 || t.records[k%kinds] == noRecord && e.quickRecord(t, k) == 0 {
		return 0
	}
	t.kind, t.origin, t.healing = k, o, false
	lastX, lastFrom, y, g := noHistory, uint64(0), uint64(0), uint64(0)
	for done < count {
		i := e.blockAt(addr >> blockShift)
		if i == 0 {
			return done
		}
		b := e.block(i)
		if _, ok := mem.QuickLockSeq(&b.mu); !ok {
			return done
		}
		most := min(count, done+eachMost)
		ok := b.page != 0
		for lo := addr & (blockBytes - 1); ok && lo < blockBytes && done < most; {
			w := e.wordAt(b.page, lo)
			p := (*uint64)(unsafe.Pointer(&w.cell))
			q := (*uint64)(unsafe.Pointer(&w.origins))
			m := uintptr(1) // accesses made together
			mask := maskOf(lo, min(n, wordBytes))
			for at := lo%wordBytes + stride; at+n <= wordBytes && done+m < most; at += stride {
				mask |= maskOf(at, n)
				m++
			}
			switch x, from := *p, *q; {
			case lo%wordBytes+n > wordBytes:
				ok = n <= quickBytes && lo+n <= blockBytes && e.quickCells(t, b, lo, lo+n, wholeWord)
			case uint32(x)&isSplit == isSplit:
				ok = e.quickCells(t, b, lo&^(wordBytes-1), lo|(wordBytes-1)+1, mask)
			default:
				if x != lastX || from != lastFrom {
					y, g, ok = e.quickJudge(t, x, from, k)
					if !ok && e.foresee(t, x, k) {
						y, g, ok = e.quickJudge(t, x, from, k)
					}
					lastX, lastFrom = x, from
				}
				switch {
				case !ok || y == x && g == from:
				case mask == wholeWord:
					*p, *q = y, g
				default:
					ok = e.setPiece(t, &t.proc().splits, w, mask, historyOf(y, g))
				}
			}
			for ; ok && m > 0; m-- {
				if count <= eachFiltered {
					t.addToFilter(addr, n, k)
				}
				addr += stride
				lo += stride
				done++
			}
		}
		e.unlockSeq(&b.mu)
		if !ok {
			return done
		}
	}
	return done
}

// quickJudge is judge for bytes with history x and origins from. The kind and origin of
// the access are t's. It returns false if it cannot tell the outcome. Histories are
// passed as the 64-bit numbers that they are in memory, because a processor that has just
// stored two halves stalls before it can load the whole. If it fails, the caller may ask again after
// foresee. It does not call foresee itself, because the stack is small.
//
//go:nosplit
func (e *Engine) quickJudge(t *Task, x, from uint64, k Kind) (y, origins uint64, ok bool) {
	w, r := uint32(x), shared(uint32(x>>32))
	x = bits(w, r)
	joined := !k.Atomic() || t.apart() || e.harmless(t, w, k) && (!k.Writes() || e.harmless(t, r, k))
	if k.Atomic() && joined {
		y, origins, ok = e.quickAtomic(t, w, r, from, k)
		if ok {
			return y, origins, true
		}
	} else if !k.Atomic() && (w == 0 || e.quickReplaces(t, w)) && (r == 0 || e.quickReplaces(t, r)) {
		a := t.records[k%kinds]
		o := uint64(t.origin)
		switch {
		case w == t.records[Write] || r == a:
			if !t.healing {
				return x, from, true
			}
		case k == Write:
			return uint64(a), o, true
		default:
			return uint64(w) | uint64(a)<<32, from&(1<<32-1) | o<<32, true
		}
	}
	m := t.transitionFor(x, t.records[k%kinds])
	if m == nil || !joined {
		return 0, 0, false
	}
	if m.origin != 0 && (m.origin != t.origin || bits(m.origins.w, m.origins.r) != canonicalOrigins(x, from)) {
		return 0, 0, false
	}
	if m.w == unchanged && m.r == unchanged && !t.healing {
		return m.new, from, true
	}
	g, ok := e.editOrigins(t, m.w, w, uint32(from))
	h, also := e.editOrigins(t, m.r, r, uint32(from>>32))
	return m.new, bits(g, h), ok && also
}

// quickAtomic is quickJudge for an atomic access to a history with at most one atomic
// write and one atomic read, or, if the access writes, any number of atomic reads. ok is false
// if these do not determine the outcome.
//
//go:nosplit
func (e *Engine) quickAtomic(t *Task, w, r uint32, from uint64, k Kind) (y, origins uint64, ok bool) {
	a := t.records[k%kinds]
	o := uint64(t.origin)
	if t.healing || w != 0 && !e.singleAtomic(w) {
		return 0, 0, false
	}
	if k == AtomicWrite {
		switch {
		case r != 0 && e.rivals(r, true) != 0:
			return 0, 0, false
		case w == a:
			return bits(w, r), from, true
		case w != 0 && !e.quickReplaces(t, w):
			return 0, 0, false
		case r != 0 && e.quickReplaces(t, r):
			r = 0
		}
		return bits(a, r), from&^(1<<32-1) | o, true
	}
	switch {
	case r != 0 && !e.singleAtomic(r):
		return 0, 0, false
	case w == t.records[AtomicWrite] || r == a:
		return bits(w, r), from, true
	case r != 0 && !e.quickReplaces(t, r):
		return 0, 0, false
	}
	return bits(w, a), from&(1<<32-1) | o<<32, true
}

// singleAtomic reports whether h is a single record of an atomic access.
//
//go:nosplit
func (e *Engine) singleAtomic(h uint32) bool {
	return h&listed == 0 && e.record(h).kind().Atomic()
}

// quickReplaces reports whether h is a single record that is known to be subsumed by an
// access of t of the same strength.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickReplaces(t *Task, h uint32) bool {
	return h&listed == 0 && e.quickSubsumes(t, h, Write)
}

// quickRecord makes the record of t's accesses of kind k from now on. It returns 0 if
// t's proc has none in stock.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickRecord(t *Task, k Kind) uint32 {
	p := t.proc()
	a := p.records
	if a != 0 {
		p.records = e.record(a).task
		e.makeRecord(t, k, a)
	}
	return a
}

// canonicalOrigins returns from with zero origins for the empty halves of history x.
//
//go:nosplit
func canonicalOrigins(x, from uint64) uint64 {
	if uint32(x) == 0 {
		from &^= 1<<32 - 1
	}
	if uint32(x>>32) == 0 {
		from &= 1<<32 - 1
	}
	return from
}

// joinsPiece reports whether another piece of w than one has the records of h, so that setPiece may join the two.
//
//go:nosplit
func (e *Engine) joinsPiece(w, one *history, h history) bool {
	for i := w.w & indexOf; i != 0; {
		s := e.split(i)
		for p := range s.masks {
			if q := &s.pieces[p]; q != one && s.masks[p] != 0 && q.cell == h.cell {
				return true
			}
		}
		i = s.next
	}
	return false
}

// quickCells is Quick for the bytes [lo, hi) of a block of cells, and of these for the bytes
// in mask of each word.
//
//go:nosplit
func (e *Engine) quickCells(t *Task, b *block, lo, hi uintptr, mask uint32) bool {
	k := t.kind
	if (lo|hi)%wordBytes == 0 && mask == wholeWord && !k.Atomic() && !t.healing && !e.opt.All {
		if lo = e.quickWords(t, e.wordAt(b.page, lo), lo, hi); lo == hi {
			return true
		}
	}
	for lo < hi {
		next := min((lo|(wordBytes-1))+1, hi)
		w := e.wordAt(b.page, lo)
		if next-lo == wordBytes && mask == wholeWord && (w.w|w.r)&listed != 0 && !w.split() && e.inPlace(t, w) {
			lo = next
			continue
		}
		rest := maskOf(lo, next-lo) & mask
		lo = next
		i, j := uint32(0), 0 // element and index of the next piece
		if w.split() {
			i = w.w & indexOf
		}
		for rest != 0 {
			m := rest // at the end the bytes of no piece
			x, from := uint64(0), uint64(0)
			var piece *history // the piece of exactly these bytes
			if i != 0 {
				s := e.split(i)
				h := &s.pieces[j]
				if m &= uint32(s.masks[j]); m == uint32(s.masks[j]) {
					piece = h
				}
				if j++; j == splitPieces {
					i, j = s.next, 0
				}
				if m == 0 || piece != nil && e.inPlace(t, piece) {
					rest &^= m
					continue
				}
				x, from = *(*uint64)(unsafe.Pointer(&h.cell)), *(*uint64)(unsafe.Pointer(&h.origins))
			} else if !w.split() {
				x, from = *(*uint64)(unsafe.Pointer(&w.cell)), *(*uint64)(unsafe.Pointer(&w.origins))
			}
			y, g, ok := e.quickJudge(t, x, from, k)
			if !ok && e.foresee(t, x, k) {
				y, g, ok = e.quickJudge(t, x, from, k)
			}
			switch {
			case !ok:
				return false
			case y == x && g == from:
			case m == wholeWord && !w.split():
				*(*uint64)(unsafe.Pointer(&w.cell)), *(*uint64)(unsafe.Pointer(&w.origins)) = y, g
			case piece != nil && y != 0 && !e.joinsPiece(w, piece, historyOf(y, g)):
				*piece = historyOf(y, g)
			case !e.setPiece(t, &t.proc().splits, w, m, historyOf(y, g)):
				return false
			case !w.split():
				m = rest // all bytes agree
			default:
				i, j = w.w&indexOf, 0 // setPiece may have added bytes of later pieces to this one
			}
			rest &^= m
		}
	}
	return true
}

// quickWords is quickCells for whole words, the first of which is w, as long as the most frequent case lasts: the access
// is not atomic and replaces single records, usually t's own. It returns the end of the words that it has handled.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickWords(t *Task, w *history, lo, hi uintptr) uintptr {
	k, o := t.kind, t.origin
	a, written := t.records[k%kinds], t.records[Write]
	known := uint64(0) // a history that the access replaces
	for ; lo < hi; lo += wordBytes {
		x := *(*uint64)(unsafe.Pointer(&w.cell))
		if x != known { // the words of a string or slice mostly agree
			if h := uint32(x); h != 0 && (h&listed != 0 || e.record(h).task != t.id && !e.quickSubsumes(t, h, Write)) {
				break
			}
			if h := uint32(x >> 32); h != 0 && (h&listed != 0 || e.record(h).task != t.id && !e.quickSubsumes(t, h, Write)) {
				break
			}
			known = x
		}
		switch {
		case uint32(x) == written || uint32(x>>32) == a:
		case k == Read:
			w.r, w.origins.r = a, o
		default:
			*(*uint64)(unsafe.Pointer(&w.cell)), w.origins.w = uint64(a), o
		}
		w = (*history)(unsafe.Add(unsafe.Pointer(w), unsafe.Sizeof(history{})))
	}
	return lo
}

// inPlace makes t's access part of a piece, word or run with any history, if the lists there can change in place. It
// is not inlined because quickCells would need more of the stack.
//
//go:nosplit
//go:noinline
func (e *Engine) inPlace(t *Task, piece *history) bool {
	return !t.healing && (t.kind.Atomic() && piece.w&listed != 0 && e.amongAtomics(t, piece) ||
		piece.r&listed != 0 && !t.kind.Writes() && e.reread(t, piece, t.kind))
}

// amongAtomics makes an atomic access of t part of a history whose writes are a list, if no more than the newest of them
// goes. Either the list is an atomic write and a plain one before it, such as the initialization of a mutex, which
// atomic accesses never subsume, or it is long and not due for compaction. The outcome is that of foresee, which this saves.
// It returns false, having done nothing, if it cannot tell.
//
//go:nosplit
func (e *Engine) amongAtomics(t *Task, h *history) bool {
	l := e.listNode(h.w & indexOf)
	k := t.kind
	if (l.n != 2 || l.nonAtomic != l.rest) && e.compactionDue(h.w) ||
		h.r != 0 && !e.singleAtomic(h.r) && (k != AtomicWrite || e.rivals(h.r, true) != 0) {
		return false
	}
	if plain := l.nonAtomic; plain != 0 && e.listNode(plain).rest != 0 || !e.harmless(t, h.w, k) || k.Writes() && !e.harmless(t, h.r, k) {
		return false
	}
	a := t.records[k%kinds]
	if h.r == a || e.alreadyCovered(t, h.w, k) {
		return true
	}
	if k != AtomicWrite {
		if h.r != 0 && !e.quickReplaces(t, h.r) {
			return false
		}
		h.r, h.origins.r = a, t.origin
		return true
	}
	rest, n, from := h.w&indexOf, l.n+1, h.origins.w&indexOf
	if e.quickReplaces(t, l.record) {
		rest, n, from = l.rest, l.n, e.originNode(from).rest
	}
	i, o := e.quickNode(t, a, rest, n, l.limit), e.pushOrigin(t, t.origin, from)
	if i == 0 || o == 0 {
		return false
	}
	mem.Fence() // as in foresee
	h.w, h.origins.w = listed|i, listed|o
	if h.r != 0 && e.quickReplaces(t, h.r) {
		h.r, h.origins.r = 0, 0
	}
	return true
}

// historyOf returns the history with the numbers y and g, see quickJudge.
//
//go:nosplit
func historyOf(y, g uint64) history {
	g = canonicalOrigins(y, g)
	return history{cell{uint32(y), uint32(y >> 32)}, cell{uint32(g), uint32(g >> 32)}}
}

// noHistory equals the number of no history, see bits.
const noHistory = ^uint64(0)

// quickRuns is Quick for the bytes [lo, hi) of a block of runs.
//
//go:nosplit
func (e *Engine) quickRuns(t *Task, b *block, lo, hi uintptr) bool {
	i := t.spot.run
	if r := &b.runs[i%maxRuns]; i < uintptr(b.n) && uintptr(r.lo) == lo && uintptr(r.hi) == hi && e.inPlace(t, &r.history) {
		return true
	}
	for lo < hi {
		end, h := b.piece(i, lo, hi)
		x := bits(h.w, h.r)
		y, g, ok := e.quickJudge(t, x, bits(h.origins.w, h.origins.r), t.kind)
		if !ok && e.foresee(t, x, t.kind) {
			y, g, ok = e.quickJudge(t, x, bits(h.origins.w, h.origins.r), t.kind)
		}
		if !ok {
			return false
		}
		if !b.put(i, lo, end, historyOf(y, g)) {
			return false
		}
		lo = end
		i = b.behind(i, lo)
	}
	return true
}

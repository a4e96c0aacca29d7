//go:build taskinstr_runtime

// The facts about locks in a report: why the locks held at two accesses did not exclude
// each other, and whether one side lacks a lock that other places hold.

package runtime

import "unsafe"

// tr_whyLocks says which locks each side holds and why they do not suffice.
func tr_whyLocks(r *ra_Report) {
	if tr_opt.hbOnly || tr_opt.predicted == tr_predictedOff {
		return // no locksets are kept
	}
	a, b := &r.Cur, &r.Prev
	if tr_whyShared(a, b) || tr_whyTwin(a, b) {
		return
	}
	x, aHolds := tr_lockOf(a.Locks, 0)
	y, bHolds := tr_lockOf(b.Locks, 0)
	tr_fact()
	switch {
	case !aHolds && !bHolds:
		tr_puts("neither holds a lock")
	case aHolds && bHolds:
		tr_putHolds(a)
		tr_puts(", ")
		tr_putHolds(b)
		tr_puts(": different locks do not exclude each other")
	case aHolds:
		tr_putHolds(a)
		tr_puts(", ")
		tr_putHolds(b)
	default:
		tr_putHolds(b)
		tr_puts(", ")
		tr_putHolds(a)
	}
	tr_endFact()
	if aHolds {
		tr_whyCopy(&x)
		tr_whyPeers(a, b, &x)
	}
	if bHolds {
		tr_whyCopy(&y)
		tr_whyPeers(b, a, &y)
	}
}

// tr_putHolds writes the locks that one side holds.
func tr_putHolds(a *ra_Side) {
	tr_putTask(a)
	tr_puts(" holds ")
	for i := uint32(0); ; i++ {
		l, ok := tr_lockOf(a.Locks, i)
		if !ok {
			if i == 0 {
				tr_puts("no lock")
			}
			return
		}
		if i > 0 {
			tr_puts(" and ")
		}
		l.put()
		if l.shared {
			tr_puts(" for reading")
		}
	}
}

// tr_whyShared reports, in a fact, that both sides hold one lock for reading.
func tr_whyShared(a, b *ra_Side) bool {
	for i := uint32(0); i < tr_maxLocks; i++ {
		x, ok := tr_engine.LockOf(a.Locks, i)
		if !ok {
			break
		}
		for j := uint32(0); j < tr_maxLocks; j++ {
			y, ok := tr_engine.LockOf(b.Locks, j)
			if !ok {
				break
			}
			if x.Addr == y.Addr && x.Shared && y.Shared {
				l := tr_lockAt(x)
				tr_fact()
				tr_puts("both hold ")
				l.put()
				tr_puts(", but only for reading: RLock does not exclude a write")
				tr_endFact()
				return true
			}
		}
	}
	return false
}

// tr_whyTwin reports, in facts, that the sides hold the same field of two objects.
func tr_whyTwin(a, b *ra_Side) bool {
	for i := uint32(0); ; i++ {
		x, ok := tr_lockOf(a.Locks, i)
		if !ok {
			return false
		}
		for j := uint32(0); ; j++ {
			y, ok := tr_lockOf(b.Locks, j)
			if !ok {
				break
			}
			if x.addr == y.addr || x.field() == "" || x.field() != y.field() {
				continue
			}
			tr_fact()
			tr_puts("each holds a ")
			x.put()
			tr_puts(" of its own: ")
			tr_putTask(a)
			tr_puts(" the one at 0x")
			tr_puthex(uint64(x.addr), 12)
			tr_puts(", ")
			tr_putTask(b)
			tr_puts(" the one at 0x")
			tr_puthex(uint64(y.addr), 12)
			tr_endFact()
			tr_whyCopy(&x)
			if x.names.pos != y.names.pos {
				tr_whyCopy(&y)
			}
			return true
		}
	}
}

// tr_whyCopy says that a lock lies in a copy.
func tr_whyCopy(l *tr_lock) {
	if !l.copied() {
		return
	}
	tr_fact()
	l.put()
	tr_puts(" at ")
	l.putPlace()
	tr_puts(" lies in the call's own copy of a receiver or an argument: it excludes no other call")
	tr_endFact()
}

// tr_peers are the other places of the program that access the same field as one side of
// a report. tr_reportLock guards it. It is too large for the system stack.
var tr_peers struct {
	base   uintptr // of the table's sites
	size   uintptr // offset of the last peer's site
	n      int
	places [tr_maxPlaces]tr_peer
	memo   [256]tr_peerMemo // by pc
}

// A tr_peer is a place that a row of the table describes.
type tr_peer struct {
	site    int // index of the row; -1 for an operation
	pos, at string
	with    bool // an access there held the lock
	without bool
}

// A tr_peerMemo caches the peer whose operation was called at pc (-1: none) or, if lock
// is set, whether the lock taken at pc has the same name as the lock in question (0: yes,
// -1: no).
type tr_peerMemo struct {
	pc    uintptr
	lock  bool
	place int
}

const (
	tr_maxPlaces  = 32
	tr_maxShown   = 3
	tr_maxRecords = 1 << 17 // of origins examined
)

// tr_whyPeers says that most other places that accessed the same field held the lock l,
// which a holds and b does not.
func tr_whyPeers(a, b *ra_Side, l *tr_lock) {
	x, y := tr_describe(a), tr_describe(b)
	decl := tr_fieldIn(x.names.decl())
	if x.names.n != 1 || x.names.table == nil || decl == "" || l.names.n == 0 {
		return
	}
	tr_gatherPeers(x.names.table, decl, x.names.pos, y.names.pos)
	u := &tr_peers
	for i := uint32(1); i < tr_maxRecords && u.n > 0; i++ {
		s, ok, more := tr_engine.Known(i)
		if !more {
			break
		}
		if ok {
			tr_countPeer(&s, l)
		}
	}
	with, all := 0, 0
	for i := 0; i < u.n; i++ {
		p := &u.places[i]
		if p.with && !p.without {
			with++
		}
		if p.with || p.without {
			all++
		}
	}
	if 2*with <= all {
		return
	}
	tr_fact()
	if with == all {
		tr_puts("all")
	} else {
		tr_putn(uint64(with))
		tr_puts(" of ")
		tr_putn(uint64(all))
	}
	tr_puts(" other places in this run that access ")
	tr_puts(decl)
	tr_puts(" hold ")
	if f := l.field(); f != "" {
		tr_puts(f)
	} else {
		l.put()
	}
	tr_puts(": ")
	shown := 0
	for i := 0; i < u.n; i++ {
		p := &u.places[i]
		if !p.with || p.without {
			continue
		}
		if shown == tr_maxShown {
			tr_puts(", ...")
			break
		}
		if shown > 0 {
			tr_puts(", ")
		}
		tr_puts(tr_strip(p.pos))
		shown++
	}
	tr_endFact()
}

// tr_fieldIn returns the field, or element of a field, that a declaration describes, ""
// if it describes none.
func tr_fieldIn(decl string) string {
	for _, before := range [...]string{"element of ", "map in "} {
		if tr_hasPrefix(decl, before) {
			decl = decl[len(before):]
		}
	}
	if !tr_hasPrefix(decl, tr_fieldOf) {
		return ""
	}
	return decl
}

// tr_gatherPeers lists the rows of a table that access field, except on the lines of two
// positions.
func tr_gatherPeers(h *tr_sites, field, but1, but2 string) {
	u := &tr_peers
	u.base = uintptr(unsafe.Pointer(h)) + unsafe.Sizeof(tr_sites{})
	u.n, u.size = 0, 0
	for i := range u.memo {
		u.memo[i].pc = 0
	}
	row := -1
	for b := h.blob; b != "" && u.n < tr_maxPlaces; {
		var line, pos, decl string
		line, b = tr_cut(b, '\n')
		row++
		pos, line = tr_cut(line, '\t')
		_, line = tr_cut(line, '\t')
		decl, line = tr_cut(line, '\t')
		if l := tr_line1(pos); tr_fieldIn(decl) != field || l == tr_line1(but1) || l == tr_line1(but2) {
			continue
		}
		p := &u.places[u.n]
		*p = tr_peer{site: row, pos: pos}
		if op, at := tr_cut(line, '@'); op != "" && !tr_contains(op, " ") {
			p.site, p.at = -1, at
		} else {
			u.size = 4 * uintptr(row)
		}
		u.n++
	}
}

// tr_countPeer counts the access s for its peer, as one with or without the lock.
func tr_countPeer(s *ra_Side, lock *tr_lock) {
	u := &tr_peers
	i := -1
	if s.Site == 0 {
		_, pc := tr_engine.Frame(s.Stack)
		i = tr_peerAt(pc, nil)
	}
	for k := 0; k < u.n && s.Site-u.base <= u.size; k++ {
		if row := u.places[k].site; row >= 0 && s.Site == u.base+4*uintptr(row) {
			i = k
		}
	}
	if i < 0 {
		return
	}
	for k := uint32(0); k < tr_maxLocks; k++ {
		l, ok := tr_engine.LockOf(s.Locks, k)
		if !ok {
			break
		}
		if l.Addr == lock.addr || tr_peerAt(l.PC, lock) >= 0 {
			u.places[i].with = true
			return
		}
	}
	u.places[i].without = true
}

// tr_peerAt returns the place in the tr_peerMemo for pc, with lock as the lock in
// question if it is not nil.
func tr_peerAt(pc uintptr, lock *tr_lock) int {
	u := &tr_peers
	k := &u.memo[(pc^pc>>8)%uintptr(len(u.memo))]
	if k.pc == pc && k.lock == (lock != nil) {
		return k.place
	}
	*k = tr_peerMemo{pc, lock != nil, -1}
	if lock != nil {
		l := tr_lockAt(ra_HeldLock{PC: pc})
		if f := l.field(); f != "" && f == lock.field() {
			k.place = 0
		}
	} else if l, ok := tr_userFrame(pc, 0); ok {
		for i := 0; i < u.n; i++ {
			if p := &u.places[i]; p.site < 0 && tr_atLine(p.pos, p.at, l.file, l.line) {
				k.place = i
			}
		}
	}
	return k.place
}

package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A clock holds, for each slot, the highest step there that is known to precede the owner's
// present. It is a page for the first pageSlots slots and, if its owner knows a later slot, a top
// with further pages. Pages and tops are counted by reference and do not change while they have
// several owners. So passing a clock on copies two numbers, and the first change after that copies
// a page.
type clock struct {
	page uint32 // 0: no clock
	top  uint32 // 0: none
}

// clocks are a clock for each of two orders. Where both have the same page or top, the owner of the
// clocks has one reference to it.
type clocks struct{ weak, hb clock }

// A change describes the last change of a clock of a task. Who knows one of two epochs knows all that
// the clock contains, but for the fork of the task itself: step own of the task and, if slot is not
// 0, the epoch (slot, step), after which the clock has become the clock of that epoch.
type change struct{ own, slot, step uint32 }

// An epoch is a step of a slot, or of no slot.
type epoch struct{ slot, step uint32 }

const (
	pageSlots = 64
	pagesMost = 17 // of a clock

	// maxSlots is the number of slots, slot 0 included, which is never given out.
	maxSlots = pageSlots * pagesMost
)

type clockPage struct {
	ref  uint32            // also the link of the free chain
	link uint32            // of batches
	v    [pageSlots]uint32 // see pairs
}

// A clockTop has the pages behind the first one.
type clockTop struct {
	ref   uint32
	n     uint32 // all pages from here on are 0
	pages [pagesMost - 1]uint32
}

// noSteps is a page of zeros that is never freed.
const noSteps = 1

//go:nosplit
func (e *Engine) page64(i uint32) *clockPage {
	return (*clockPage)(unsafe.Add(nil, e.clockPages.Base+uintptr(i)*unsafe.Sizeof(clockPage{})))
}

//go:nosplit
func (e *Engine) top(i uint32) *clockTop {
	return (*clockTop)(unsafe.Add(nil, e.clockTops.Base+uintptr(i)*unsafe.Sizeof(clockTop{})))
}

func (e *Engine) initClocks() {
	e.clockPages.Init(unsafe.Sizeof(clockPage{}), unsafe.Offsetof(clockPage{}.ref), maxClocks, "clocks")
	e.clockPages.Hot()
	e.clockPages.Batched(unsafe.Offsetof(clockPage{}.link))
	e.clockTops.Init(unsafe.Sizeof(clockTop{}), unsafe.Offsetof(clockTop{}.ref), maxClocks, "clocks of many tasks")
	e.clockTops.Batched(unsafe.Offsetof(clockTop{}.n))
	e.page64(e.clockPages.Get()).ref = 1
}

// stepIn returns the step of slot s in m.
//
//go:nosplit
func (e *Engine) stepIn(m clock, s uint32) uint32 {
	i := m.page
	if s >= pageSlots {
		if m.top == 0 {
			return 0
		}
		i = e.top(m.top).pages[(s/pageSlots-1)%(pagesMost-1)]
	}
	if i == 0 {
		return 0
	}
	return e.page64(i).v[s%pageSlots]
}

//go:nosplit
func (e *Engine) keepPage(i uint32) {
	if i > noSteps {
		mem.Add32(&e.page64(i).ref, 1)
	}
}

//go:nosplit
func (e *Engine) keepTop(i uint32) {
	if i != 0 {
		mem.Add32(&e.top(i).ref, 1)
	}
}

// keepClock adds an owner to m.
//
//go:nosplit
func (e *Engine) keepClock(m clock) {
	e.keepPage(m.page)
	e.keepTop(m.top)
}

// keepBoth adds an owner to m.
//
//go:nosplit
func (e *Engine) keepBoth(m *clocks) {
	e.keepClock(m.weak)
	if m.hb.page != m.weak.page {
		e.keepPage(m.hb.page)
	}
	if m.hb.top != m.weak.top {
		e.keepTop(m.hb.top)
	}
}

// dropClockPage removes an owner of page i. t may be nil.
func (e *Engine) dropClockPage(t *Task, i uint32) {
	if i <= noSteps {
		return
	}
	if g := e.page64(i); mem.Load32(&g.ref) != 1 && mem.Add32(&g.ref, ^uint32(0)) != 0 {
		return
	}
	if t == nil {
		e.clockPages.Put(i)
	} else {
		t.proc().clockPages.Put(&e.clockPages, i)
	}
}

// dropTop is dropClockPage for a top.
func (e *Engine) dropTop(t *Task, i uint32) {
	if i == 0 {
		return
	}
	g := e.top(i)
	if mem.Load32(&g.ref) != 1 && mem.Add32(&g.ref, ^uint32(0)) != 0 {
		return
	}
	for k := range g.n {
		e.dropClockPage(t, g.pages[k%(pagesMost-1)])
	}
	if t == nil {
		e.clockTops.Put(i)
	} else {
		t.proc().clockTops.Put(&e.clockTops, i)
	}
}

// dropClock removes an owner of m. t may be nil.
func (e *Engine) dropClock(t *Task, m clock) {
	e.dropClockPage(t, m.page)
	e.dropTop(t, m.top)
}

// dropBoth is dropClock for both clocks.
func (e *Engine) dropBoth(t *Task, m *clocks) {
	e.dropClock(t, m.weak)
	if m.hb.page != m.weak.page {
		e.dropClockPage(t, m.hb.page)
	}
	if m.hb.top != m.weak.top {
		e.dropTop(t, m.hb.top)
	}
}

// ownPage makes page *at, which may be 0, one of which the caller is the only owner.
func (e *Engine) ownPage(t *Task, at *uint32) *clockPage {
	i := *at
	if i > noSteps && mem.Load32(&e.page64(i).ref) == 1 {
		return e.page64(i)
	}
	*at = t.proc().clockPages.Get(&e.clockPages)
	g := e.page64(*at)
	g.ref = 1
	g.v = e.page64(max(i, noSteps)).v
	e.dropClockPage(t, i)
	return g
}

// ownTop makes top *at, which may be 0, one of which the caller is the only owner.
func (e *Engine) ownTop(t *Task, at *uint32) *clockTop {
	i := *at
	if i != 0 && mem.Load32(&e.top(i).ref) == 1 {
		return e.top(i)
	}
	*at = t.proc().clockTops.Get(&e.clockTops)
	g := e.top(*at)
	*g = clockTop{ref: 1}
	if i != 0 {
		h := e.top(i)
		g.n = h.n
		for k := range h.n {
			p := h.pages[k%(pagesMost-1)]
			g.pages[k%(pagesMost-1)] = p
			e.keepPage(p)
		}
		e.dropTop(t, i)
	}
	return g
}

// setStep makes the step of slot s in *m at least v.
func (e *Engine) setStep(t *Task, m *clock, s, v uint32) {
	if e.stepIn(*m, s) >= v {
		return
	}
	if s < pageSlots {
		e.ownPage(t, &m.page).v[s] = v
		return
	}
	g := e.ownTop(t, &m.top)
	k := s/pageSlots - 1
	e.ownPage(t, &g.pages[k]).v[s%pageSlots] = v
	g.n = max(g.n, k+1)
}

// joinPage makes *at the maximum of *at and page y. It reports whether *at has changed.
func (e *Engine) joinPage(t *Task, at *uint32, y uint32) bool {
	x := *at
	if x == y || y <= noSteps {
		return false
	}
	if x <= noSteps {
		e.keepPage(y)
		*at = y
		return true
	}
	if more, _ := e.compare(y, x); !more {
		return false
	}
	e.ownPage(t, at).add(e.page64(y))
	return true
}

// joinTop is joinPage for tops.
func (e *Engine) joinTop(t *Task, at *uint32, y uint32) bool {
	x := *at
	if x == y || y == 0 {
		return false
	}
	e.keepTop(y)
	if x == 0 {
		*at = y
		return true
	}
	h := e.top(y)
	changed := false
	for k := range h.n {
		q := h.pages[k%(pagesMost-1)]
		if more, less := e.adds(q, e.top(*at).pages[k%(pagesMost-1)]); more {
			changed = true
			e.joinInto(t, e.ownTop(t, at), k, q, less)
		}
	}
	e.dropTop(t, y)
	return changed
}

// adds is compare for pages of tops, which may be 0.
func (e *Engine) adds(x, y uint32) (more, less bool) {
	if x == y || x == 0 {
		return false, false
	}
	if y == 0 {
		return true, false
	}
	return e.compare(x, y)
}

// joinInto makes page k of g, which has one owner, the maximum of itself and page q, which has more than it. less says whether
// q has less, too.
func (e *Engine) joinInto(t *Task, g *clockTop, k, q uint32, less bool) {
	g.n = max(g.n, k+1)
	p := &g.pages[k%(pagesMost-1)]
	if less {
		e.ownPage(t, p).add(e.page64(q))
		return
	}
	e.keepPage(q)
	e.dropClockPage(t, *p)
	*p = q
}

// joinTops is joinTop for both tops of m, which is divided. Pages that the tops share are compared, and copied, once.
func (e *Engine) joinTops(t *Task, m, y *clocks) {
	if m.weak.top == 0 || m.hb.top == 0 || y.weak.top == 0 || y.hb.top == 0 {
		e.joinTop(t, &m.weak.top, y.weak.top)
		e.joinTop(t, &m.hb.top, y.hb.top)
		return
	}
	a, b := e.top(y.weak.top), e.top(y.hb.top)
	for k := range max(a.n, b.n) {
		i := k % (pagesMost - 1)
		q, r := a.pages[i], b.pages[i]
		v, w := e.top(m.weak.top).pages[i], e.top(m.hb.top).pages[i]
		more, less := e.adds(q, v)
		if v == w && q == r {
			if more {
				e.partPage(t, m, k)
				e.joinInto(t, e.top(m.weak.top), k, q, less)
				e.sharePage(m, k)
			}
			continue
		}
		if more {
			e.joinInto(t, e.ownTop(t, &m.weak.top), k, q, less)
		}
		if more, less := e.adds(r, w); more {
			e.joinInto(t, e.ownTop(t, &m.hb.top), k, r, less)
		}
	}
}

// partPage prepares a change of page k, which both tops of m share: each top has one owner, and the page is the weak top's
// alone. sharePage, after the change, makes it the other top's again.
func (e *Engine) partPage(t *Task, m *clocks, k uint32) {
	e.ownTop(t, &m.weak.top)
	e.dropClockPage(t, e.ownTop(t, &m.hb.top).pages[k%(pagesMost-1)])
}

func (e *Engine) sharePage(m *clocks, k uint32) {
	g, h := e.top(m.weak.top), e.top(m.hb.top)
	p := g.pages[k%(pagesMost-1)]
	e.keepPage(p)
	h.pages[k%(pagesMost-1)] = p
	h.n = max(h.n, k+1)
}

// compare reports whether page x has more than page y, a later step, and whether it has less. Pages are
// mostly equal but for a few steps.
//
//taskinstr:inline
func (e *Engine) compare(x, y uint32) (more, less bool) {
	g, h := e.page64(x).lines(), e.page64(y).lines()
	for k := range g {
		p, q := &g[k], &h[k]
		// *p == *q is a call, which takes an error group 2 % more time.
		if (p[0]^q[0])|(p[1]^q[1])|(p[2]^q[2])|(p[3]^q[3])|(p[4]^q[4])|(p[5]^q[5])|(p[6]^q[6])|(p[7]^q[7]) == 0 {
			continue
		}
		for i := range p {
			a, b := p[i], q[i]
			more = more || uint32(a) > uint32(b) || a>>32 > b>>32
			less = less || uint32(a) < uint32(b) || a>>32 < b>>32
		}
		if more && less {
			break
		}
	}
	return more, less
}

// add makes g the maximum of g and h.
func (g *clockPage) add(h *clockPage) {
	x, y := g.pairs(), h.pairs()
	for i := range x {
		if a, b := x[i], y[i]; a != b {
			x[i] = max(a>>32, b>>32)<<32 | uint64(max(uint32(a), uint32(b)))
		}
	}
}

// lines returns the steps of a page, two in each number, and eight numbers in each line.
func (g *clockPage) lines() *[pageSlots / 16][8]uint64 {
	return (*[pageSlots / 16][8]uint64)(unsafe.Pointer(&g.v))
}

// pairs returns the steps of a page, two in each number.
func (g *clockPage) pairs() *[pageSlots / 2]uint64 {
	return (*[pageSlots / 2]uint64)(unsafe.Pointer(&g.v))
}

// join makes *m the maximum of *m and y. It reports whether *m has changed.
func (e *Engine) join(t *Task, m *clock, y clock) bool {
	changed := e.joinPage(t, &m.page, y.page)
	return e.joinTop(t, &m.top, y.top) || changed
}

// joinBoth joins both clocks.
func (e *Engine) joinBoth(t *Task, m, y *clocks) {
	if *m == *y {
		return
	}
	if m.weak == m.hb && y.weak == y.hb {
		e.join(t, &m.weak, y.weak)
		m.hb = m.weak
		return
	}
	e.divide(m)
	e.joinDivided(t, m, y)
	e.unite(t, m)
}

// joinDivided is joinBoth for a divided m.
func (e *Engine) joinDivided(t *Task, m, y *clocks) {
	e.joinPage(t, &m.weak.page, y.weak.page)
	e.joinPage(t, &m.hb.page, y.hb.page)
	e.joinTops(t, m, y)
}

// divide gives m an own reference to each part of each clock, for a change of one of them. unite
// undoes it.
func (e *Engine) divide(m *clocks) {
	if m.weak.page == m.hb.page {
		e.keepPage(m.hb.page)
	}
	if m.weak.top == m.hb.top {
		e.keepTop(m.hb.top)
	}
}

// unite undoes divide. The clocks share each part that is equal in both: mostly the two orders differ in a few steps, and
// not for long.
func (e *Engine) unite(t *Task, m *clocks) {
	if e.samePage(m.weak.page, m.hb.page) {
		e.dropClockPage(t, m.hb.page)
		m.hb.page = m.weak.page
	}
	if m.weak.top != m.hb.top && m.weak.top != 0 && m.hb.top != 0 {
		g, h := e.top(m.weak.top), e.top(m.hb.top)
		for i := range max(g.n, h.n) {
			if p, q := g.pages[i%(pagesMost-1)], h.pages[i%(pagesMost-1)]; p != q && e.samePage(p, q) {
				h = e.ownTop(t, &m.hb.top)
				e.keepPage(p)
				e.dropClockPage(t, q)
				h.pages[i%(pagesMost-1)] = p
			}
		}
	}
	if m.weak.top == m.hb.top || m.weak.top != 0 && m.hb.top != 0 && e.top(m.weak.top).pages == e.top(m.hb.top).pages {
		e.dropTop(t, m.hb.top)
		m.hb.top = m.weak.top
	}
}

// samePage reports whether pages x and y have the same steps.
func (e *Engine) samePage(x, y uint32) bool {
	return x == y || x > noSteps && y > noSteps && e.page64(x).v == e.page64(y).v
}

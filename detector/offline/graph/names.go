package graph

import (
	"slices"
	"sort"
)

// names assigns new names to bytes that are allocated or freed after they were accessed:
// a name identifies a byte of one allocation. Initially the names are the addresses; new
// names lie above all addresses. The map is organized by pages, because allocations are
// usually small and accesses lie close together.
type names struct {
	next  uint64
	pages map[uint64]*page
	back  []piece // by name
	last  *page   // the page of the last access
	lastN uint64
}

type page struct {
	accessed bool    // a byte of the page was accessed since the last renaming of the whole page
	pieces   []piece // by address, disjoint: the bytes whose name is not their address
}

// A piece maps the bytes [lo, hi) to consecutive names from name on.
type piece struct{ lo, hi, name uint64 }

const (
	pageSize   = 4096
	firstFresh = 1 << 63
)

func (m *names) page(number uint64) *page {
	if m.last != nil && m.lastN == number {
		return m.last
	}
	p := m.pages[number]
	if p == nil {
		if m.pages == nil {
			m.pages = map[uint64]*page{}
		}
		p = new(page)
		m.pages[number] = p
	}
	m.last, m.lastN = p, number
	return p
}

// each calls f for the pieces of [lo, hi) with consecutive names.
func (m *names) each(lo, hi uint64, f func(lo, hi uint64)) {
	from, to := uint64(0), uint64(0) // consecutive names that f has not got yet
	put := func(lo, hi uint64) {
		if lo != to || from == to {
			if from != to {
				f(from, to)
			}
			from = lo
		}
		to = hi
	}
	for lo < hi {
		p := m.page(lo / pageSize)
		p.accessed = true
		end := min(hi, (lo/pageSize+1)*pageSize)
		if end == 0 { // the last page of the address space
			end = hi
		}
		for _, q := range p.pieces {
			if q.hi <= lo {
				continue
			}
			if q.lo >= end {
				break
			}
			if q.lo > lo {
				put(lo, q.lo)
				lo = q.lo
			}
			stop := min(q.hi, end)
			put(q.name+lo-q.lo, q.name+stop-q.lo)
			lo = stop
		}
		if lo < end {
			put(lo, end)
			lo = end
		}
	}
	if from != to {
		f(from, to)
	}
}

// rename gives new names to the bytes [lo, hi), except on pages without an access since
// their last renaming.
func (m *names) rename(lo, hi uint64) {
	if m.next == 0 {
		m.next = firstFresh
	}
	for lo < hi {
		number := lo / pageSize
		end := min(hi, (number+1)*pageSize)
		if p := m.pages[number]; p != nil && p.accessed {
			p.set(piece{lo, end, m.next})
			m.back = append(m.back, piece{lo, end, m.next})
			m.next += end - lo
			if lo%pageSize == 0 && end == lo+pageSize {
				p.accessed = false
			}
		}
		lo = end
	}
}

// set inserts q and removes the bytes of q from other pieces.
func (p *page) set(q piece) {
	i := sort.Search(len(p.pieces), func(i int) bool { return p.pieces[i].hi > q.lo })
	j := i
	var left, right []piece // the remaining parts of pieces that q covers in part
	for ; j < len(p.pieces) && p.pieces[j].lo < q.hi; j++ {
		r := p.pieces[j]
		if r.lo < q.lo {
			left = append(left, piece{r.lo, q.lo, r.name})
		}
		if r.hi > q.hi {
			right = append(right, piece{q.hi, r.hi, r.name + q.hi - r.lo})
		}
	}
	rest := append(append(left, q), right...)
	p.pieces = slices.Replace(p.pieces, i, j, rest...)
}

func (m *names) address(name uint64) uint64 {
	if name < firstFresh {
		return name
	}
	i := sort.Search(len(m.back), func(i int) bool { return m.back[i].name > name }) - 1
	return m.back[i].lo + name - m.back[i].name
}

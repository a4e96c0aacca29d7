package shadow

import "math/bits"

const pageShift = 10

// PageSize is the number of bytes of a page.
const PageSize = 1 << pageShift

// Memory maps bytes to cells. The zero value maps all bytes to zero cells.
type Memory[C comparable] struct {
	pages []page[C]
	table []uint32 // index of a page +1, by hash of its number; 0: no page. The length is a power of two, and at most half is used
	last  uint32   // index of the page of the last access, +1
	spare [pageShift + 1][][]C
	held  int // cells in pages
}

type page[C comparable] struct {
	number uint64 // address / PageSize
	cells  []C    // PageSize>>shift of them
	shift  uint8  // of the granule
}

// Update divides the size bytes from addr on into runs [lo, hi) of equal cells. It calls
// f for each run in ascending order and gives the run the cell that f returns.
func (m *Memory[C]) Update(addr, size uint64, f func(c C, lo, hi uint64) C) {
	for end := addr + size; addr < end; {
		cells, granule, next := m.cells(addr, end)
		for i := 0; i < len(cells); {
			k := i + 1
			for k < len(cells) && cells[k] == cells[i] {
				k++
			}
			c := f(cells[i], addr+uint64(i)*granule, addr+uint64(k)*granule)
			for ; i < k; i++ {
				cells[i] = c
			}
		}
		if next-addr == PageSize {
			m.settle(next - 1)
		}
		addr = next
	}
}

// cells returns the cells of the bytes from addr up to end, within one page, with the
// size of their granule and the address at which the next page begins (end if there is
// none). The cells may be changed until the next call.
func (m *Memory[C]) cells(addr, end uint64) (cells []C, granule, next uint64) {
	p := m.page(addr >> pageShift)
	next = min(end, (addr|(PageSize-1))+1)
	lo, hi := addr&(PageSize-1), (next-1)&(PageSize-1)+1
	// The greatest power of two that divides both borders.
	if fit := uint8(bits.TrailingZeros64(lo | hi | PageSize)); fit < p.shift {
		m.refine(p, fit)
	}
	return p.cells[lo>>p.shift : hi>>p.shift], 1 << p.shift, next
}

// settle merges the cells of the page around addr if they are equal. It is called after
// the cells of a whole page have changed.
func (m *Memory[C]) settle(addr uint64) {
	p := m.page(addr >> pageShift)
	if p.shift == pageShift {
		return
	}
	first := p.cells[0]
	for _, c := range p.cells[1:] {
		if c != first {
			return
		}
	}
	m.reshape(p, pageShift)
	p.cells[0] = first
}

// Clear gives the bytes zero cells.
func (m *Memory[C]) Clear(addr, size uint64) {
	var zero C
	for end := addr + size; addr < end; {
		next := min(end, (addr|(PageSize-1))+1)
		if m.find(addr>>pageShift) == 0 {
			addr = next
			continue
		}
		cells, _, _ := m.cells(addr, end)
		for i := range cells {
			cells[i] = zero
		}
		if next-addr == PageSize {
			m.settle(addr)
		}
		addr = next
	}
}

// All calls f for each cell.
func (m *Memory[C]) All(f func(c *C)) {
	for i := range m.pages {
		for j := range m.pages[i].cells {
			f(&m.pages[i].cells[j])
		}
	}
}

func (m *Memory[C]) page(number uint64) *page[C] {
	if l := m.last; l != 0 && m.pages[l-1].number == number {
		return &m.pages[l-1]
	}
	l := m.find(number)
	if l == 0 {
		l = m.insert(number)
	}
	m.last = l
	return &m.pages[l-1]
}

func hash(number uint64) uint64 { return (number * 0x9e3779b97f4a7c15) >> 20 }

// find returns the index of a page +1, 0 if there is none.
func (m *Memory[C]) find(number uint64) uint32 {
	mask := uint64(len(m.table)) - 1
	if len(m.table) == 0 {
		return 0
	}
	for h := hash(number) & mask; ; h = (h + 1) & mask {
		l := m.table[h]
		if l == 0 || m.pages[l-1].number == number {
			return l
		}
	}
}

func (m *Memory[C]) insert(number uint64) uint32 {
	if 2*len(m.pages) >= len(m.table) {
		m.table = make([]uint32, max(64, 2*len(m.table)))
		for i := range m.pages {
			m.enter(uint32(i + 1))
		}
	}
	m.pages = append(m.pages, page[C]{number: number, shift: pageShift})
	p := &m.pages[len(m.pages)-1]
	p.cells = m.take(pageShift)
	clear(p.cells)
	l := uint32(len(m.pages))
	m.enter(l)
	return l
}

func (m *Memory[C]) enter(l uint32) {
	mask := uint64(len(m.table)) - 1
	h := hash(m.pages[l-1].number) & mask
	for m.table[h] != 0 {
		h = (h + 1) & mask
	}
	m.table[h] = l
}

// refine gives the page smaller granules with the same contents.
func (m *Memory[C]) refine(p *page[C], shift uint8) {
	old, by := p.cells, p.shift-shift
	cells := m.take(shift)
	for i, c := range old {
		part := cells[i<<by : (i+1)<<by]
		for j := range part {
			part[j] = c
		}
	}
	m.give(p)
	p.cells, p.shift = cells, shift
}

// reshape gives the page other granules, without contents.
func (m *Memory[C]) reshape(p *page[C], shift uint8) {
	m.give(p)
	p.cells, p.shift = m.take(shift), shift
}

// take returns cells for a page. Their contents are arbitrary unless they are new.
func (m *Memory[C]) take(shift uint8) []C {
	m.held += PageSize >> shift
	if s := m.spare[shift]; len(s) > 0 {
		m.spare[shift] = s[:len(s)-1]
		return s[len(s)-1]
	}
	return make([]C, PageSize>>shift)
}

func (m *Memory[C]) give(p *page[C]) {
	m.held -= len(p.cells)
	m.spare[p.shift] = append(m.spare[p.shift], p.cells)
}

package bytemap

const (
	wordSize  = 8
	pageBits  = 12
	pageSize  = 1 << pageBits
	pageWords = pageSize / wordSize
)

// A Map maps addresses to values. Its zero value maps every address to the zero value.
type Map[V comparable] struct {
	pages map[uint64]*page[V]
	last  *page[V] // the page used last
	index uint64   // the number of that page
}

type page[V comparable] struct {
	word  [pageWords]V
	split map[uint64]*[wordSize]V // words whose bytes differ, by number
}

// Update visits the n bytes from addr on in ascending order, in runs [lo, hi) with equal
// values. It calls f for each run and stores the value that f returns.
func (m *Map[V]) Update(addr, n uint64, f func(v V, lo, hi uint64) V) {
	for end := addr + n; addr < end; {
		stop := min(end, addr&^(pageSize-1)+pageSize)
		m.page(addr).update(addr, stop, f)
		addr = stop
	}
}

// Clear stores the zero value for n bytes from addr on.
func (m *Map[V]) Clear(addr, n uint64) {
	var zero V
	for end := addr + n; addr < end; {
		number := addr >> pageBits
		stop := min(end, (number+1)<<pageBits)
		p := m.pages[number]
		switch {
		case p == nil:
		case stop-addr == pageSize:
			delete(m.pages, number)
			m.last = nil
		default:
			p.update(addr, stop, func(V, uint64, uint64) V { return zero })
		}
		addr = stop
	}
}

// Pages returns the number of pages in use. Clear frees a page that it covers whole.
func (m *Map[V]) Pages() int { return len(m.pages) }

func (m *Map[V]) page(addr uint64) *page[V] {
	number := addr >> pageBits
	if m.last != nil && m.index == number {
		return m.last
	}
	p := m.pages[number]
	if p == nil {
		if m.pages == nil {
			m.pages = map[uint64]*page[V]{}
		}
		p = new(page[V])
		m.pages[number] = p
	}
	m.last, m.index = p, number
	return p
}

func (p *page[V]) update(lo, hi uint64, f func(v V, lo, hi uint64) V) {
	for lo < hi {
		w := lo % pageSize / wordSize
		next := lo&^(wordSize-1) + wordSize
		if s := p.split[w]; s != nil || lo%wordSize != 0 || next > hi {
			stop := min(next, hi)
			p.bytes(w, s, lo, stop, f)
			lo = stop
			continue
		}
		v, last := p.word[w], w+1
		for next+wordSize <= hi && last < pageWords && p.word[last] == v && p.split[last] == nil {
			last, next = last+1, next+wordSize
		}
		u := f(v, lo, next)
		if u != v {
			for i := w; i < last; i++ {
				p.word[i] = u
			}
		}
		lo = next
	}
}

// bytes updates bytes of one word; s holds their values if they differ already.
func (p *page[V]) bytes(w uint64, s *[wordSize]V, lo, hi uint64, f func(v V, lo, hi uint64) V) {
	at := func(i uint64) V {
		if s != nil {
			return s[i]
		}
		return p.word[w]
	}
	for lo < hi {
		i := lo % wordSize
		v, next := at(i), lo+1
		for next < hi && at(next%wordSize) == v {
			next++
		}
		u := f(v, lo, next)
		if u != v {
			if s == nil {
				s = new([wordSize]V)
				for k := range s {
					s[k] = p.word[w]
				}
				if p.split == nil {
					p.split = map[uint64]*[wordSize]V{}
				}
				p.split[w] = s
			}
			for k := range next - lo {
				s[i+k] = u
			}
		}
		lo = next
	}
	if s == nil {
		return
	}
	for _, v := range s {
		if v != s[0] {
			return
		}
	}
	p.word[w] = s[0]
	delete(p.split, w)
}

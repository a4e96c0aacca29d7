package fasttrack

// A clock maps slots to numbers, by default 0. Clocks are values: an operation returns a
// new clock that shares the equal parts. The reads of a byte use the same type as a map
// from slots to records.
type clock struct {
	root  *node
	depth uint // levels of inner nodes
}

const (
	fanBits = 4
	fan     = 1 << fanBits
)

// A node is immutable. It is a leaf if kids is nil.
type node struct {
	kids *[fan]*node
	vals [fan]uint32
}

func (c clock) get(slot uint32) uint32 {
	if slot>>(fanBits*(c.depth+1)) != 0 {
		return 0
	}
	n := c.root
	for d := c.depth; n != nil && d > 0; d-- {
		n = n.kids[slot>>(fanBits*d)%fan]
	}
	if n == nil {
		return 0
	}
	return n.vals[slot%fan]
}

// with returns c with the number v for slot.
func (c clock) with(slot, v uint32) clock {
	for slot>>(fanBits*(c.depth+1)) != 0 {
		c = c.raise()
	}
	return clock{set(c.root, c.depth, slot, v), c.depth}
}

func (c clock) raise() clock {
	if c.root == nil {
		return clock{nil, c.depth + 1}
	}
	return clock{&node{kids: &[fan]*node{c.root}}, c.depth + 1}
}

func set(n *node, depth uint, slot, v uint32) *node {
	m := new(node)
	if n != nil {
		*m = *n
	}
	if depth == 0 {
		m.vals[slot%fan] = v
		return m
	}
	kids := new([fan]*node)
	if n != nil {
		*kids = *n.kids
	}
	m.kids = kids
	kid := &kids[slot>>(fanBits*depth)%fan]
	*kid = set(*kid, depth-1, slot, v)
	return m
}

// join returns the maximum of c and d for each slot.
func (c clock) join(d clock) clock {
	for c.depth < d.depth {
		c = c.raise()
	}
	for d.depth < c.depth {
		d = d.raise()
	}
	return clock{join(c.root, d.root), c.depth}
}

func join(a, b *node) *node {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	}
	var m node
	isA, isB := true, true
	if a.kids != nil {
		m.kids = new([fan]*node)
		for i := range m.kids {
			k := join(a.kids[i], b.kids[i])
			isA, isB = isA && k == a.kids[i], isB && k == b.kids[i]
			m.kids[i] = k
		}
	} else {
		for i := range m.vals {
			v := max(a.vals[i], b.vals[i])
			isA, isB = isA && v == a.vals[i], isB && v == b.vals[i]
			m.vals[i] = v
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return &m
}

// A merged is the join of a sequence of clocks, such as the clocks of a scope's tasks at
// their ends. Joining each clock with the join of all earlier clocks would have quadratic
// cost, because it differs from every one of them. So add joins only parts of equal
// weight, like the carries of a binary counter.
type merged struct {
	parts []part
}

type part struct {
	clock  clock
	weight uint8 // the binary logarithm of the number of clocks
}

func (m *merged) add(c clock) {
	p := part{clock: c}
	n := len(m.parts)
	for n > 0 && m.parts[n-1].weight == p.weight {
		n--
		p = part{m.parts[n].clock.join(p.clock), p.weight + 1}
	}
	m.parts = append(m.parts[:n], p)
}

func (m *merged) set(c clock) { m.parts = append(m.parts[:0], part{clock: c}) }

// clock returns the join of all parts.
func (m *merged) clock() clock {
	for n := len(m.parts) - 1; n > 0; n-- {
		m.parts[n-1].clock = m.parts[n-1].clock.join(m.parts[n].clock)
		m.parts = m.parts[:n]
	}
	if len(m.parts) == 0 {
		return clock{}
	}
	return m.parts[0].clock
}

// each calls f for all numbers other than 0.
func (c clock) each(f func(v uint32)) { each(c.root, f) }

func each(n *node, f func(v uint32)) {
	switch {
	case n == nil:
	case n.kids != nil:
		for _, k := range n.kids {
			each(k, f)
		}
	default:
		for _, v := range n.vals {
			if v != 0 {
				f(v)
			}
		}
	}
}

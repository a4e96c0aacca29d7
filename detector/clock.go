package detector

import "unsafe"

// A sparse clock is a persistent map from a task to the highest step of that task known
// to precede the clock owner's present. Clocks share structure: passing a clock on copies
// a reference, and merging two similar clocks costs their difference.
//
// A clock is a radix tree over task ids with compressed paths and eight children a node.
// A node at level 0 holds the steps of the tasks whose id/8 is its prefix; a node at
// level l holds the subtrees of the tasks whose id/8^(l+1) is its prefix. Nodes are
// immutable once shared and are counted by reference.
type clockNode struct {
	ref    uint32 // reference count; also the link of the free chain
	shift  uint32 // 3 * level
	prefix uint32
	mark   uint32 // Engine.sweeps of the last sweep that visited this node
	a      [8]uint32
}

const (
	clockBits = 3
	clockFan  = 1 << clockBits
	clockMask = clockFan - 1
)

func (e *Engine) clock(m uint32) *clockNode {
	return (*clockNode)(unsafe.Add(nil, e.clocks.base+uintptr(m)*unsafe.Sizeof(clockNode{})))
}

// clockGet returns the step of task k in m, 0 if there is none.
//
//go:nosplit
func (e *Engine) clockGet(m, k uint32) uint32 {
	for m != 0 {
		n := e.clock(m)
		if k>>(n.shift+clockBits) != n.prefix {
			return 0
		}
		m = n.a[k>>n.shift&clockMask]
		if n.shift == 0 {
			return m
		}
	}
	return 0
}

// newClock returns a node with one owner and zero slots. t may be nil; otherwise the node
// comes from the stock of t's proc, so that most calls take no lock.
func (e *Engine) newClock(t *Task, shift, prefix uint32) uint32 {
	var m uint32
	if t == nil {
		m = e.clocks.get()
	} else {
		m = t.proc().clocks.get(&e.clocks)
	}
	n := e.clock(m)
	n.ref = 1
	n.shift = shift
	n.prefix = prefix
	n.a = [clockFan]uint32{}
	return m
}

// holdClock adds an owner to m.
func (e *Engine) holdClock(m uint32) {
	if m != 0 {
		add32(&e.clock(m).ref, 1)
	}
}

// dropClock removes an owner of m. The recursion is as deep as the tree, at most eleven
// levels.
func (e *Engine) dropClock(t *Task, m uint32) {
	if m == 0 {
		return
	}
	n := e.clock(m)
	if load32(&n.ref) != 1 && add32(&n.ref, ^uint32(0)) != 0 {
		return
	}
	if n.shift != 0 {
		for i := 0; i < clockFan; i++ {
			e.dropClock(t, n.a[i])
		}
	}
	if t == nil {
		e.clocks.put(m)
	} else {
		t.proc().clocks.put(&e.clocks, m)
	}
}

// ownClock returns a node equal to m of which the caller is the only owner. It consumes
// the caller's ownership of m.
func (e *Engine) ownClock(t *Task, m uint32) uint32 {
	n := e.clock(m)
	if load32(&n.ref) == 1 {
		return m
	}
	c := e.newClock(t, n.shift, n.prefix)
	d := e.clock(c)
	d.a = n.a
	if n.shift != 0 {
		for i := 0; i < clockFan; i++ {
			e.holdClock(d.a[i])
		}
	}
	e.dropClock(t, m)
	return c
}

// clockSet returns m with at least step v for task k. It consumes the caller's ownership
// of m; the caller owns the result.
func (e *Engine) clockSet(t *Task, m, k, v uint32) uint32 {
	if m == 0 {
		m = e.newClock(t, 0, k>>clockBits)
		e.clock(m).a[k&clockMask] = v
		return m
	}
	n := e.clock(m)
	if k>>(n.shift+clockBits) != n.prefix {
		return e.clockJoin(t, m, e.clockSet(t, 0, k, v))
	}
	i := k >> n.shift & clockMask
	if n.shift == 0 {
		if n.a[i] < v {
			m = e.ownClock(t, m)
			e.clock(m).a[i] = v
		}
		return m
	}
	m = e.ownClock(t, m)
	n = e.clock(m)
	n.a[i] = e.clockSet(t, n.a[i], k, v)
	return m
}

// clockJoin returns a node above x and y, whose ranges of tasks are disjoint. It consumes
// the ownership of both.
func (e *Engine) clockJoin(t *Task, x, y uint32) uint32 {
	a, b := e.clock(x), e.clock(y)
	shift := max(a.shift, b.shift) + clockBits
	// The first ids of both ranges, to be compared above shift.
	p := uint64(a.prefix) << (a.shift + clockBits)
	q := uint64(b.prefix) << (b.shift + clockBits)
	for p>>(shift+clockBits) != q>>(shift+clockBits) {
		shift += clockBits
	}
	m := e.newClock(t, shift, uint32(p>>(shift+clockBits)))
	n := e.clock(m)
	n.a[p>>shift&clockMask] = x
	n.a[q>>shift&clockMask] = y
	return m
}

// clockMax returns the pointwise maximum of x and y. If one of them is the maximum, the
// result is that clock and no ownership changes. Otherwise the result is new and the
// caller owns it.
func (e *Engine) clockMax(t *Task, x, y uint32) uint32 {
	if x == y || y == 0 {
		return x
	}
	if x == 0 {
		return y
	}
	a, b := e.clock(x), e.clock(y)
	switch {
	case a.shift == b.shift && a.prefix == b.prefix:
		if a.shift == 0 {
			return e.clockMaxLeaf(t, x, y)
		}
		return e.clockMaxNode(t, x, y)
	case a.shift > b.shift && b.prefix>>(a.shift-b.shift) == a.prefix:
		return e.clockMaxChild(t, x, y, b.prefix>>(a.shift-b.shift-clockBits)&clockMask, false)
	case b.shift > a.shift && a.prefix>>(b.shift-a.shift) == b.prefix:
		return e.clockMaxChild(t, y, x, a.prefix>>(b.shift-a.shift-clockBits)&clockMask, true)
	}
	e.holdClock(x)
	e.holdClock(y)
	return e.clockJoin(t, x, y)
}

// clockMaxLeaf is clockMax for two nodes at level 0 with the same prefix.
func (e *Engine) clockMaxLeaf(t *Task, x, y uint32) uint32 {
	a, b := e.clock(x), e.clock(y)
	more, less := false, false
	for i := 0; i < clockFan; i++ {
		if a.a[i] < b.a[i] {
			less = true
		} else if a.a[i] > b.a[i] {
			more = true
		}
	}
	if !less {
		return x
	}
	if !more {
		return y
	}
	m := e.newClock(t, 0, a.prefix)
	n := e.clock(m)
	for i := 0; i < clockFan; i++ {
		n.a[i] = max(a.a[i], b.a[i])
	}
	return m
}

// clockMaxChild returns the maximum of x and y, where y belongs below slot i of x. If
// swapped is set, y is the left operand.
func (e *Engine) clockMaxChild(t *Task, x, y, i uint32, swapped bool) uint32 {
	c := e.clock(x).a[i]
	var r uint32
	if swapped {
		r = e.clockMax(t, y, c)
	} else {
		r = e.clockMax(t, c, y)
	}
	if r == c {
		return x
	}
	if r == y {
		e.holdClock(r)
	}
	e.holdClock(x)
	m := e.ownClock(t, x)
	n := e.clock(m)
	e.dropClock(t, n.a[i])
	n.a[i] = r
	return m
}

// clockMaxNode is clockMax for two inner nodes with the same level and prefix.
func (e *Engine) clockMaxNode(t *Task, x, y uint32) uint32 {
	a, b := e.clock(x), e.clock(y)
	isX, isY := true, true // all slots so far equal the slots of x, of y
	m := uint32(0)
	for i := 0; i < clockFan; i++ {
		c, d := a.a[i], b.a[i]
		r := e.clockMax(t, c, d)
		if m == 0 {
			wasX := isX
			isX = isX && r == c
			isY = isY && r == d
			if isX || isY {
				continue
			}
			m = e.newClock(t, a.shift, a.prefix)
			n := e.clock(m)
			for j := 0; j < i; j++ {
				s := b.a[j]
				if wasX {
					s = a.a[j]
				}
				e.holdClock(s)
				n.a[j] = s
			}
		}
		if r == c || r == d {
			e.holdClock(r)
		}
		e.clock(m).a[i] = r
	}
	if m != 0 {
		return m
	}
	if isX {
		return x
	}
	return y
}

// knows reports whether all entries of clock m precede t, in happens-before if hb is set
// and otherwise in the weak order.
func (e *Engine) knows(t *Task, m uint32, hb bool) bool {
	if m == 0 || m == t.weak || hb && m == t.hb {
		return true
	}
	n := e.clock(m)
	for i := uint32(0); i < clockFan; i++ {
		switch a := n.a[i]; {
		case a == 0:
		case n.shift != 0:
			if !e.knows(t, a, hb) {
				return false
			}
		case !e.before(t, n.prefix<<clockBits|i, a, hb):
			return false
		}
	}
	return true
}

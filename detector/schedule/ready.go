package schedule

// Two sets of ready tasks: a queue, and a pairing heap by depth-first order, which works
// as a stack when tasks come and go in stack order. (M. L. Fredman, R. Sedgewick, D. D.
// Sleator, R. E. Tarjan, The Pairing Heap: A New Form of Self-Adjusting Heap,
// Algorithmica 1986.)
//
// In the heap, child is a task's first child and next its right sibling; prev is its left
// sibling or, for a first child, its parent.

type heap struct{ root ID }

// meld returns the root of the union of the heaps with the roots a and b.
func (ts *Tasks) meld(a, b ID) ID {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	if ts.precedes(b, a) {
		a, b = b, a
	}
	p, c := ts.at(a), ts.at(b)
	c.next = p.child
	if p.child != 0 {
		ts.at(p.child).prev = b
	}
	c.prev = a
	p.child = b
	p.next, p.prev = 0, 0
	return a
}

func (h *heap) push(ts *Tasks, t ID) {
	e := ts.at(t)
	e.child, e.next, e.prev = 0, 0, 0
	e.where = inHeap
	h.root = ts.meld(h.root, t)
}

func (h *heap) pop(ts *Tasks) ID {
	t := h.root
	if t != 0 {
		h.root = ts.pair(ts.at(t).child)
		ts.at(t).where = nowhere
	}
	return t
}

// pair melds the siblings from t on: in pairs from left to right, and the pairs from
// right to left.
func (ts *Tasks) pair(t ID) ID {
	pairs := ID(0) // chained through prev
	for t != 0 {
		a := t
		b := ts.at(a).next
		t = 0
		if b != 0 {
			t = ts.at(b).next
			ts.at(b).next, ts.at(b).prev = 0, 0
		}
		ts.at(a).next, ts.at(a).prev = 0, 0
		a = ts.meld(a, b)
		ts.at(a).prev = pairs
		pairs = a
	}
	root := ID(0)
	for pairs != 0 {
		a := pairs
		pairs = ts.at(a).prev
		ts.at(a).prev = 0
		root = ts.meld(root, a)
	}
	return root
}

// remove takes t out of the heap that contains it.
func (h *heap) remove(ts *Tasks, t ID) {
	if t == h.root {
		h.pop(ts)
		return
	}
	e := ts.at(t)
	if l := ts.at(e.prev); l.child == t {
		l.child = e.next
	} else {
		l.next = e.next
	}
	if e.next != 0 {
		ts.at(e.next).prev = e.prev
	}
	e.next, e.prev = 0, 0
	h.root = ts.meld(h.root, ts.pair(e.child))
	e.where = nowhere
}

type queue struct {
	head, tail ID
	n          uint32
}

func (q *queue) push(ts *Tasks, t ID) {
	e := ts.at(t)
	e.where = inQueue
	e.next, e.prev = 0, q.tail
	if q.tail != 0 {
		ts.at(q.tail).next = t
	} else {
		q.head = t
	}
	q.tail = t
	q.n++
}

// remove takes t out of the queue that contains it.
func (q *queue) remove(ts *Tasks, t ID) {
	e := ts.at(t)
	if e.prev != 0 {
		ts.at(e.prev).next = e.next
	} else {
		q.head = e.next
	}
	if e.next != 0 {
		ts.at(e.next).prev = e.prev
	} else {
		q.tail = e.prev
	}
	e.where = nowhere
	q.n--
}

func (q *queue) pop(ts *Tasks) ID {
	t := q.head
	if t != 0 {
		q.remove(ts, t)
	}
	return t
}

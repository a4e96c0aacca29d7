package allsets

import "taskinstr/detector/event"

// bags are the S- and P-bags: a forest of disjoint sets over tasks. A bag is named by
// the root of its tree; whether it is a P-bag stands there.
type bags struct {
	parent   []uint32 // by task
	size     []uint32 // of the tree, at roots
	parallel []bool   // in a P-bag, at roots

	scope map[uint64]uint32 // from an open scope to a task in its P-bag, if there is one
	// escaped counts ends for scopes that are not open: what they order is not known.
	escaped int64
	open    map[uint64]bool
}

func newBags() *bags {
	b := &bags{scope: map[uint64]uint32{}, open: map[uint64]bool{}}
	b.make(0)
	return b
}

func (b *bags) make(task uint32) {
	for n := uint32(len(b.parent)); n <= task; n++ {
		b.parent = append(b.parent, n)
		b.size = append(b.size, 1)
		b.parallel = append(b.parallel, false)
	}
}

func (b *bags) find(x uint32) uint32 {
	for b.parent[x] != x {
		b.parent[x] = b.parent[b.parent[x]]
		x = b.parent[x]
	}
	return x
}

// join makes one bag of those of x and y, a P-bag or not.
func (b *bags) join(x, y uint32, parallel bool) {
	x, y = b.find(x), b.find(y)
	if x != y {
		if b.size[x] < b.size[y] {
			x, y = y, x
		}
		b.parent[y] = x
		b.size[x] += b.size[y]
	}
	b.parallel[x] = parallel
}

// isParallel reports whether what an ended or waiting task has done is parallel to
// what runs now.
func (b *bags) isParallel(task uint32) bool { return b.parallel[b.find(task)] }

func (b *bags) event(e *event.Event) {
	switch e.Op {
	case event.Fork:
		b.make(e.Other)
	case event.FinishBegin:
		b.open[e.Obj] = true
	case event.FinishEnd:
		if x, ok := b.scope[e.Obj]; ok {
			b.join(x, e.Task, false)
			delete(b.scope, e.Obj)
		}
		delete(b.open, e.Obj)
	case event.End:
		switch x, ok := b.scope[e.Obj]; {
		case !b.open[e.Obj]:
			b.escaped++ // nothing waits for the task
			b.parallel[b.find(e.Task)] = true
		case ok:
			b.join(x, e.Task, true)
		default:
			b.parallel[b.find(e.Task)] = true
			b.scope[e.Obj] = e.Task
		}
	}
}

package raycast

import (
	"sync"

	"taskinstr/benchmarks/ptracer/space"
)

const (
	leafTriangles = 4
	taskTriangles = 100 // more are built by two tasks
)

// A node is a leaf, with triangles, or has two nodes below it.
type node struct {
	box       space.Box
	low, high *node
	triangles []int32
}

type leaves struct {
	mu    sync.Mutex
	count int
}

// build makes the tree of the triangles of that index, which it reorders.
func (s *scene) build(n *node, index []int32, locked, racy bool) {
	n.box = space.Empty()
	for _, i := range index {
		for _, v := range s.triangles[i] {
			n.box.Include(v)
		}
	}
	if len(index) <= leafTriangles {
		n.triangles = index
		if locked {
			s.leaves.mu.Lock()
			defer s.leaves.mu.Unlock()
		}
		s.leaves.count++
		return
	}
	axis, half := n.box.Axis(), len(index)/2
	space.Select(index, half, func(i int32) float64 {
		t := &s.triangles[i]
		return t[0][axis] + t[1][axis] + t[2][axis]
	})
	n.low, n.high = new(node), new(node)
	if len(index) <= taskTriangles {
		s.build(n.low, index[:half], locked, false)
		s.build(n.high, index[half:], locked, false)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { s.build(n.low, index[:half], locked && !racy, false) })
	s.build(n.high, index[half:], locked, false)
	wg.Wait()
}

type ray struct{ from, direction, inverse space.Vector }

// A hit is at from+distance*direction; triangle is negative where there is none.
type hit struct {
	triangle int32
	distance float64
}

// cast replaces h by the first hit below n, if that is nearer.
func (s *scene) cast(n *node, r *ray, h *hit) {
	for _, i := range n.triangles {
		if d, ok := s.triangles[i].meet(r); ok && d < h.distance {
			*h = hit{i, d}
		}
	}
	if n.low == nil {
		return
	}
	near, far := n.low, n.high
	nearFirst, nearLast := near.box.Cut(r.from, r.inverse)
	farFirst, farLast := far.box.Cut(r.from, r.inverse)
	if farFirst < nearFirst {
		near, far = far, near
		nearFirst, nearLast, farFirst, farLast = farFirst, farLast, nearFirst, nearLast
	}
	if nearFirst <= nearLast && nearFirst < h.distance {
		s.cast(near, r, h)
	}
	if farFirst <= farLast && farFirst < h.distance {
		s.cast(far, r, h)
	}
}

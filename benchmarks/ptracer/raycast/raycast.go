package raycast

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/blocks"
)

func run(in input, racy bool) error {
	r := rand.New(rand.NewPCG(19, 20))
	sc := newScene(in.rings, r)
	rs := rays(in.rays, r)
	index := make([]int32, len(sc.triangles))
	for i := range index {
		index[i] = int32(i)
	}
	var root node
	sc.build(&root, index, true, racy)
	if racy {
		return nil
	}
	hits := make([]hit, len(rs))
	blocks.Each(len(rs), in.block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			h := nothing
			sc.cast(&root, &rs[i], &h)
			hits[i] = h
		}
	})
	return sc.check(&root, rs, hits)
}

var nothing = hit{triangle: -1, distance: math.Inf(1)}

const sample = 200 // rays that are cast at all triangles

func (s *scene) check(root *node, rs []ray, hits []hit) error {
	if want := count(root); s.leaves.count != want {
		return fmt.Errorf("%d leaves were counted, want %d", s.leaves.count, want)
	}
	met := 0
	for _, h := range hits {
		if h.triangle >= 0 {
			met++
		}
	}
	if met < len(hits)/2 || met == len(hits) {
		return fmt.Errorf("%d of %d rays hit something", met, len(hits))
	}
	for k := range sample {
		i := k * len(rs) / sample
		want := nothing
		for t := range s.triangles {
			if d, ok := s.triangles[t].meet(&rs[i]); ok && d < want.distance {
				want = hit{int32(t), d}
			}
		}
		if hits[i].distance != want.distance { // where edges meet several triangles are hit
			return fmt.Errorf("ray %d: hit %v, want %v", i, hits[i], want)
		}
	}
	return nil
}

// count returns the leaves below n.
func count(n *node) int {
	if n.low == nil {
		return 1
	}
	return count(n.low) + count(n.high)
}

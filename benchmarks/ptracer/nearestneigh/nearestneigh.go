package nearestneigh

import (
	"fmt"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/blocks"
	"taskinstr/benchmarks/ptracer/space"
)

const wanted = 4 // neighbors

func run(in input, racy bool) error {
	points := sphere(in.points)
	index := make([]int32, len(points))
	for i := range index {
		index[i] = int32(i)
	}
	var root node
	root.build(points, index, racy)
	if racy {
		return nil
	}
	found := make([]neighbors, len(points))
	blocks.Each(len(points), in.block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			root.search(points, int32(i), &found[i])
		}
	})
	return check(points, found)
}

// sphere returns points in a ball, half of them near its surface.
func sphere(n int) []space.Vector {
	r := rand.New(rand.NewPCG(17, 18))
	points := make([]space.Vector, 0, n)
	for len(points) < n {
		v := space.Vector{2*r.Float64() - 1, 2*r.Float64() - 1, 2*r.Float64() - 1}
		rr := v.Dot(v)
		if rr > 1 || rr < 0.9 && r.IntN(4) > 0 {
			continue
		}
		points = append(points, v)
	}
	return points
}

const sample = 200 // points that are looked up by hand

func check(points []space.Vector, found []neighbors) error {
	for k := range sample {
		i := k * len(points) / sample
		var want neighbors
		for j := range points {
			d := points[i].Sub(points[j])
			if dd := d.Dot(d); j != i && dd < want.limit(dd+1) {
				want.insert(int32(j), dd)
			}
		}
		if found[i] != want {
			return fmt.Errorf("point %d: neighbors %v, want %v", i, found[i], want)
		}
	}
	for i := range found {
		if found[i].count != wanted {
			return fmt.Errorf("point %d has %d neighbors, want %d", i, found[i].count, wanted)
		}
	}
	return nil
}

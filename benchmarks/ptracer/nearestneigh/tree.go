package nearestneigh

import (
	"sync"

	"taskinstr/benchmarks/ptracer/space"
)

const (
	leafPoints = 12
	taskPoints = 200 // more are built by two tasks
)

// A node is a leaf, with points, or has two nodes below it.
type node struct {
	box       space.Box
	low, high *node
	points    []int32
}

// build makes the tree of the points of that index, which it reorders.
func (n *node) build(points []space.Vector, index []int32, racy bool) {
	if len(index) <= leafPoints {
		n.box = space.Empty()
		for _, i := range index {
			n.box.Include(points[i])
		}
		n.points = index
		return
	}
	bounds := space.Empty()
	for _, i := range index {
		bounds.Include(points[i])
	}
	axis, half := bounds.Axis(), len(index)/2
	space.Select(index, half, func(i int32) float64 { return points[i][axis] })
	n.low, n.high = new(node), new(node)
	var wg sync.WaitGroup
	if len(index) > taskPoints {
		wg.Go(func() { n.low.build(points, index[:half], false) })
	} else {
		n.low.build(points, index[:half], false)
	}
	n.high.build(points, index[half:], false)
	if !racy {
		wg.Wait()
	}
	n.box = n.low.box.Join(n.high.box)
	wg.Wait()
}

// neighbors are the nearest ones that have been found, in ascending distance.
type neighbors struct {
	count     int
	points    [wanted]int32
	distances [wanted]float64 // squared
}

// limit is the distance that a further neighbor must be below; far is any distance.
func (ns *neighbors) limit(far float64) float64 {
	if ns.count < wanted {
		return far
	}
	return ns.distances[wanted-1]
}

func (ns *neighbors) insert(point int32, distance float64) {
	k := ns.count
	if k < wanted {
		ns.count++
	} else {
		k--
	}
	for ; k > 0 && ns.distances[k-1] > distance; k-- {
		ns.distances[k], ns.points[k] = ns.distances[k-1], ns.points[k-1]
	}
	ns.distances[k], ns.points[k] = distance, point
}

// search adds the neighbors of a point that are below n.
func (n *node) search(points []space.Vector, point int32, ns *neighbors) {
	v := points[point]
	for _, i := range n.points {
		if i == point {
			continue
		}
		d := v.Sub(points[i])
		if dd := d.Dot(d); dd < ns.limit(dd+1) {
			ns.insert(i, dd)
		}
	}
	if n.low == nil {
		return
	}
	near, far := n.low, n.high
	dn, df := near.box.Distance(v), far.box.Distance(v)
	if df < dn {
		near, far, dn, df = far, near, df, dn
	}
	if dn < ns.limit(dn+1) {
		near.search(points, point, ns)
	}
	if df < ns.limit(df+1) {
		far.search(points, point, ns)
	}
}

package kmeans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
)

const dimensions = 4

type vector [dimensions]float64

func (v *vector) distance(w *vector) float64 { // squared
	sum := 0.0
	for d := range v {
		sum += (v[d] - w[d]) * (v[d] - w[d])
	}
	return sum
}

// A mean is of the points of one center, while they are added up.
type mean struct {
	sum   vector
	count int
}

type clustering struct {
	points  []vector
	centers []vector
	nearest []int // center of each point

	mu        sync.Mutex // guards the sums to which tasks add
	means     []mean
	moved     int     // points that changed their center
	objective float64 // sum of squared distances
}

func run(in input, racy bool) error {
	c := newClustering(in)
	before := math.Inf(1)
	for round := range in.rounds {
		c.means, c.moved, c.objective = make([]mean, in.clusters), 0, 0
		locked := !racy || round > 0
		blocks.Each(in.points, in.block, func(lo, hi int) { c.assign(lo, hi, locked) })
		if racy {
			continue
		}
		// Sums of different order differ in their last bits.
		if c.objective > before*(1+1e-12) {
			return fmt.Errorf("round %d: the objective rose from %g to %g", round, before, c.objective)
		}
		before = c.objective
		if c.moved == 0 {
			break
		}
		c.move()
	}
	if racy {
		return nil
	}
	return c.check()
}

// newClustering makes points around as many places as there are clusters; the first points are the first centers.
func newClustering(in input) *clustering {
	r := rand.New(rand.NewPCG(3, 4))
	places := make([]vector, in.clusters)
	for i := range places {
		for d := range places[i] {
			places[i][d] = 10 * r.Float64()
		}
	}
	c := &clustering{points: make([]vector, in.points), nearest: make([]int, in.points)}
	for i := range c.points {
		place := &places[r.IntN(in.clusters)]
		for d := range c.points[i] {
			c.points[i][d] = place[d] + r.NormFloat64()
		}
		c.nearest[i] = -1
	}
	c.centers = append(c.centers, c.points[:in.clusters]...)
	return c
}

// assign finds the nearest centers of the points [lo, hi).
func (c *clustering) assign(lo, hi int, locked bool) {
	means := make([]mean, len(c.centers))
	moved, objective := 0, 0.0
	for i := lo; i < hi; i++ {
		p := &c.points[i]
		best, distance := c.closest(p)
		if c.nearest[i] != best {
			c.nearest[i] = best
			moved++
		}
		objective += distance
		m := &means[best]
		for d := range p {
			m.sum[d] += p[d]
		}
		m.count++
	}
	if locked {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	c.moved += moved
	c.objective += objective
	for i := range means {
		m := &c.means[i]
		m.count += means[i].count
		for d := range m.sum {
			m.sum[d] += means[i].sum[d]
		}
	}
}

func (c *clustering) closest(p *vector) (center int, distance float64) {
	distance = math.Inf(1)
	for i := range c.centers {
		if d := c.centers[i].distance(p); d < distance {
			center, distance = i, d
		}
	}
	return center, distance
}

// move puts the centers where their points are; one without points stays.
func (c *clustering) move() {
	for i := range c.centers {
		if m := &c.means[i]; m.count > 0 {
			for d := range m.sum {
				c.centers[i][d] = m.sum[d] / float64(m.count)
			}
		}
	}
}

// check recomputes the means from the assignment. After the last round of several the
// centers have moved once more than the points were assigned.
func (c *clustering) check() error {
	means := make([]mean, len(c.centers))
	for i := range c.points {
		m := &means[c.nearest[i]]
		m.count++
		for d, v := range c.points[i] {
			m.sum[d] += v
		}
		if c.moved > 0 {
			continue
		}
		if best, distance := c.closest(&c.points[i]); best != c.nearest[i] {
			return fmt.Errorf("point %d is with center %d, and center %d is at distance %g", i, c.nearest[i], best, distance)
		}
	}
	for i := range means {
		if means[i].count != c.means[i].count {
			return fmt.Errorf("center %d has %d points, want %d", i, c.means[i].count, means[i].count)
		}
		for d, sum := range means[i].sum {
			want := sum / float64(means[i].count)
			if means[i].count > 0 && !(math.Abs(c.centers[i][d]-want) < 1e-9) {
				return fmt.Errorf("coordinate %d of center %d is %g, want %g", d, i, c.centers[i][d], want)
			}
		}
	}
	return nil
}

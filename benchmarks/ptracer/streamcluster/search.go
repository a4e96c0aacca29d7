package streamcluster

import (
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
)

const dimensions = 16

type vector [dimensions]float64

func (v *vector) distance(w *vector) float64 { // squared, as in PARSEC
	sum := 0.0
	for d := range v {
		sum += (v[d] - w[d]) * (v[d] - w[d])
	}
	return sum
}

type point struct {
	place  vector
	weight float64
	center int     // index of a point
	cost   float64 // weight times distance from center
}

// A search clusters the points of one chunk.
type search struct {
	points []point
	block  int
	price  float64 // of a center
	open   []int   // centers
	slot   []int   // of each point, its place in open, or -1
	random *rand.Rand
	racy   bool // no mutex for the first candidate

	mu    sync.Mutex
	saved float64
	lost  [][]float64 // by block and slot
}

func newSearch(points []point, block int, racy bool) *search {
	s := &search{points: points, block: block, racy: racy, random: rand.New(rand.NewPCG(21, uint64(len(points))))}
	s.lost = make([][]float64, (len(points)+block-1)/block)
	s.slot = make([]int, len(points))
	return s
}

// cost returns the cost of all points and centers.
func (s *search) cost() float64 {
	sum := s.price * float64(len(s.open))
	for i := range s.points {
		sum += s.points[i].cost
	}
	return sum
}

// run searches for a price at which there are least to most centers; costs has
// the cost before and after every candidate that was opened.
func (s *search) run(least, most int, costs func(before, after float64)) {
	low, high := 0.0, 0.0
	first := s.points[0].place
	for i := range s.points {
		high += s.points[i].weight * s.points[i].place.distance(&first)
	}
	const closeEnough = 0.999
	for low < closeEnough*high {
		s.price = (low + high) / 2
		s.start()
		s.improve(costs)
		switch k := len(s.open); {
		case k > most:
			low = s.price
		case k < least:
			high = s.price
		default:
			return
		}
	}
}

// start opens centers at random: a point the more likely, the farther it is from the
// centers before it (Meyerson).
func (s *search) start() {
	s.open = s.open[:0]
	for i := range s.slot {
		s.slot[i] = -1
	}
	for i := range s.points {
		p := &s.points[i]
		best, cost := -1, 0.0
		for _, c := range s.open {
			if d := p.weight * p.place.distance(&s.points[c].place); best < 0 || d < cost {
				best, cost = c, d
			}
		}
		if best < 0 || s.random.Float64() < cost/s.price {
			s.slot[i] = len(s.open)
			s.open = append(s.open, i)
			best, cost = i, 0
		}
		p.center, p.cost = best, cost
	}
}

// improve tries random points as centers until a good part of them brought nothing.
func (s *search) improve(costs func(before, after float64)) {
	const patience = 3 // candidates for each center
	before := s.cost()
	for idle := 0; idle < patience*(len(s.open)+2); idle++ {
		if s.try(s.random.IntN(len(s.points))) {
			after := s.cost()
			costs(before, after)
			before, idle = after, 0
		}
	}
}

// try makes a point a center, and closes centers that are too expensive then, if the
// cost falls.
func (s *search) try(candidate int) bool {
	if s.slot[candidate] >= 0 {
		return false
	}
	s.saved = 0
	locked := !s.racy
	s.racy = false
	blocks.Each(len(s.points), s.block, func(lo, hi int) { s.gain(candidate, lo, hi, locked) })
	gain := s.saved - s.price
	closed := make([]bool, len(s.open))
	for k := range s.open {
		lost := 0.0
		for _, row := range s.lost {
			lost += row[k]
		}
		if lost < s.price {
			closed[k] = true
			gain += s.price - lost
		}
	}
	if gain <= 1e-9*s.price {
		return false
	}
	blocks.Each(len(s.points), s.block, func(lo, hi int) { s.move(candidate, lo, hi, closed) })
	var open []int
	for k, c := range s.open {
		s.slot[c] = -1
		if !closed[k] {
			s.slot[c] = len(open)
			open = append(open, c)
		}
	}
	s.slot[candidate] = len(open)
	s.open = append(open, candidate)
	return true
}

// gain sums up the savings of the points [lo, hi) with the candidate as a further center, and
// the losses if the other points have to move to the candidate as well.
func (s *search) gain(candidate, lo, hi int, locked bool) {
	place := s.points[candidate].place
	lost := make([]float64, len(s.open))
	saved := 0.0
	for i := lo; i < hi; i++ {
		p := &s.points[i]
		if d := p.weight * p.place.distance(&place); d < p.cost {
			saved += p.cost - d
		} else {
			lost[s.slot[p.center]] += d - p.cost
		}
	}
	s.lost[lo/s.block] = lost
	if locked {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.saved += saved
}

// move assigns to the candidate the points of [lo, hi) that are nearer to it than to their center,
// or have lost their center.
func (s *search) move(candidate, lo, hi int, closed []bool) {
	place := s.points[candidate].place
	for i := lo; i < hi; i++ {
		p := &s.points[i]
		if d := p.weight * p.place.distance(&place); d < p.cost || closed[s.slot[p.center]] {
			p.center, p.cost = candidate, d
		}
	}
}

package streamcluster

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// spread is the deviation of each coordinate from the place that a point is made around.
const spread = 0.08

func run(in input, racy bool) error {
	r := rand.New(rand.NewPCG(22, 23))
	places := make([]vector, in.places)
	for i := range places {
		for d := range places[i] {
			places[i][d] = r.Float64()
		}
	}
	var all []point // the stream, for the check only
	var centers []point
	for c := range in.chunks {
		chunk := make([]point, in.chunk)
		for i := range chunk {
			chunk[i] = point{place: places[r.IntN(len(places))], weight: 1}
			for d := range chunk[i].place {
				chunk[i].place[d] += spread * r.NormFloat64()
			}
		}
		all = append(all, chunk...)
		found, err := cluster(chunk, in, racy && c == 0)
		if err != nil {
			return fmt.Errorf("chunk %d: %w", c, err)
		}
		if racy {
			return nil
		}
		centers = append(centers, found...)
	}
	final, err := cluster(centers, in, false)
	if err != nil {
		return fmt.Errorf("the centers of all chunks: %w", err)
	}
	return check(all, final, places)
}

// cluster returns the centers of the points, with the weights of their points.
func cluster(points []point, in input, racy bool) ([]point, error) {
	s := newSearch(points, in.block, racy)
	var err error
	costs := func(before, after float64) {
		if err == nil && after > before*(1+1e-9) {
			err = fmt.Errorf("a step raised the cost from %g to %g", before, after)
		}
	}
	s.run(in.places, 2*in.places, costs)
	if racy {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.centers()
}

// centers checks the assignment and returns the centers as points.
func (s *search) centers() ([]point, error) {
	found := make([]point, len(s.open))
	for k, c := range s.open {
		found[k].place = s.points[c].place
	}
	for i := range s.points {
		p := &s.points[i]
		k := s.slot[p.center]
		if k < 0 {
			return nil, fmt.Errorf("point %d is with %d, which is no center", i, p.center)
		}
		want := p.weight * p.place.distance(&found[k].place)
		if !(math.Abs(p.cost-want) <= 1e-9*(1+want)) {
			return nil, fmt.Errorf("point %d costs %g, want %g", i, p.cost, want)
		}
		found[k].weight += p.weight
	}
	return found, nil
}

// worse is how many times the cost of the places the result may cost.
const worse = 4

func check(all, final []point, places []vector) error {
	weight, cost, limit := 0.0, 0.0, 0.0
	for i := range final {
		weight += final[i].weight
	}
	if weight != float64(len(all)) {
		return fmt.Errorf("the centers have %g points, want %d", weight, len(all))
	}
	if n := len(final); n < len(places) || n > 2*len(places) {
		return fmt.Errorf("%d centers, want %d to %d", n, len(places), 2*len(places))
	}
	for i := range all {
		p := &all[i].place
		best := math.Inf(1)
		for k := range final {
			best = min(best, p.distance(&final[k].place))
		}
		cost += best
		best = math.Inf(1)
		for k := range places {
			best = min(best, p.distance(&places[k]))
		}
		limit += worse * best
	}
	if !(cost <= limit) {
		return fmt.Errorf("the cost is %g, want at most %g", cost, limit)
	}
	return nil
}

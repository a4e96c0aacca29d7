package suite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The estimate is near the probability of an unseen graph, which is known here.
func TestUnseen(t *testing.T) {
	const kinds, runs, trials = 40, 100, 300
	weight := func(i int) float64 { return math.Pow(0.85, float64(i)) }
	total := 0.0
	for i := range kinds {
		total += weight(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var estimated, actual float64
	for range trials {
		var c coverage
		for range runs {
			x, i := rng.Float64()*total, 0
			for x > weight(i) && i < kinds-1 {
				x -= weight(i)
				i++
			}
			c.add(map[string]int{fmt.Sprint(i): 1}, 9)
		}
		estimated += c.unseen()
		for i := range kinds {
			if c.graphs[fmt.Sprint(i)] == 0 {
				actual += weight(i) / total
			}
		}
	}
	if estimated /= trials; math.Abs(estimated-actual/trials) > 0.01 {
		t.Errorf("the estimate is %.3f, the probability %.3f", estimated, actual/trials)
	}
}

func TestSaturated(t *testing.T) {
	var c coverage
	if c.saturated() || c.unseen() != 1 {
		t.Error("nothing has run")
	}
	for n := 1; n <= fewRuns; n++ {
		c.add(map[string]int{"a": 1}, harness)
		if c.saturated() != (n == fewRuns) {
			t.Errorf("nothing to choose, %d runs: %v", n, c.saturated())
		}
	}
	c.add(map[string]int{"a": 1}, 999)
	if c.saturated() {
		t.Error("one graph, few runs")
	}
	c.add(map[string]int{"b": 1, "a": 60}, 999)
	if c.saturated() {
		t.Error("a graph was seen only once")
	}
	c.add(map[string]int{"b": 1, "c": 2}, 999)
	if c.saturated() {
		t.Error("a graph is new")
	}
	c.add(map[string]int{"a": 70}, 999)
	if !c.saturated() || c.unseen() > 0.01 {
		t.Errorf("nothing is new: %+v", c)
	}
}

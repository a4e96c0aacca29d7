package suite

// A coverage is what is known about the graphs that the schedules of a test have.
type coverage struct {
	runs    int // schedules with a known graph
	workers int // the greatest number of goroutines in one of them
	graphs  map[string]int
	once    int // graphs that exactly one schedule had
	newest  int // the number of runs when the newest graph was seen
	least   int // the number of runs before which the test is not saturated, see bound.go
}

const (
	// fewRuns is the number of schedules after which a test stops in which there was nothing
	// to choose.
	fewRuns = 3

	// harness is the number of goroutines of a test without goroutines of its own: main and the
	// one that package testing starts for the test.
	harness = 2

	// someRuns is the least number of schedules of another test.
	someRuns = 50
)

// add adds the graphs of a number of schedules.
func (c *coverage) add(graphs map[string]int, goroutines int) {
	c.workers = max(c.workers, goroutines)
	if c.graphs == nil {
		c.graphs = map[string]int{}
	}
	for hash, n := range graphs {
		old := c.graphs[hash]
		c.graphs[hash] = old + n
		c.runs += n
		if old == 0 {
			c.newest = c.runs
		}
		if old == 0 && n == 1 {
			c.once++
		} else if old == 1 {
			c.once--
		}
	}
}

// unseen estimates the probability that the next schedule has a new graph. Without any run it
// is 1.
func (c *coverage) unseen() float64 {
	switch {
	case c.runs == 0:
		return 1
	case c.nothingToChoose():
		return 0
	}
	return float64(max(c.once, 1)) / float64(c.runs)
}

// nothingToChoose reports whether the test has no goroutines of its own, in each of some
// schedules.
func (c *coverage) nothingToChoose() bool {
	return c.workers <= harness && c.runs >= fewRuns
}

// saturated reports whether further schedules are not expected to show anything new: there was
// nothing to choose, or no graph was seen only once, none was new in the second half of the
// schedules, and no strategy has schedules left within its bound.
func (c *coverage) saturated() bool {
	return c.nothingToChoose() || c.runs >= max(someRuns, c.least) && c.once == 0 && c.runs >= 2*c.newest
}

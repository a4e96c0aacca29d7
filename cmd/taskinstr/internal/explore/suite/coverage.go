package suite

// A coverage is what is known about the graphs that the schedules of a test have.
type coverage struct {
	runs   int // schedules with a known graph
	graphs map[string]int
	once   int // graphs that exactly one schedule had
	newest int // the number of runs when the newest graph was seen
}

const (
	// fewRuns is the number of schedules after which a test stops that has shown one graph
	// only: nothing in it depends on the schedule, or so rarely that the numbers below would
	// not help either.
	fewRuns = 20

	// someRuns is the least number of schedules of a test that has shown several graphs.
	someRuns = 50
)

// add adds the graphs of a number of schedules.
func (c *coverage) add(graphs map[string]int) {
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
	if c.runs == 0 {
		return 1
	}
	return float64(max(c.once, 1)) / float64(c.runs)
}

// saturated reports whether further schedules are not expected to show anything new: one graph
// in all of fewRuns, or no graph that was seen only once and none that was new in the second
// half of the schedules.
func (c *coverage) saturated() bool {
	if len(c.graphs) == 1 {
		return c.runs >= fewRuns
	}
	return c.runs >= someRuns && c.once == 0 && c.runs >= 2*c.newest
}

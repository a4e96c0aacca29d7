package suite

import (
	"math"

	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/detector/schedule"
)

// least returns the number of schedules that a test has before it may count as saturated. A strategy with a bound chooses among a
// known number of placements of its preemptions, and most of them lead to the same few graphs. So schedules that show nothing new
// do not tell that the rare placements show nothing, until there were as many schedules as placements.
func (u *unit) least(o *options) int {
	n := 0
	for _, s := range o.strategies {
		var p schedule.Plan
		if !p.Parse(s) || p.Kind != schedule.KindPreempt {
			continue
		}
		steps := int(p.Steps)
		if steps == 0 {
			steps = local.Steps(u.counts)
		}
		n = max(n, placements(steps, int(p.Bound)))
	}
	if n > math.MaxInt/len(o.strategies) {
		return math.MaxInt
	}
	return n * len(o.strategies) // they take turns
}

// placements returns the number of sets of n steps out of k, math.MaxInt if it is larger or k is not known (0).
func placements(k, n int) int {
	if k == 0 {
		return math.MaxInt
	}
	sets := 1
	for i := range min(n, k) {
		if sets > math.MaxInt/k {
			return math.MaxInt
		}
		sets = sets * (k - i) / (i + 1)
	}
	return sets
}

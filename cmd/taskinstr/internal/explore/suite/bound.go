package suite

import (
	"math"
	"strconv"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/local"
)

const (
	bounded = "preempt" // the strategy

	// defaultBound is the number of its preemptions unless the setting b names another one
	// (detector/schedule/plan.go).
	defaultBound = 2
)

// least returns the number of schedules that a test has before it may count as saturated. A strategy with a bound chooses among a
// known number of placements of its preemptions, and most of them lead to the same few graphs. So schedules that show nothing new
// do not tell that the rare placements show nothing, until there were as many schedules as placements.
func (u *unit) least(o *options) int {
	n := 0
	for _, s := range o.strategies {
		name, setting, _ := strings.Cut(s, ":")
		if name != bounded {
			continue
		}
		n = max(n, placements(steps(u.counts, setting), bound(setting)))
	}
	if n > math.MaxInt/len(o.strategies) {
		return math.MaxInt
	}
	return n * len(o.strategies) // they take turns
}

// steps returns the number of steps of a test: the one that the setting k of a strategy names, or else that of a recorded schedule.
// It returns 0 if there is no record yet.
func steps(record, setting string) int {
	if n, ok := parameter(setting, "k"); ok {
		return n
	}
	return local.Steps(record)
}

// bound returns the number of preemptions of a schedule.
func bound(setting string) int {
	if n, ok := parameter(setting, "b"); ok {
		return n
	}
	return defaultBound
}

// parameter returns the value of a number in the setting of a strategy, such as b=3,k=400.
func parameter(setting, name string) (int, bool) {
	for word := range strings.SplitSeq(setting, ",") {
		if key, value, _ := strings.Cut(word, "="); key == name {
			n, err := strconv.Atoi(value)
			return n, err == nil
		}
	}
	return 0, false
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

package schedule

// A Lapse decides by chance whether time passes at a point. A virtual clock stands still while tasks run.
// If two timers are due at nearly the same time, the second one would never fire before
// what the first one woke has ended or waits. So the clock may move to a timer that is due soon. It
// does not move to a later one, for which a program has time enough.
type Lapse struct {
	rng rng
	on  bool // Init was called
}

const (
	// lapseSoon is the time, in nanoseconds, within which a timer is due soon: that of some ten to a hundred readings of the
	// clock.
	lapseSoon = 10_000

	// A timer that is due soon fires at one of lapseOdds points.
	lapseOdds = 2
)

func (l *Lapse) Init(seed uint64) {
	l.rng = rng(^seed) // other numbers than those of the strategy
	l.on = true
}

// Due reports whether the clock moves to a timer that is due in wait nanoseconds.
func (l *Lapse) Due(wait int64) bool {
	return l.on && wait <= lapseSoon && l.rng.below(lapseOdds) == 0
}

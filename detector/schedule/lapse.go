package schedule

// A Lapse decides how time passes at points. A virtual clock stands still while tasks run, apart from two cases.
//
// If two timers are due at nearly the same time, the second one would never fire before what the first one woke has
// ended or waits. So the clock may move, by chance, to a timer that is due soon. It does not move to a later one,
// for which a program has time enough.
//
// If some task can always run, no timer would ever fire. So each point takes time, from the moment on at which the tasks have come
// to more points than a program usually has between two moments at which all its tasks wait.
type Lapse struct {
	rng    rng
	on     bool   // Init was called
	points uint64 // since all tasks waited
	waits  uint32 // how often all tasks have waited
}

const (
	// lapseSoon is the time, in nanoseconds, within which a timer is due soon: that of some ten to a hundred readings of the
	// clock.
	lapseSoon = 10_000

	// A timer that is due soon fires at one of lapseOdds points.
	lapseOdds = 2

	// The first points take no time. Later ones take what an operation takes in a run without a schedule. The ones after many
	// take what it takes with checks on a busy machine, so that a timer of a second fires after a million points.
	lapseFree     = 10_000
	lapseMany     = 100_000
	lapseTime     = 100   // of a point after lapseFree, in nanoseconds
	lapseLongTime = 1_000 // of a point after lapseMany
)

func (l *Lapse) Init(seed uint64) {
	l.rng = rng(^seed) // other numbers than those of the strategy
	l.on = true
}

// Due reports whether the clock moves to a timer that is due in wait nanoseconds.
func (l *Lapse) Due(wait int64) bool {
	return l.on && wait <= lapseSoon && l.rng.below(lapseOdds) == 0
}

// Point counts a point. It returns the time, in nanoseconds, by which the clock moves there.
func (l *Lapse) Point() int64 {
	l.points++
	switch {
	case l.points > lapseMany:
		return lapseLongTime
	case l.points > lapseFree:
		return lapseTime
	}
	return 0
}

// Idle notes that no task could run: all waited for a timer or the system.
func (l *Lapse) Idle() {
	l.points = 0
	l.waits++
}

// Waits returns how often no task could run.
func (l *Lapse) Waits() uint32 { return l.waits }

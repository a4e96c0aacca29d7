//go:build taskinstr_runtime

// Counters at exit (TASKINSTR=stats=1).

package runtime

func tr_putStats() {
	var s ti_Stats
	tr_engine.Stats(&s)
	tr_puts("taskinstr: counters at exit\n")
	tr_putChecks()
	tr_putStat("tasks forked", s.Forked)
	tr_putStat("tasks live", uint64(s.Live))
	tr_putStat("tasks known", uint64(s.Tasks))
	tr_putStat("height of the structure tree", uint64(s.Height)+1)
	tr_putStat("steps with accesses", s.Steps)
	tr_putStat("joins of the tree", s.TreeJoins)
	tr_putStat("other joins", s.Joins)
	tr_putStat("acquires of what precedes", s.Ordered)
	tr_putStat("checks of order", s.Checks)
	tr_putStat("searches", s.Searches)
	tr_putStat("places visited by searches", s.Visited)
	tr_putStat("histories changed", s.Recorded)
	tr_putStat("words with a cell", uint64(s.Cells))
	tr_putStat("lists of readers", uint64(s.Lists))
	tr_putStat("locks taken", s.Locks)
	tr_putStat("pairs that a lock protects", s.Protected)
	tr_putStat("accesses past full lists", s.Overflows)
	tr_putStat("places of accesses", uint64(s.Origins))
	tr_putStat("calling contexts", uint64(s.Frames))
	tr_putStat("locksets", uint64(s.Locksets))
	tr_putStat("64 KiB of memory with a history", uint64(s.Chunks))
	tr_putStat("sweeps", uint64(s.Sweeps))
	tr_putStat("races", s.Races)
	tr_putStat("detector bytes", s.Committed)
}

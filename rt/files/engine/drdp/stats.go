//go:build taskinstr_runtime

package runtime

// tr_putOwnStats writes the counters of package detector/serial/drdp.
func tr_putOwnStats(s *ti_Stats) {
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
	tr_putTables(s)
}

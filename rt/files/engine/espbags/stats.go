//go:build taskinstr_runtime

package runtime

// tr_putOwnStats writes the counters of package espbags.
func tr_putOwnStats(s *ti_Stats) {
	tr_putStat("tasks past their scope's end", s.Late)
	tr_putStat("unions of bags", s.Unions)
	tr_putStat("histories changed", s.Recorded)
	tr_putStat("words with a cell", uint64(s.Cells))
	tr_putStat("accesses past full lists", s.Overflows)
	tr_putTables(s)
}

//go:build taskinstr_runtime

package runtime

// tr_inexact returns the number of tasks that were too many for exact clocks.
func tr_inexact() uint64 {
	var s ti_Stats
	tr_engine.Stats(&s)
	return uint64(s.Inexact)
}

// tr_putOwnStats writes the counters of the parallel engine.
func tr_putOwnStats(s *ti_Stats) {
	tr_putStat("access records", uint64(s.Records))
	tr_putStat("access lists", uint64(s.Lists))
	tr_putStat("pages of clocks", uint64(s.Clocks))
	tr_putStat("tasks beyond exact clocks", uint64(s.Inexact))
	tr_putStat("locks without predictions", uint64(s.Relaxed))
	tr_putStat("sync objects", uint64(s.Objects))
	tr_putStat("critical sections", uint64(s.Sections))
	tr_putStat("shadow blocks", uint64(s.Blocks))
	tr_putStat("shadow blocks of cells", uint64(s.Pages))
	tr_putStat("words split into bytes", uint64(s.Splits))
	tr_putStat("calling contexts", uint64(s.Frames))
	tr_putStat("sweeps", uint64(s.Sweeps))
	tr_putStat("waits for the detector's locks", uint64(s.LockWaits))
	tr_putStat("races", uint64(s.Races))
	tr_putStat("predicted races", uint64(s.Predicted))
}

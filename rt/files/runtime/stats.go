//go:build taskinstr_runtime

package runtime

// tr_putOwnStats writes the counters of the parallel engine.
func tr_putOwnStats(s *ti_Stats) {
	tr_putStat("access records", uint64(s.Records))
	tr_putStat("access lists", uint64(s.Lists))
	tr_putStat("clock nodes", uint64(s.Clocks))
	tr_putStat("sync objects", uint64(s.Objects))
	tr_putStat("released epochs", uint64(s.Epochs))
	tr_putStat("critical sections", uint64(s.Sections))
	tr_putStat("shadow blocks", uint64(s.Blocks))
	tr_putStat("shadow blocks of cells", uint64(s.Pages))
	tr_putStat("words split into bytes", uint64(s.Splits))
	tr_putStat("calling contexts", uint64(s.Frames))
	tr_putStat("sweeps", uint64(s.Sweeps))
	tr_putStat("races", uint64(s.Races))
	tr_putStat("predicted races", uint64(s.Predicted))
}

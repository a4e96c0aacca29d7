//go:build taskinstr_runtime

// Counters at exit (TASKINSTR=stats=1).

package runtime

// tr_putStats writes the counters that all detectors have and, in between, the own counters
// of the linked detector.
func tr_putStats() {
	var s ti_Stats
	tr_engine.Stats(&s)
	tr_puts("taskinstr: counters at exit\n")
	tr_putChecks()
	tr_putStat("tasks forked", s.Forked)
	tr_putStat("tasks live", uint64(s.Live))
	tr_putStat("tasks known", uint64(s.Tasks))
	tr_putOwnStats(&s)
	tr_putStat("detector bytes", s.Committed)
}

// tr_putStat writes the line of one counter.
func tr_putStat(name string, v uint64) {
	tr_puts("  ")
	tr_puts(name)
	for n := len(name); n < 32; n++ {
		tr_putc(' ')
	}
	tr_putn(v)
	tr_puts("\n")
}

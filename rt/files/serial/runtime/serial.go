//go:build taskinstr_runtime

// What the detectors of serial execution ask of their host, as package runtime gives it,
// besides what package detector asks.

package runtime

import "unsafe"

func ti_hostClear(p unsafe.Pointer, n uintptr) { memclrNoHeapPointers(p, n) }

func ti_hostEqual(p, q unsafe.Pointer, n uintptr) bool { return memequal(p, q, n) }

// tr_putTables writes the counters of the tables that these detectors have alike.
func tr_putTables(s *ti_Stats) {
	tr_putStat("places of accesses", uint64(s.Origins))
	tr_putStat("calling contexts", uint64(s.Frames))
	tr_putStat("locksets", uint64(s.Locksets))
	tr_putStat("64 KiB of memory with a history", uint64(s.Chunks))
	tr_putStat("sweeps", uint64(s.Sweeps))
	tr_putStat("races", s.Races)
}

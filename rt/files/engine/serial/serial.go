//go:build taskinstr_runtime

// The host functions that detectors of serial execution need besides the functions of packages
// mem and parallel.

package runtime

import "unsafe"

// A se_host is empty: the shared engine calls the algorithm of tr_engine directly.
type se_host struct{}

func ti_hostBind(e *ti_Engine) {}

func se_hostReport(e *se_Engine, r *se_Report) { ti_hostReport(&tr_engine, r) }

func me_Equal(p, q unsafe.Pointer, n uintptr) bool { return memequal(p, q, n) }

// tr_putTables writes the counters of the tables that these detectors have alike.
func tr_putTables(s *ti_Stats) {
	tr_putStat("places of accesses", uint64(s.Origins))
	tr_putStat("calling contexts", uint64(s.Frames))
	tr_putStat("locksets", uint64(s.Locksets))
	tr_putStat("64 KiB of memory with a history", uint64(s.Chunks))
	tr_putStat("sweeps", uint64(s.Sweeps))
	tr_putStat("races", s.Races)
}

//go:build taskinstr_runtime

// The number of checks that a program executes, for programs that were built to
// count them (-stats=checks): all, whatever the filter dismisses.

package runtime

import (
	"internal/cpu"
	"internal/runtime/atomic"
	_ "unsafe" // for go:linkname
)

// tr_checks counts by the lowest bits of the thread's id, so that threads seldom
// wait for each other's cache lines.
var tr_checks [16]struct {
	n atomic.Uint64
	_ [cpu.CacheLinePadSize - 8]byte
}

//go:linkname taskinstr_count
//go:nosplit
func taskinstr_count() {
	tr_checks[uint64(getg().m.id)%uint64(len(tr_checks))].n.Add(1)
}

// tr_putChecks writes the counter, where there is one.
func tr_putChecks() {
	var n uint64
	for i := range tr_checks {
		n += tr_checks[i].n.Load()
	}
	if n > 0 {
		tr_putStat("checks made", n)
	}
}

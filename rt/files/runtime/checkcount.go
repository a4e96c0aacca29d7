//go:build taskinstr_runtime

// The number of checks that a program executes, also of those that the filter holds back,
// for programs built with -stats=checks.

package runtime

import (
	"internal/cpu"
	"internal/runtime/atomic"
	"unsafe"
)

// tr_checks counts in the element given by the lowest bits of the thread's id, so that
// threads seldom contend for a cache line. alone counts the checks of tasks that are
// alone.
var tr_checks [16]struct {
	n, alone atomic.Uint64
	_        [cpu.CacheLinePadSize - 16]byte
}

//go:linkname taskinstr_count
//go:nosplit
func taskinstr_count() {
	gp := getg()
	c := &tr_checks[uint64(gp.m.id)%uint64(len(tr_checks))]
	c.n.Add(1)
	if t := (*ti_Task)(unsafe.Pointer(gp.racectx)); t != nil && tr_engine.Alone(t) {
		c.alone.Add(1)
	}
}

// tr_putChecks writes the counters if they are in use.
func tr_putChecks() {
	var n, alone uint64
	for i := range tr_checks {
		n += tr_checks[i].n.Load()
		alone += tr_checks[i].alone.Load()
	}
	if n > 0 {
		tr_putStat("checks made", n)
		tr_putStat("of these by a lone task", alone)
	}
}

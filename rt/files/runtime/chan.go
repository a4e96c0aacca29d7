//go:build taskinstr_runtime

// Channels as critical sections see them. A section that finds a channel neither
// closed nor ready goes another way than it would behind the section that closes it
// or sends, so that the two conflict as if they accessed the same memory.

package runtime

import "unsafe"

// tr_useChan is called at the entry of chansend and chanrecv.
//
//go:nosplit
func tr_useChan(c *hchan, send, block bool) {
	if c != nil && tr_opt.verdict {
		tr_noteChan(c, send, block)
	}
	tr_orderChan(c, send, block)
}

// tr_useSelect is called at the entry of selectgo, whose cases are sends first.
//
//go:nosplit
func tr_useSelect(cas0 *scase, nsends, nrecvs int, pc uintptr) {
	if tr_opt.verdict {
		tr_noteSelect(pc)
	}
	if !tr_ordered() {
		return
	}
	for i := 0; i < nsends+nrecvs; i++ {
		c := (*scase)(add(unsafe.Pointer(cas0), uintptr(i)*unsafe.Sizeof(scase{}))).c
		tr_orderChan(c, i < nsends, false)
	}
}

// tr_ordered reports whether the calling goroutine is in a critical section that
// others may conflict with.
//
//go:nosplit
func tr_ordered() bool {
	gp := getg()
	t := tr_taskOf(gp)
	return t != nil && gp == gp.m.curg && tr_engine.Ordered(t) && !tr_engine.Alone(t)
}

// tr_orderChan makes the present critical section one that uses c. An operation that
// is given up is like a read; others do not conflict with one another but with those.
//
//go:nosplit
func tr_orderChan(c *hchan, send, block bool) {
	if c == nil || !tr_ordered() {
		return
	}
	t := tr_taskOf(getg())
	systemstack(func() {
		k := ti_AtomicWrite
		if !block && c.closed == 0 && c.timer == nil && (send && full(c) || !send && empty(c)) {
			k = ti_Read
		}
		// The first byte is what racing closes and sends are found by.
		tr_engine.Order(t, uintptr(c.raceaddr())+1, k)
	})
}

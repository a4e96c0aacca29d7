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
	if tr_sched.on {
		tr_chanPoint(c, send, block)
	}
	if c != nil && !block && tr_opt.verdict {
		tr_notePoll()
	}
	if tr_tracing {
		if c != nil && !block {
			tr_traceOutside(tr_useOfSelect, uintptr(unsafe.Pointer(c)))
		}
		return
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
	if tr_tracing {
		tr_traceOutside(tr_useOfSelect, 0)
		return
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
	if c == nil || tr_tracing || !tr_ordered() {
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

// What a channel orders. Each call of racesync, racenotify and the like in package
// runtime says which operation it is made for.

// tr_racesync is called when the calling goroutine, which does what, and that of sg,
// which waits, exchange a value through an unbuffered channel: both sides are at hand,
// so nothing need be left in the channel.
//
//go:nosplit
func tr_racesync(c *hchan, sg *sudog, what int) {
	gp := sg.g
	if tr_tracing {
		tr_traceChan(c, getg(), tw_Meet, nil, what, gp)
		return
	}
	if tr_opt.verdict {
		tr_noteChan(c, getg(), what)
		tr_noteChan(c, gp, tr_chanSend+tr_chanReceive-what)
	}
	t := tr_taskOf(getg())
	u := tr_taskOf(gp)
	if t == nil || u == nil {
		return
	}
	tr_released(t)
	tr_released(u)
	systemstack(func() { tr_engine.Meet(t, u) })
}

// tr_racenotify is called for an operation on element i of a buffered channel, by the
// calling goroutine or that of sg.
//
//go:nosplit
func tr_racenotify(c *hchan, i uint, sg *sudog, what int) {
	gp := getg()
	if sg != nil {
		gp = sg.g
	}
	if !tr_tracing {
		if tr_opt.verdict {
			tr_noteChan(c, gp, what)
		}
		tr_notify(c, i, sg)
		return
	}
	if c.elemsize != 0 {
		tr_traceChan(c, gp, tw_ReleaseAcquire, chanbuf(c, i), what, nil)
		return
	}
	// All elements lie at one address: the first receive must not undo the second send.
	tr_traceChan(c, gp, tw_Acquire, chanbuf(c, i), 0, nil)
	tr_traceChan(c, gp, tw_Release, chanbuf(c, i), what, nil)
}

func tr_notify(c *hchan, i uint, sg *sudog) { racenotify(c, i, sg) }

// tr_raceclose is called by who closes a channel.
//
//go:nosplit
func tr_raceclose(c *hchan) {
	if tr_tracing {
		tr_traceChan(c, getg(), tw_Release, c.raceaddr(), tr_chanClose, nil)
		return
	}
	racerelease(c.raceaddr())
}

// tr_raceclosed is called for gp, which receives from a closed channel.
//
//go:nosplit
func tr_raceclosed(c *hchan, gp *g) {
	if tr_tracing {
		tr_traceChan(c, gp, tw_Acquire, c.raceaddr(), tr_chanClosed, nil)
		return
	}
	raceacquireg(gp, c.raceaddr())
}

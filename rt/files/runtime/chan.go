//go:build taskinstr_runtime

// The order that channels impose, also on critical sections. A section that finds a
// channel neither closed nor ready takes another path than it would after a section that
// sends to the channel or closes it. So the two sections conflict, as if they accessed
// the same memory.

package runtime

import (
	"internal/goarch"
	"unsafe"
)

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

// tr_useSelect is called at the entry of selectgo, whose cases begin with the sends.
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

// tr_ordered reports whether the calling goroutine is in a critical section with which
// another one may conflict.
//
//go:nosplit
func tr_ordered() bool {
	gp := getg()
	t := tr_taskOf(gp)
	return t != nil && gp == gp.m.curg && tr_engine.Ordered(t) && !tr_engine.Alone(t)
}

// tr_orderChan makes the present critical section one that uses c. An operation given up
// because c is not ready counts as a read. Other operations count as atomic writes, which
// conflict with reads but not with one another.
//
//go:nosplit
func tr_orderChan(c *hchan, send, block bool) {
	if c == nil || tr_tracing || !tr_ordered() {
		return
	}
	t := tr_taskOf(getg())
	systemstack(func() {
		k := ra_AtomicWrite
		if !block && c.closed == 0 && c.timer == nil && (send && full(c) || !send && empty(c)) {
			k = ra_Read
		}
		// Closes and sends that race are reported at the first byte, so Order gets the
		// second.
		tr_engine.Order(t, uintptr(c.raceaddr())+1, k)
	})
}

// The order between operations on a channel. Each call of racesync, racenotify and
// similar functions in package runtime names the operation for which it is made.

// tr_racesync is called when the calling goroutine, which performs operation op, and the
// waiting goroutine of sg exchange a value through an unbuffered channel. Both sides are
// present, so the channel need not hold an epoch.
//
//go:nosplit
func tr_racesync(c *hchan, sg *sudog, op int) {
	gp := sg.g
	if tr_tracing {
		tr_traceChan(c, getg(), tw_Meet, nil, op, gp)
		return
	}
	if tr_opt.verdict {
		tr_noteChan(c, getg(), op)
		tr_noteChan(c, gp, tr_chanSend+tr_chanReceive-op)
	}
	t := tr_taskOf(getg())
	u := tr_taskOf(gp)
	if t == nil || u == nil {
		return
	}
	tr_released(t)
	tr_released(u)
	if tr_sched.on {
		tr_graphMeet(gp)
	}
	systemstack(func() { tr_engine.Meet(t, u) })
}

// tr_racenotify is called for operation op on element i of a buffered channel by the
// calling goroutine, or by the goroutine of sg if sg is not nil.
//
//go:nosplit
func tr_racenotify(c *hchan, i uint, sg *sudog, op int) {
	gp := getg()
	if sg != nil {
		gp = sg.g
	}
	if tr_opt.verdict && !tr_tracing {
		tr_noteChan(c, gp, op)
	}
	p, own := tr_element(c, i, gp)
	switch {
	case own && tr_tracing:
		tr_traceChan(c, gp, tw_ReleaseAcquire, p, op, nil)
	case own:
		racereleaseacquireg(gp, p)
	// The first receive must not undo the second send.
	case tr_tracing:
		tr_traceChan(c, gp, tw_Acquire, p, 0, nil)
		tr_traceChan(c, gp, tw_Release, p, op, nil)
	default:
		raceacquireg(gp, p)
		racereleaseg(gp, p)
	}
}

// tr_element returns the address that stands for element i of c. The runtime keeps no memory for
// elements of size zero, so c gets addresses from the engine when gp makes the first operation. If
// there are none, own is false: all elements share one address.
//
//go:nosplit
func tr_element(c *hchan, i uint, gp *g) (p unsafe.Pointer, own bool) {
	if c.elemsize != 0 {
		return chanbuf(c, i), true
	}
	if t := tr_taskOf(gp); c.buf == c.raceaddr() && t != nil {
		owner := uintptr(c.buf)
		if tr_tracing {
			owner = 0 // a trace must not use an address for two channels
		}
		systemstack(func() {
			if base := tr_engine.Buffer(t, owner, uintptr(c.dataqsiz)); base != 0 {
				*(*uintptr)(unsafe.Pointer(&c.buf)) = base
			}
		})
	}
	if c.buf == c.raceaddr() {
		return c.buf, false
	}
	return add(c.buf, uintptr(i)*goarch.PtrSize), true
}

// tr_raceclose is called by a goroutine that closes a channel.
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

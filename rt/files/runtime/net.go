//go:build taskinstr_runtime

// The network inside of the program under a schedule (docs/design/schedule.md). A socket is local if its address is one that
// only this machine reaches, and its other side is a socket of the program as well. The blocking of goroutines on local
// sockets is known: when data is written, the receiver can run before the next choice, and while it waits for data that
// nobody has written yet, the program does not wait for the system.

package runtime

import "unsafe"

// tr_net holds the sockets by descriptor.
var tr_net struct {
	table uintptr // [size]tr_socket
	size  uintptr
	dirty bool   // something has been written, or ended, since the network was polled last
	polls uint32 // choices since the network was polled without need
}

// A tr_socket is an open descriptor that can wait for the network.
type tr_socket struct {
	pd       uintptr // *pollDesc, which is never freed; 0: not open
	kind     int32   // 0: the system may wake its waiters
	other    int32   // the descriptor of the other side, plus 1; 0: none yet
	ended    bool    // the other side is closed
	strange  bool    // what was expected has not come
	self     uint64
	peer     uint64
	sent     uint64
	received uint64
	pending  int32 // of a listener: connections made and not yet accepted
}

// The kinds of sockets, as in files/net/address.go.
const (
	tr_listener = 1 + iota
	tr_stream
	tr_datagram
	tr_unix // a stream whose sides have no names of their own; what is written is there at once
)

const (
	tr_maxSocket = 1 << 20

	// For so many times, of so many microseconds, data that was written may be on its way.
	tr_netTries = 400
	tr_netStep  = 50

	// A datagram that was sent arrives within so many microseconds.
	tr_datagramTime = 1000

	// The system may wake goroutines although the program keeps running: it is asked after so many choices.
	tr_netChoices = 256
)

// tr_socketOf returns the entry of a descriptor, nil if there is none.
//
//go:nosplit
func tr_socketOf(fd uintptr) *tr_socket {
	n := &tr_net
	if fd >= n.size {
		return nil
	}
	return (*tr_socket)(unsafe.Pointer(n.table + fd*unsafe.Sizeof(tr_socket{})))
}

// tr_netOpened is called when pd has been opened for its descriptor.
func tr_netOpened(pd *pollDesc) {
	n := &tr_net
	if pd.fd >= tr_maxSocket {
		return
	}
	systemstack(func() {
		if pd.fd >= n.size {
			size := max(1<<8, n.size)
			for size <= pd.fd {
				size *= 2
			}
			table := tr_alloc(size * unsafe.Sizeof(tr_socket{}))
			if n.size > 0 {
				memmove(table, unsafe.Pointer(n.table), n.size*unsafe.Sizeof(tr_socket{}))
				me_Free(unsafe.Pointer(n.table), n.size*unsafe.Sizeof(tr_socket{}))
			}
			n.table, n.size = uintptr(table), size
		}
		*tr_socketOf(pd.fd) = tr_socket{pd: uintptr(unsafe.Pointer(pd))}
	})
}

// tr_netClosed is called when pd is closed.
func tr_netClosed(pd *pollDesc) {
	s := tr_socketOf(pd.fd)
	if s == nil || s.pd == 0 {
		return
	}
	if o := tr_otherOf(s); o != nil {
		o.ended = true
		o.other = 0
	}
	*s = tr_socket{}
	tr_net.dirty = true
}

func tr_otherOf(s *tr_socket) *tr_socket {
	if s.other == 0 {
		return nil
	}
	return tr_socketOf(uintptr(s.other - 1))
}

//go:linkname taskinstr_scheduled
func taskinstr_scheduled() bool { return tr_sched.on }

// taskinstr_socket announces the addresses of the socket with a descriptor.
//
//go:linkname taskinstr_socket
func taskinstr_socket(fd uintptr, kind int, self, peer uint64) {
	s := tr_socketOf(fd)
	if s == nil || s.pd == 0 {
		return
	}
	s.kind, s.self, s.peer = int32(kind), self, peer
	tr_net.dirty = true
	if kind != tr_stream && kind != tr_unix {
		return
	}
	found := false
	for i := uintptr(0); i < tr_net.size; i++ {
		o := tr_socketOf(i)
		switch {
		case o == s || o.pd == 0:
		case o.kind == tr_listener && o.self == peer:
			o.pending++
			found = true
		case o.kind == tr_listener && o.self == self:
			o.pending--
			found = true
		case kind == tr_stream && o.kind == tr_stream && o.self == peer && o.peer == self && o.other == 0:
			s.other, o.other = int32(i)+1, int32(fd)+1
		}
	}
	if kind == tr_unix && !found {
		s.kind = 0 // its listener is in another process
	}
}

// taskinstr_moved announces that n bytes were read from a descriptor, or written to it.
//
//go:linkname taskinstr_moved
//go:nosplit
func taskinstr_moved(fd, n int, write bool) {
	s := tr_socketOf(uintptr(fd))
	if s == nil || s.pd == 0 || n <= 0 {
		return
	}
	if write {
		s.sent += uint64(n)
		tr_net.dirty = true
	} else {
		s.received += uint64(n)
	}
}

// tr_waiters reports whether goroutines wait to read from, and to write to, a socket.
func tr_waiters(s *tr_socket) (read, write bool) {
	pd := (*pollDesc)(unsafe.Pointer(s.pd))
	return pd.rg.Load() > pdWait, pd.wg.Load() > pdWait
}

// tr_expects reports whether something that was written or ended has not yet arrived at a goroutine that waits for it.
// If the time for it is over, it is not expected any more.
func tr_expects(over bool) bool {
	for i := uintptr(0); i < tr_net.size; i++ {
		s := tr_socketOf(i)
		if s.pd == 0 || s.kind == 0 || s.strange {
			continue
		}
		if r, _ := tr_waiters(s); !r {
			continue
		}
		o := tr_otherOf(s)
		if s.kind == tr_listener && s.pending > 0 || s.kind == tr_stream && (s.ended || o != nil && o.sent > s.received) {
			if s.strange = over; !over {
				return true
			}
		}
	}
	return false
}

// tr_pollNet makes those goroutines ready for which something has arrived.
func tr_pollNet(pp *p) {
	n := &tr_net
	n.dirty = false
	n.polls = 0
	if !netpollinited() || !netpollAnyWaiters() {
		return
	}
	for try := 0; ; try++ {
		if list, delta := netpoll(0); !list.empty() {
			injectglist(&list)
			netpollAdjustWaiters(delta)
			tr_collect(pp)
		}
		if !tr_expects(try == tr_netTries) {
			return
		}
		usleep(tr_netStep)
	}
}

// tr_netBeforeChoice polls the network if a choice may depend on it.
func tr_netBeforeChoice(pp *p) {
	n := &tr_net
	if n.polls++; n.dirty || n.polls > tr_netChoices {
		tr_pollNet(pp)
	}
}

// tr_netWaits reports whether the system may wake a goroutine that waits for the network.
func tr_netWaits() bool {
	for i := uintptr(0); i < tr_net.size; i++ {
		s := tr_socketOf(i)
		if s.pd == 0 {
			continue
		}
		if r, w := tr_waiters(s); (r || w) && !tr_isLocal(s) {
			return true
		}
	}
	return false
}

// tr_isLocal reports whether a socket's other side is in the program.
func tr_isLocal(s *tr_socket) bool {
	switch {
	case s.kind == 0 || s.strange || s.ended || !tr_scheduled || GOOS == "windows":
		return false // without points, and on Windows, data on its way is not counted
	case s.kind != tr_stream || s.other != 0:
		return true
	}
	// A listener has not accepted it yet.
	for i := uintptr(0); i < tr_net.size; i++ {
		if o := tr_socketOf(i); o.pd != 0 && o.kind == tr_listener && o.self == s.peer {
			return true
		}
	}
	return false
}

// tr_netQuiet waits until datagrams that were sent have arrived.
func tr_netQuiet(pp *p) {
	for i := uintptr(0); i < tr_net.size; i++ {
		if s := tr_socketOf(i); s.pd != 0 && s.kind == tr_datagram {
			if r, _ := tr_waiters(s); r {
				usleep(tr_datagramTime)
				tr_pollNet(pp)
				return
			}
		}
	}
}

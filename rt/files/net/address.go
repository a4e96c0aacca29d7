//go:build taskinstr_runtime

// A schedule knows which sockets of the program are connected with each other (files/runtime/net.go in package rt).

package net

// The kinds of sockets, as in package runtime.
const (
	taskinstr_listener = 1 + iota
	taskinstr_stream
	taskinstr_datagram
	taskinstr_unix // a stream whose sides have no names of their own
)

// taskinstr_address tells package runtime the addresses of a socket that only this machine can reach.
func (fd *netFD) taskinstr_address(laddr, raddr Addr) {
	if !taskinstr_scheduled() {
		return
	}
	self, ok := taskinstr_key(laddr)
	if !ok {
		return
	}
	peer, kind := uint64(0), taskinstr_listener
	switch {
	case raddr != nil:
		if peer, ok = taskinstr_key(raddr); !ok {
			return
		}
		kind = taskinstr_stream
		if _, ok := laddr.(*UnixAddr); ok {
			kind = taskinstr_unix
		}
	case fd.net == "udp" || fd.net == "udp4" || fd.net == "udp6" || fd.net == "unixgram":
		kind = taskinstr_datagram
	}
	taskinstr_socket(uintptr(fd.pfd.Sysfd), kind, self, peer)
}

// taskinstr_key returns a number for an address: equal ones for equal addresses. ok is false if others than this
// machine can reach it.
func taskinstr_key(a Addr) (key uint64, ok bool) {
	key = 14695981039346656037 // FNV-1a
	add := func(b byte) { key = (key ^ uint64(b)) * 1099511628211 }
	inet := func(ip IP, port int) {
		ok = ip.IsLoopback()
		for _, b := range ip.To16() {
			add(b)
		}
		add(byte(port))
		add(byte(port >> 8))
	}
	switch a := a.(type) {
	case *TCPAddr:
		inet(a.IP, a.Port)
	case *UDPAddr:
		inet(a.IP, a.Port)
		add('u')
	case *UnixAddr:
		ok = true
		for i := range len(a.Name) {
			add(a.Name[i])
		}
	}
	return key, ok
}

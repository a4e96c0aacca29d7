package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
)

// What arrives from a socket or a pipe comes after what its sender did before. Package
// syscall tells a detector so of read and write alone: of connections, gathered writes,
// datagrams and the ends of streams go build -race takes the receiver for unordered.

// must ends the program if something cannot be had.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func listen() net.Listener { return must(net.Listen("tcp", "127.0.0.1:0")) }

func dial(l net.Listener) net.Conn { return must(net.Dial(l.Addr().Network(), l.Addr().String())) }

// connected returns the two ends of a connection.
func connected() (client, server net.Conn) {
	l := listen()
	defer l.Close()
	client = dial(l)
	return client, must(l.Accept())
}

// received runs send in this task while another one waits in receive, and counts what
// the other does then and this one did before.
func received(send, receive func()) {
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		receive()
		n++
	})
	n++
	send()
	wg.Wait()
}

// accepted has a task accept what this one dials.
func accepted(l net.Listener) {
	var c net.Conn
	received(func() { c = dial(l) }, func() { must(l.Accept()).Close() })
	c.Close()
	l.Close()
}

// Connect comes before accept, not behind it.
func (racy) Connect() {
	l := listen()
	n := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		must(l.Accept()).Close()
		n++ // want race: n
	})
	dial(l).Close()
	n++ // want race: n
	wg.Wait()
}

//case:nostock
func (fixed) Connect() { accepted(listen()) }

// ConnectUnix is Connect with a socket in the file system.
//
//case:nostock
func (fixed) ConnectUnix() {
	name := filepath.Join(os.TempDir(), fmt.Sprintf("taskinstr-%d", os.Getpid()))
	accepted(must(net.Listen("unix", name)))
}

// ConnectLocked has a lock, taken for another reason, order in one run what connecting
// orders in each.
func (fixed) ConnectLocked() {
	l := listen()
	var mu sync.Mutex
	count := func() { mu.Lock(); mu.Unlock() }
	var c net.Conn
	received(func() { count(); c = dial(l) }, func() { must(l.Accept()).Close(); count() })
	c.Close()
}

// CloseStream ends a stream that another task reads to its end.
//
//case:nostock
func (fixed) CloseStream() {
	c, s := connected()
	received(func() { c.Close() }, func() { must(io.ReadAll(s)) })
}

// CloseWrite ends one direction.
//
//case:nostock
func (fixed) CloseWrite() {
	c, s := connected()
	received(func() { c.(*net.TCPConn).CloseWrite() }, func() { must(io.ReadAll(s)) })
}

// ClosePipe ends what an operating system's pipe delivers.
//
//case:nostock
func (fixed) ClosePipe() {
	r, w, err := os.Pipe()
	must(r, err)
	received(func() { w.Close() }, func() { must(io.ReadAll(r)) })
}

// GatheredWrite sends several buffers at once.
//
//case:nostock
func (fixed) GatheredWrite() {
	c, s := connected()
	received(func() {
		buffers := net.Buffers{[]byte("a"), []byte("b")}
		must(buffers.WriteTo(c))
	}, func() { must(io.ReadFull(s, make([]byte, 2))) })
}

// Datagram sends without a connection.
//
//case:nostock
func (fixed) Datagram() {
	s := must(net.ListenPacket("udp", "127.0.0.1:0"))
	c := must(net.ListenPacket("udp", "127.0.0.1:0"))
	received(func() { must(c.WriteTo([]byte("a"), s.LocalAddr())) }, func() {
		_, _, err := s.ReadFrom(make([]byte, 1))
		must(s, err)
	})
}

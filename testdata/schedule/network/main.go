// Package main has clients and servers in one program (docs/design/schedule.md): a schedule controls both. The arguments
// name programs.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// web prints the requests in the order in which the server got them.
func web() {
	var mu sync.Mutex
	var order []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		order = append(order, r.URL.Path)
		mu.Unlock()
		io.Copy(w, io.LimitReader(r.Body, 1<<20))
		fmt.Fprint(w, r.URL.Path)
	}))
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for k := range 2 {
				path := fmt.Sprintf("/%d/%d", i, k)
				resp := must(http.Post(s.URL+path, "text/plain", http.NoBody))
				if got := string(must(io.ReadAll(resp.Body))); got != path {
					panic(got)
				}
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	s.Close()
	fmt.Println(order)
}

// slow has a server that answers after an hour, and clients that wait for two hours and for a minute.
func slow() {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(time.Hour):
			fmt.Fprint(w, "late")
		case <-r.Context().Done():
		}
	}))
	client := &http.Client{Timeout: 2 * time.Hour}
	resp := must(client.Get(s.URL))
	text := string(must(io.ReadAll(resp.Body)))
	resp.Body.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := http.DefaultClient.Do(must(http.NewRequestWithContext(ctx, "GET", s.URL, nil)))
	s.Close()
	fmt.Println(text, errors.Is(err, context.DeadlineExceeded), time.Since(start).Round(time.Minute))
}

// echo answers lines until the connection ends.
func echo(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer c.Close()
			for s := bufio.NewScanner(c); s.Scan(); {
				fmt.Fprintln(c, s.Text())
			}
		}()
	}
}

// talk has three clients of an echo server, which sleep between their lines.
func talk(l net.Listener) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var order []int
	go echo(l)
	start := time.Now()
	for i := range 3 {
		wg.Go(func() {
			c := must(net.Dial(l.Addr().Network(), l.Addr().String()))
			defer c.Close()
			r := bufio.NewScanner(c)
			for k := range 5 {
				fmt.Fprintln(c, i, k)
				if !r.Scan() || r.Text() != fmt.Sprint(i, " ", k) {
					panic(r.Text())
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				time.Sleep(time.Minute)
			}
		})
	}
	wg.Wait()
	l.Close()
	fmt.Println(order, time.Since(start).Round(time.Minute))
}

// large sends more than fits into the buffers of a connection.
func large() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	const size = 8 << 20
	go func() {
		c := must(l.Accept())
		defer c.Close()
		c.Write(make([]byte, size))
	}()
	c := must(net.Dial("tcp", l.Addr().String()))
	fmt.Println(must(io.Copy(io.Discard, c)) == size)
}

func datagrams() {
	a := must(net.ListenPacket("udp", "127.0.0.1:0"))
	b := must(net.ListenPacket("udp", "127.0.0.1:0"))
	go func() {
		buf := make([]byte, 10)
		for {
			n, from, err := a.ReadFrom(buf)
			if err != nil {
				return
			}
			time.Sleep(time.Minute)
			a.WriteTo(buf[:n], from)
		}
	}()
	buf := make([]byte, 10)
	for range 3 {
		b.WriteTo([]byte("x"), a.LocalAddr())
		b.SetReadDeadline(time.Now().Add(time.Hour))
		n, _, err := b.ReadFrom(buf)
		fmt.Print(n, err, " ")
	}
	a.Close()
	fmt.Println()
}

func pipes() {
	a, b := net.Pipe()
	go func() {
		for s := bufio.NewScanner(b); s.Scan(); {
			time.Sleep(time.Minute)
			fmt.Fprintln(b, s.Text())
		}
	}()
	a.SetDeadline(time.Now().Add(time.Hour))
	fmt.Fprintln(a, "x")
	s := bufio.NewScanner(a)
	fmt.Println(s.Scan(), s.Text())
	a.Close()
}

func main() {
	for _, name := range os.Args[1:] {
		switch name {
		case "web":
			web()
		case "slow":
			slow()
		case "tcp":
			talk(must(net.Listen("tcp", "127.0.0.1:0")))
		case "unix":
			dir := must(os.MkdirTemp("", "network"))
			defer os.RemoveAll(dir)
			talk(must(net.Listen("unix", filepath.Join(dir, "s"))))
		case "large":
			large()
		case "datagrams":
			datagrams()
		case "pipes":
			pipes()
		}
	}
}

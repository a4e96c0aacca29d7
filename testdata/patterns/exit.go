package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"sync"
	"time"
)

// What tasks do behind main's back: the program ends when these cases have returned,
// and a task that can still run then has accessed nothing yet. go build -race lets such
// tasks run for a second; without that it depends on luck what is seen of them.

// joined is the fixed form: it waits until the task that start makes has called set.
func joined(start func(set func())) {
	n := 0
	var once sync.Once
	done := make(chan bool)
	start(func() {
		once.Do(func() {
			n = 1
			close(done)
		})
	})
	<-done
	sink(n)
}

// exitSpawned has a task that begins to run when main is about to return.
func exitSpawned(set func()) { go set() }

func (racy) ExitSpawned() {
	n := 0
	exitSpawned(func() { n = 1 }) // want race nostock: n
	sink(n)                       // want race nostock: n
}

func (fixed) ExitSpawned() { joined(exitSpawned) }

// exitChain has a task that makes another one.
func exitChain(set func()) {
	go func() { go set() }()
}

func (racy) ExitChain() {
	n := 0
	exitChain(func() { n = 1 }) // want race nostock: n
	sink(n)                     // want race nostock: n
}

func (fixed) ExitChain() { joined(exitChain) }

// exitSleeper has a task that is asleep when main returns.
func exitSleeper(set func()) {
	go func() {
		time.Sleep(50 * time.Millisecond)
		set()
	}()
}

func (racy) ExitSleeper() {
	n := 0
	exitSleeper(func() { n = 1 }) // want race nostock: n
	sink(n)                       // want race nostock: n
}

func (fixed) ExitSleeper() { joined(exitSleeper) }

// exitSleepers has a task that wakes another one, which sleeps then.
func exitSleepers(set func()) {
	c := make(chan bool)
	go func() {
		<-c
		time.Sleep(20 * time.Millisecond)
		set()
	}()
	go func() {
		time.Sleep(30 * time.Millisecond)
		close(c)
	}()
}

func (racy) ExitSleepers() {
	n := 0
	exitSleepers(func() { n = 1 }) // want race nostock: n
	sink(n)                        // want race nostock: n
}

func (fixed) ExitSleepers() { joined(exitSleepers) }

// exitPoller has a task that sleeps again and again, until another one has slept.
func exitPoller(set func()) {
	var mu sync.Mutex
	done := false
	go func() {
		for ready := false; !ready; {
			time.Sleep(3 * time.Millisecond)
			mu.Lock()
			ready = done
			mu.Unlock()
		}
		set()
	}()
	go func() {
		time.Sleep(40 * time.Millisecond)
		mu.Lock()
		done = true
		mu.Unlock()
	}()
}

func (racy) ExitPoller() {
	n := 0
	exitPoller(func() { n = 1 }) // want race nostock: n
	sink(n)                      // want race nostock: n
}

func (fixed) ExitPoller() { joined(exitPoller) }

// exitTimer has a function that a timer calls.
func exitTimer(set func()) { time.AfterFunc(30*time.Millisecond, set) }

func (racy) ExitTimer() {
	n := 0
	exitTimer(func() { n = 1 }) // want race nostock: n
	sink(n)                     // want race nostock: n
}

func (fixed) ExitTimer() { joined(exitTimer) }

// exitTimeout has a task wait for the end of a context.
func exitTimeout(set func()) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	go func() {
		defer cancel()
		<-ctx.Done()
		set()
	}()
}

func (racy) ExitTimeout() {
	n := 0
	exitTimeout(func() { n = 1 }) // want race nostock: n
	sink(n)                       // want race nostock: n
}

func (fixed) ExitTimeout() { joined(exitTimeout) }

// exitTicker has a task that a ticker wakes for ever.
func exitTicker(set func()) {
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			set()
		}
	}()
}

func (racy) ExitTicker() {
	n := 0
	exitTicker(func() { n = 1 }) // want race nostock: n
	sink(n)                      // want race nostock: n
}

func (fixed) ExitTicker() { joined(exitTicker) }

// exitSpinner has a task that never waits for anything.
func exitSpinner(set func()) {
	go func() {
		for {
			set()
		}
	}()
}

func (racy) ExitSpinner() {
	n := 0
	exitSpinner(func() { n = 1 }) // want race nostock: n
	sink(n)                       // want race nostock: n
}

func (fixed) ExitSpinner() { joined(exitSpinner) }

// exitNetwork has a task that waits for the network, until another one connects.
func exitNetwork(set func()) {
	l := listen()
	go func() {
		must(l.Accept())
		set()
	}()
	go dial(l)
}

func (racy) ExitNetwork() {
	n := 0
	exitNetwork(func() { n = 1 }) // want race nostock: n
	sink(n)                       // want race nostock: n
}

func (fixed) ExitNetwork() { joined(exitNetwork) }

// ExitCall ends the program by os.Exit.
func (racy) ExitCall() {
	n := 0
	exitChain(func() { n = 1 }) // want race nostock: n
	sink(n)                     // want race nostock: n
	exit("racy/ExitCall")
}

func (fixed) ExitCall() {
	joined(exitChain)
	exit("fixed/ExitCall")
}

func exit(name string) {
	fmt.Fprintf(os.Stderr, "case %s ended\n", name) // as main would say
	os.Exit(0)
}

// ExitServer leaves a server and its connections behind, which wait for ever.
func (fixed) ExitServer() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") }))
	r := must(http.Get(s.URL))
	must(io.ReadAll(r.Body))
	r.Body.Close()
}

// ExitBlocked leaves tasks behind that wait for each other.
func (fixed) ExitBlocked() {
	var mu sync.Mutex
	mu.Lock()
	c := make(chan int)
	for range 100 {
		go func() { mu.Lock() }()
		go func() { c <- 1 }()
		go func() { select {} }()
	}
	runtime.Gosched()
}

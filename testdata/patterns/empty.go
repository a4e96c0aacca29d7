package main

import (
	"reflect"
	"sync"
)

// Channels of elements that have no bytes, or share a word: each place in the buffer orders its own
// operations alone. (go build -race has one place for all elements of size zero.)

// EmptyLimit: a semaphore that is wide enough for all orders nobody.
func (racy) EmptyLimit() {
	limit := make(chan struct{}, 4)
	x := 0
	add := func() {
		limit <- struct{}{}
		x++ // want race nostock: x
		<-limit
	}
	first(add, add)
	sink(x)
}

// In EmptyLimit(fixed) the limit is one, which makes the channel a mutex.
func (fixed) EmptyLimit() {
	limit := make(chan struct{}, 1)
	x := 0
	add := func() {
		limit <- struct{}{}
		x++
		<-limit
	}
	first(add, add)
	sink(x)
}

// EmptyWindow: the k-th receive is ordered before the send number k+2, not before the send k+1.
func (racy) EmptyWindow() { emptyWindow(1) }

func (fixed) EmptyWindow() { emptyWindow(2) }

func emptyWindow(behind int) {
	window := make(chan struct{}, 2)
	var done [10]int
	parallel(func() {
		for k := range done {
			window <- struct{}{}
			if k >= behind {
				sink(done[k-behind]) // want(racy/EmptyWindow) race nostock: done[k-behind]
			}
		}
	}, func() {
		for k := range done {
			done[k] = k // want(racy/EmptyWindow) race nostock: done[k]
			<-window
		}
	})
}

// EmptyFirst: the first receive is ordered behind the first send, not behind the second.
func (racy) EmptyFirst() {
	ready := make(chan [0]int, 2)
	x := 0
	first(func() {
		ready <- [0]int{}
		x = 1 // want race nostock: x
		ready <- [0]int{}
	}, func() {
		<-ready
		sink(x) // want race nostock: x
	})
}

func (fixed) EmptyFirst() {
	ready := make(chan [0]int, 2)
	x := 0
	first(func() {
		ready <- [0]int{}
		x = 1
		ready <- [0]int{}
	}, func() {
		<-ready
		<-ready
		sink(x)
	})
}

// EmptyTry: a limiter by select, and one that refuses.
func (racy) EmptyTry() {
	limit := make(chan struct{}, 3)
	x := 0
	add := func() {
		select {
		case limit <- struct{}{}:
			x++ // want race nostock: x
			<-limit
		default:
			panic("the limit is wide enough")
		}
	}
	first(add, add)
	sink(x)
}

func (fixed) EmptyTry() {
	limit, other := make(chan struct{}, 1), make(chan struct{})
	x := 0
	add := func() {
		select {
		case limit <- struct{}{}:
			x++
		case <-other:
		}
		select {
		case <-limit:
		case <-other:
		}
	}
	first(add, add)
	sink(x)
}

// EmptyClosed: elements stay in a closed channel. The receive of one is not ordered behind the close.
func (racy) EmptyClosed() {
	done := make(chan struct{}, 3)
	x := 0
	first(func() {
		done <- struct{}{}
		x = 1 // want race nostock: x
		close(done)
	}, func() {
		<-done
		sink(x) // want race nostock: x
	})
}

func (fixed) EmptyClosed() {
	done := make(chan struct{}, 3)
	x := 0
	first(func() {
		done <- struct{}{}
		x = 1
		close(done)
	}, func() {
		for range done {
		}
		sink(x)
	})
}

// EmptyReflected: channels and operations of package reflect.
func (racy) EmptyReflected() { emptyReflected(3) }

func (fixed) EmptyReflected() { emptyReflected(1) }

func emptyReflected(limit int) {
	c := reflect.MakeChan(reflect.TypeFor[chan struct{}](), limit)
	one := reflect.ValueOf(struct{}{})
	x := 0
	first(func() {
		c.Send(one)
		x++ // want(racy/EmptyReflected) race nostock: x
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: c}})
	}, func() {
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: c, Send: one}})
		x = 1 // want(racy/EmptyReflected) race nostock: x
		c.Recv()
	})
}

// EmptyWaiting: a task that waits for a full or an empty channel is woken by the other side.
func (racy) EmptyWaiting() {
	limit := make(chan struct{}, 2)
	var wg sync.WaitGroup
	x := 0
	for range 8 {
		wg.Go(func() {
			limit <- struct{}{}
			x++ // want race nostock: x
			<-limit
		})
	}
	wg.Wait()
	sink(x)
}

func (fixed) EmptyWaiting() {
	limit := make(chan struct{}, 1)
	var wg sync.WaitGroup
	x := 0
	for range 8 {
		wg.Go(func() {
			limit <- struct{}{}
			x++
			<-limit
		})
	}
	wg.Wait()
	sink(x)
}

// EmptyMany: channels come and go, so that later ones get the memory of earlier ones.
func (racy) EmptyMany() {
	x := 0
	for i := range 2000 {
		limit := make(chan struct{}, 1+i%70)
		limit <- struct{}{}
		go func() { <-limit }()
	}
	limit := make(chan struct{}, 1_000_000)
	add := func() {
		limit <- struct{}{}
		x++ // want race nostock: x
		<-limit
	}
	first(add, add)
	sink(x)
}

func (fixed) EmptyMany() {
	for i := range 2000 {
		x := 0
		limit := make(chan struct{}, 1+i%70)
		go func() {
			x++
			limit <- struct{}{}
		}()
		<-limit
		x++
	}
	wide := make(chan struct{}, 1<<40) // more than any program can fill
	x := 0
	go func() {
		x++
		wide <- struct{}{}
	}()
	<-wide
	x++
}

// ByteLimit: eight elements share a word.
func (racy) ByteLimit() {
	limit := make(chan bool, 4)
	x := 0
	add := func() {
		limit <- true
		x++ // want race: x
		<-limit
	}
	first(add, add)
	sink(x)
}

func (fixed) ByteLimit() {
	limit := make(chan bool, 1)
	x := 0
	add := func() {
		limit <- true
		x++
		<-limit
	}
	first(add, add)
	sink(x)
}

package kernels

import (
	"sync"
	"testing"
)

// A worker counts itself, perhaps after the wait.
func TestAddInside(t *testing.T) {
	var wg sync.WaitGroup
	sum := 0
	ended := make(chan bool)
	go func() {
		defer close(ended)
		wg.Add(1)
		defer wg.Done()
		sum = 1
	}()
	wg.Wait()
	sink(sum)
	<-ended
}

func TestAddInsideFixed(t *testing.T) {
	var wg sync.WaitGroup
	sum := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		sum = 1
	}()
	wg.Wait()
	sink(sum)
}

// A handler may begin after the shutdown has waited for all handlers.
func TestAddAfterWait(t *testing.T) {
	var handlers sync.WaitGroup
	var mu sync.Mutex
	down := false
	both(func() {
		handlers.Wait()
		mu.Lock()
		down = true
		mu.Unlock()
	}, func() {
		handlers.Add(1)
		defer handlers.Done()
		mu.Lock()
		defer mu.Unlock()
		if down {
			t.Error("a handler runs after the shutdown")
		}
	})
}

// An early return leaves Done out.
func TestMissingDone(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	cancelled := false
	wg.Add(1)
	both(func() {
		mu.Lock()
		cancelled = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		if cancelled {
			return
		}
		wg.Done()
	})
	wg.Wait()
}

func TestMissingDoneFixed(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	cancelled := false
	wg.Add(1)
	both(func() {
		mu.Lock()
		cancelled = true
		mu.Unlock()
	}, func() {
		defer wg.Done()
		mu.Lock()
		defer mu.Unlock()
		if cancelled {
			return
		}
	})
	wg.Wait()
}

// The loop waits for each worker before it starts the next one, for which the first one waits.
func TestWaitInLoop(t *testing.T) {
	var wg sync.WaitGroup
	next := make(chan bool)
	for i := range 2 {
		wg.Go(func() {
			if i == 0 {
				<-next
			} else {
				close(next)
			}
		})
		wg.Wait()
	}
}

// The end and the cancellation of a job both count it as done.
func TestDoneTwice(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	ended := false
	end := func() {
		mu.Lock()
		done := ended
		mu.Unlock()
		if done {
			return
		}
		wg.Done()
		mu.Lock()
		ended = true
		mu.Unlock()
	}
	wg.Add(1)
	both(end, end)
	wg.Wait()
}

// A consumer that was woken does not look at the queue again.
func TestCondWithoutLoop(t *testing.T) {
	var mu sync.Mutex
	filled := sync.NewCond(&mu)
	var queue []int
	take := func() {
		mu.Lock()
		defer mu.Unlock()
		if len(queue) == 0 {
			filled.Wait()
		}
		queue = queue[1:]
	}
	put := func() {
		mu.Lock()
		defer mu.Unlock()
		queue = append(queue, 1)
		filled.Broadcast()
	}
	both(func() { both(take, take) }, func() {
		put()
		put()
	})
}

func TestCondWithoutLoopFixed(t *testing.T) {
	var mu sync.Mutex
	filled := sync.NewCond(&mu)
	var queue []int
	take := func() {
		mu.Lock()
		defer mu.Unlock()
		for len(queue) == 0 {
			filled.Wait()
		}
		queue = queue[1:]
	}
	put := func() {
		mu.Lock()
		defer mu.Unlock()
		queue = append(queue, 1)
		filled.Broadcast()
	}
	both(func() { both(take, take) }, func() {
		put()
		put()
	})
}

// The signal comes before the wait, which looks at nothing.
func TestSignalLost(t *testing.T) {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	both(ready.Signal, func() {
		mu.Lock()
		defer mu.Unlock()
		ready.Wait()
	})
}

func TestSignalLostFixed(t *testing.T) {
	var mu sync.Mutex
	ready := sync.NewCond(&mu)
	done := false
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		done = true
		ready.Signal()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		for !done {
			ready.Wait()
		}
	})
}

// One signal wakes the goroutine that cannot go on yet, and not the other one.
func TestSignalOne(t *testing.T) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	level := 0
	await := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		for level < n {
			changed.Wait()
		}
		level++
		changed.Signal()
	}
	both(func() { both(func() { await(1) }, func() { await(2) }) }, func() {
		mu.Lock()
		defer mu.Unlock()
		level = 1
		changed.Signal()
	})
}

package kernels

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// The caller is cancelled, and nobody receives the result.
func TestForgottenSender(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() { results <- 1 })
	wg.Go(cancel)
	select {
	case <-results:
	case <-ctx.Done():
	}
	wg.Wait()
}

func TestForgottenSenderFixed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan int, 1)
	var wg sync.WaitGroup
	wg.Go(func() { results <- 1 })
	wg.Go(cancel)
	select {
	case <-results:
	case <-ctx.Done():
	}
	wg.Wait()
}

// The collector of errors returns at the first one.
func TestFirstError(t *testing.T) {
	errs := make(chan error)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if i == 0 {
				errs <- errors.New("failed")
			} else {
				errs <- nil
			}
		})
	}
	for range 2 {
		if err := <-errs; err != nil {
			break
		}
	}
	wg.Wait()
}

func TestFirstErrorFixed(t *testing.T) {
	errs := make(chan error, 2)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			if i == 0 {
				errs <- errors.New("failed")
			} else {
				errs <- nil
			}
		})
	}
	for range 2 {
		if err := <-errs; err != nil {
			break
		}
	}
	wg.Wait()
}

// A producer that is told to stop does not close its channel.
func TestMissingClose(t *testing.T) {
	stop, items := make(chan bool), make(chan int, 3)
	both(func() { close(stop) }, func() {
		var wg sync.WaitGroup
		wg.Go(func() {
			for range items {
			}
		})
		for i := range 3 {
			select {
			case <-stop:
				wg.Wait()
				return
			default:
				items <- i
			}
		}
		close(items)
		wg.Wait()
	})
}

// A client that asks for the channel before the start waits on nil.
func TestNilChannel(t *testing.T) {
	var mu sync.Mutex
	var ready chan bool
	both(func() {
		mu.Lock()
		ready = make(chan bool)
		close(ready)
		mu.Unlock()
	}, func() {
		mu.Lock()
		c := ready
		mu.Unlock()
		<-c
	})
}

func TestNilChannelFixed(t *testing.T) {
	ready := make(chan bool)
	both(func() { close(ready) }, func() { <-ready })
}

// A worker puts what follows from a job into the queue that it should empty.
func TestQueueFull(t *testing.T) {
	queue := make(chan int, 1)
	both(func() {
		for range 2 {
			queue <- 1
		}
	}, func() {
		for range 4 {
			if job := <-queue; job == 1 {
				queue <- 2
			}
		}
	})
}

// A signal that nobody waits for yet is skipped.
func TestSignalSkipped(t *testing.T) {
	wake := make(chan bool)
	both(func() {
		select {
		case wake <- true:
		default:
		}
	}, func() { <-wake })
}

func TestSignalSkippedFixed(t *testing.T) {
	wake := make(chan bool, 1)
	both(func() {
		select {
		case wake <- true:
		default:
		}
	}, func() { <-wake })
}

// A subscription is ended while a message is on its way.
func TestSendOnClosed(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int, 1)
	open := true
	both(func() {
		mu.Lock()
		subscribed := open
		mu.Unlock()
		if subscribed {
			c <- 1
		}
	}, func() {
		mu.Lock()
		open = false
		mu.Unlock()
		close(c)
	})
}

func TestSendOnClosedFixed(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int, 1)
	open := true
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		if open {
			c <- 1
		}
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		open = false
		close(c)
	})
}

// Two goroutines find the channel open, and both close it.
func TestDoubleClose(t *testing.T) {
	done := make(chan bool)
	stop := func() {
		select {
		case <-done:
		default:
			close(done)
		}
	}
	both(stop, stop)
}

func TestDoubleCloseFixed(t *testing.T) {
	done := make(chan bool)
	var once sync.Once
	stop := func() { once.Do(func() { close(done) }) }
	both(stop, stop)
	<-done
}

// A worker is counted as ended before it sends its result.
func TestCloseBeforeSend(t *testing.T) {
	results := make(chan int, 2)
	var working, all sync.WaitGroup
	working.Add(2)
	for i := range 2 {
		all.Go(func() {
			working.Done()
			results <- i
		})
	}
	working.Wait()
	close(results)
	all.Wait()
}

func TestCloseBeforeSendFixed(t *testing.T) {
	results := make(chan int, 2)
	var working sync.WaitGroup
	for i := range 2 {
		working.Go(func() { results <- i })
	}
	working.Wait()
	close(results)
}

// A select takes a request although it could see that the server has stopped.
func TestSelectBoth(t *testing.T) {
	stop, requests := make(chan bool), make(chan int, 1)
	var mu sync.Mutex
	stopped := false
	requests <- 1
	both(func() {
		mu.Lock()
		stopped = true
		mu.Unlock()
		close(stop)
	}, func() {
		select {
		case <-stop:
		case <-requests:
			mu.Lock()
			defer mu.Unlock()
			if stopped {
				t.Error("a request after the end")
			}
		}
	})
}

// A watcher ends when its context does, which only the good path ends.
func TestMissingCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var mu sync.Mutex
	broken := false
	var watcher sync.WaitGroup
	watcher.Go(func() { <-ctx.Done() })
	both(func() {
		mu.Lock()
		broken = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		if !broken {
			cancel()
		}
	})
	watcher.Wait()
}

func TestMissingCancelFixed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var watcher sync.WaitGroup
	watcher.Go(func() { <-ctx.Done() })
	both(func() {}, cancel)
	watcher.Wait()
}

// Two starts at once: the second one overwrites the function that would end the first one.
func TestContextLost(t *testing.T) {
	var mu sync.Mutex
	var running sync.WaitGroup
	var cancel func()
	start := func() {
		mu.Lock()
		old := cancel
		mu.Unlock()
		if old != nil {
			old()
		}
		ctx, stop := context.WithCancel(t.Context())
		mu.Lock()
		defer mu.Unlock()
		cancel = stop
		running.Go(func() { <-ctx.Done() })
	}
	both(start, start)
	cancel()
	running.Wait()
}

// The timer is drained as before Go 1.23, after its value was received.
func TestTimerDrain(t *testing.T) {
	timer := time.NewTimer(time.Microsecond)
	stop := make(chan bool)
	both(func() {
		time.Sleep(time.Microsecond)
		close(stop)
	}, func() {
		select {
		case <-timer.C:
		case <-stop:
		}
		if !timer.Stop() {
			<-timer.C
		}
	})
}

// A timer that is not stopped in time closes the channel, too.
func TestTimerStop(t *testing.T) {
	done := make(chan bool)
	fired := make(chan bool)
	timer := time.AfterFunc(time.Microsecond, func() {
		defer close(fired)
		close(done)
	})
	time.Sleep(time.Microsecond)
	select {
	case <-done:
	default:
		stopped := timer.Stop()
		close(done)
		if stopped {
			return
		}
	}
	<-fired
}

func TestTimerStopFixed(t *testing.T) {
	done := make(chan bool)
	timer := time.AfterFunc(time.Microsecond, func() { close(done) })
	time.Sleep(time.Microsecond)
	if timer.Stop() {
		close(done)
	}
	<-done
}

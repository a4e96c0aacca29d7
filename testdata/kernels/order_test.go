package kernels

import (
	"sync"
	"sync/atomic"
	"testing"
)

// The goroutine of a connection starts before the connection is complete.
func TestUseBeforeInit(t *testing.T) {
	type connection struct{ size int }
	c := &connection{}
	var wg sync.WaitGroup
	wg.Go(func() { sink(c.size) })
	c.size = 1
	wg.Wait()
}

func TestUseBeforeInitFixed(t *testing.T) {
	type connection struct{ size int }
	c := &connection{}
	var wg sync.WaitGroup
	c.size = 1
	wg.Go(func() { sink(c.size) })
	wg.Wait()
}

// The flag is set before what it speaks of is there.
func TestReadyTooEarly(t *testing.T) {
	var ready atomic.Bool
	var value atomic.Pointer[int]
	both(func() {
		ready.Store(true)
		value.Store(new(int))
	}, func() {
		if ready.Load() {
			sink(*value.Load())
		}
	})
}

func TestReadyTooEarlyFixed(t *testing.T) {
	var ready atomic.Bool
	var value atomic.Pointer[int]
	both(func() {
		value.Store(new(int))
		ready.Store(true)
	}, func() {
		if ready.Load() {
			sink(*value.Load())
		}
	})
}

// A store is closed while the last user is still to come.
func TestUseAfterClose(t *testing.T) {
	var mu sync.Mutex
	store := map[string]int{}
	both(func() {
		mu.Lock()
		defer mu.Unlock()
		store["a"] = 1
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		store = nil
	})
}

// Stop sets a flag and does not wait for the worker.
func TestWorkAfterStop(t *testing.T) {
	var stopping, stopped atomic.Bool
	both(func() {
		for range 3 {
			if stopping.Load() {
				return
			}
			if stopped.Load() {
				t.Error("the worker works after the end")
			}
		}
	}, func() {
		stopping.Store(true)
		stopped.Store(true)
	})
}

// The caller reads the result after a message that is sent before the result is there.
func TestResultTooEarly(t *testing.T) {
	result := 0
	done := make(chan bool, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		done <- true
		result = 1
	})
	<-done
	sink(result)
	wg.Wait()
}

func TestResultTooEarlyFixed(t *testing.T) {
	result := 0
	done := make(chan bool, 1)
	var wg sync.WaitGroup
	wg.Go(func() {
		result = 1
		done <- true
	})
	<-done
	sink(result)
	wg.Wait()
}

// A goroutine logs to a test that has ended.
func TestLogAfterTest(t *testing.T) {
	var wg sync.WaitGroup
	t.Run("inner", func(t *testing.T) {
		wg.Go(func() { t.Log("late") })
	})
	wg.Wait()
}

func TestLogAfterTestFixed(t *testing.T) {
	t.Run("inner", func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Go(func() { t.Log("in time") })
		wg.Wait()
	})
}

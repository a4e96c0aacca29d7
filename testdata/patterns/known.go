package main

import (
	"errors"
	"sync"
)

// The faults that reviews and postmortems of Go programs name most often.

// LoopVar is the loop variable of Go before 1.22, one for all iterations.
func (racy) LoopVar() {
	var wg sync.WaitGroup
	var i int
	for i = 0; i < 4; i++ { // want race: i
		wg.Add(1)
		go func() {
			defer wg.Done()
			sink(i) // want race: i
		}()
	}
	wg.Wait()
}

func (fixed) LoopVar() {
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sink(i)
		}()
	}
	wg.Wait()
}

var errStep = errors.New("step failed")

func step(fails bool) (int, error) {
	if fails {
		return 0, errStep
	}
	return 1, nil
}

// ErrShared assigns the err of the enclosing function in a goroutine.
func (racy) ErrShared() {
	done := make(chan bool)
	n, err := step(false)
	go func() {
		_, err = step(true) // want race: err
		close(done)
	}()
	var k int
	k, err = step(false) // want race: err
	<-done
	sink(err)
	sink(n + k)
}

func (fixed) ErrShared() {
	done := make(chan bool)
	n, err := step(false)
	go func() {
		_, err := step(true)
		sink(err)
		close(done)
	}()
	var k int
	k, err = step(false)
	<-done
	sink(err)
	sink(n + k)
}

// SliceHeader guards the appends but reads the header for the argument of the
// next goroutine without the lock.
func (racy) SliceHeader() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var results []int
	var collected [3]baton
	collect := func(id int, have []int) {
		defer wg.Done()
		mu.Lock()
		results = append(results, id) // want race: results
		mu.Unlock()
		collected[id].pass()
		sink(len(have))
	}
	for id := range collected {
		wg.Add(1)
		go collect(id, results) // want race: results
		collected[id].await()
	}
	wg.Wait()
}

func (fixed) SliceHeader() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var results []int
	for id := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			results = append(results, id)
			mu.Unlock()
		}()
	}
	wg.Wait()
	sink(results)
}

// MapParallel writes one map from two tasks, different keys.
func (racy) MapParallel() {
	m := map[string]int{}
	first(func() {
		m["a"] = 1 // want race: m["a"]
	}, func() {
		m["b"] = 2 // want race: m["b"]
	})
}

func (fixed) MapParallel() {
	m := map[string]int{}
	var mu sync.Mutex
	set := func(k string, v int) {
		mu.Lock()
		defer mu.Unlock()
		m[k] = v
	}
	first(func() { set("a", 1) }, func() { set("b", 2) })
}

func addLocked(mu sync.Mutex, n *int) {
	mu.Lock()
	*n++ // want(racy/MutexCopied) race: *n
	mu.Unlock()
}

// MutexCopied passes the mutex by value: every call has one of its own.
func (racy) MutexCopied() {
	var mu sync.Mutex
	n := 0
	parallel(func() { addLocked(mu, &n) }, func() { addLocked(mu, &n) })
}

func addLockedPtr(mu *sync.Mutex, n *int) {
	mu.Lock()
	*n++
	mu.Unlock()
}

func (fixed) MutexCopied() {
	var mu sync.Mutex
	n := 0
	parallel(func() { addLockedPtr(&mu, &n) }, func() { addLockedPtr(&mu, &n) })
}

// AddInside counts the task up inside of it, so that Wait may see zero.
func (racy) AddInside() {
	var wg sync.WaitGroup
	var waited baton
	n := 0
	ended := make(chan bool)
	go func() {
		waited.await()
		wg.Add(1)
		n++ // want race: n
		wg.Done()
		close(ended)
	}()
	wg.Wait()
	waited.pass()
	sink(n) // want race: n
	<-ended
}

func (fixed) AddInside() {
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		n++
		wg.Done()
	}()
	wg.Wait()
	sink(n)
}

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.balance += n // want(racy/MissingLock) race: a.balance
}

// get forgets the lock where it is in a hurry.
func (a *account) get(hurry bool) int {
	if hurry {
		return a.balance // want(racy/MissingLock) race: a.balance
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.balance
}

// MissingLock has one path without the lock that all others take.
func (racy) MissingLock() {
	var a account
	parallel(func() { a.deposit(1) }, func() { sink(a.get(true)) })
}

func (fixed) MissingLock() {
	var a account
	parallel(func() { a.deposit(1) }, func() { sink(a.get(false)) })
}

// CloseSend closes a channel that somebody may still send to.
func (racy) CloseSend() {
	ch := make(chan int, 1)
	first(func() {
		ch <- 1 // want race: ch
	}, func() {
		close(ch) // want race: ch
	})
}

func (fixed) CloseSend() {
	ch := make(chan int, 1)
	sent := make(chan bool)
	parallel(func() {
		ch <- 1
		sent <- true
	}, func() {
		<-sent
		close(ch)
	})
}

type config struct{ level int }

// DoubleChecked looks at the pointer before it takes the lock.
func (racy) DoubleChecked() {
	var mu sync.Mutex
	var cfg *config
	get := func() *config {
		if cfg == nil { // want races: cfg
			mu.Lock()
			defer mu.Unlock()
			if cfg == nil {
				c := new(config)
				cfg = c // want races: cfg
			}
		}
		return cfg // want races: cfg
	}
	first(func() { sink(get()) }, func() { sink(get()) })
}

func (fixed) DoubleChecked() {
	var once sync.Once
	var cfg *config
	get := func() *config {
		once.Do(func() { cfg = &config{level: 1} })
		return cfg
	}
	first(func() { sink(get().level) }, func() { sink(get().level) })
}

func namedResult(ended chan bool) (err error) {
	go func() {
		_, err = step(true) // want(racy/NamedResult) race: err
		close(ended)
	}()
	return nil // want(racy/NamedResult) race: -
}

// NamedResult writes the result of the function after it returned.
func (racy) NamedResult() {
	ended := make(chan bool)
	sink(namedResult(ended))
	<-ended
}

func localResult(ended chan bool) (err error) {
	go func() {
		_, err := step(true)
		sink(err)
		close(ended)
	}()
	return nil
}

func (fixed) NamedResult() {
	ended := make(chan bool)
	sink(localResult(ended))
	<-ended
}

// WriteUnderRLock takes the lock in read mode and writes.
func (racy) WriteUnderRLock() {
	var mu sync.RWMutex
	hits := 0
	hit := func() {
		mu.RLock()
		hits++ // want race: hits
		mu.RUnlock()
	}
	parallel(hit, hit)
}

func (fixed) WriteUnderRLock() {
	var mu sync.RWMutex
	hits := 0
	hit := func() {
		mu.Lock()
		hits++
		mu.Unlock()
	}
	parallel(hit, hit)
}

// Publish makes an object known by a plain flag.
func (racy) Publish() {
	var ready bool
	data := 0
	first(func() {
		data = 42    // want race 1: data
		ready = true // want race 2: ready
	}, func() {
		if ready { // want race 2: ready
			sink(data) // want race 1: data
		}
	})
}

func (fixed) Publish() {
	ready := make(chan bool)
	data := 0
	parallel(func() {
		data = 42
		close(ready)
	}, func() {
		<-ready
		sink(data)
	})
}

// NoJoin reads what a goroutine computes without waiting for it.
func (racy) NoJoin() {
	result := 0
	ended := make(chan bool)
	go func() {
		result = 1 // want race: result
		close(ended)
	}()
	sink(result) // want race: result
	<-ended
}

func (fixed) NoJoin() {
	result := 0
	ended := make(chan bool)
	go func() {
		result = 1
		close(ended)
	}()
	<-ended
	sink(result)
}

// SemaphoreTooWide uses a channel of two slots as a lock.
func (racy) SemaphoreTooWide() {
	sem := make(chan bool, 2)
	n := 0
	inc := func() {
		sem <- true
		n++ // want race: n
		<-sem
	}
	parallel(inc, inc)
}

func (fixed) SemaphoreTooWide() {
	sem := make(chan bool, 1)
	n := 0
	inc := func() {
		sem <- true
		n++
		<-sem
	}
	parallel(inc, inc)
}

// TwoLocks guards one counter with a lock for each user.
func (racy) TwoLocks() {
	var a, b sync.Mutex
	n := 0
	parallel(under(&a, func() { n++ }), func() { // want race: n
		b.Lock()
		n++ // want race: n
		b.Unlock()
	})
}

func (fixed) TwoLocks() {
	var a, b sync.Mutex
	n := 0
	parallel(func() {
		a.Lock()
		b.Lock()
		n++
		b.Unlock()
		a.Unlock()
	}, under(&b, func() { n++ }))
}

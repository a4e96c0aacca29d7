package main

import "sync"

// Critical sections that one task begins and another one ends. Any task may
// unlock a lock, so the section protects whatever comes after its begin and
// before its end, and nothing else.

// GivenToChild takes the lock for the goroutine that it starts.
func (fixed) GivenToChild() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n++ }), func() {
		mu.Lock()
		parallel(func() {
			defer mu.Unlock()
			n++
		})
	})
	sink(n)
}

// GivenToChild: the child has given the lock up.
func (racy) GivenToChild() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n++ }), func() { // want predicted: n
		mu.Lock()
		parallel(func() {
			mu.Unlock()
			n++ // want predicted: n
		})
	})
	sink(n)
}

// GivenAway: the parent does not know how long its child keeps the lock.
func (racy) GivenAway() {
	var mu sync.Mutex
	var b baton
	n := 0
	first(under(&mu, func() { n = 1 }), func() { // want predicted: n
		done := make(chan bool)
		mu.Lock()
		go func() {
			defer close(done)
			b.await() // in another schedule the child comes first
			mu.Unlock()
		}()
		n = 2 // want predicted: n
		b.pass()
		<-done
	})
	sink(n)
}

// GivenAway: the child waits for the parent's access.
func (fixed) GivenAway() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n = 1 }), func() {
		ready, done := make(chan bool), make(chan bool)
		mu.Lock()
		go func() {
			defer close(done)
			<-ready
			mu.Unlock()
		}()
		n = 2
		close(ready)
		<-done
	})
	sink(n)
}

// GivenBack: the parent goes on when the child has given the lock up.
func (racy) GivenBack() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n = 1 }), func() { // want predicted: n
		done := make(chan bool)
		for !mu.TryLock() {
		}
		go func() {
			defer close(done)
			mu.Unlock()
		}()
		<-done
		n = 2 // want predicted: n
	})
	sink(n)
}

// GivenBack: the parent takes the lock again.
func (fixed) GivenBack() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n = 1 }), func() {
		done := make(chan bool)
		for !mu.TryLock() {
		}
		go func() {
			defer close(done)
			n++
			mu.Unlock()
		}()
		<-done
		mu.Lock()
		n = 2
		mu.Unlock()
	})
	sink(n)
}

// InCallback lets a worker that has existed before unlock.
func (fixed) InCallback() {
	var mu sync.Mutex
	n := 0
	work, done := make(chan func()), make(chan bool)
	go serve(work, done)
	first(under(&mu, func() { n++ }), func() {
		mu.Lock()
		work <- func() {
			n++
			mu.Unlock()
		}
		close(work)
		<-done
	})
	sink(n)
}

// InCallback: the callback has unlocked, and nothing else orders the access behind it.
func (racy) InCallback() {
	var mu sync.Mutex
	var b baton
	n := 0
	work, done := make(chan func()), make(chan bool)
	go serve(work, done)
	first(under(&mu, func() { n++ }), func() { // want predicted: n
		mu.Lock()
		work <- func() {
			mu.Unlock()
			b.pass()
		}
		b.await()
		n++ // want predicted: n
		close(work)
		<-done
	})
	sink(n)
}

func serve(work chan func(), done chan bool) {
	for f := range work {
		f()
	}
	close(done)
}

// PassedOn sends a locked value through a channel.
func (fixed) PassedOn() {
	type account struct {
		sync.Mutex
		n int
	}
	a := new(account)
	c, done := make(chan *account), make(chan bool)
	go func() {
		defer close(done)
		a := <-c
		a.n++
		a.Unlock()
	}()
	first(under(a, func() { a.n++ }), func() {
		a.Lock()
		c <- a
		<-done
	})
	sink(a)
}

// PassedOn: the receiver is late.
func (racy) PassedOn() {
	type account struct {
		sync.Mutex
		n int
	}
	a := new(account)
	c, done := make(chan *account), make(chan bool)
	go func() {
		defer close(done)
		a := <-c
		a.Unlock()
		a.n++ // want predicted: a.n
	}()
	first(under(a, func() { a.n++ }), func() { // want predicted: a.n
		a.Lock()
		c <- a
		<-done
	})
	sink(a)
}

// ThroughTwo hands the lock on from child to grandchild.
func (fixed) ThroughTwo() {
	var mu sync.Mutex
	n := 0
	first(under(&mu, func() { n++ }), func() {
		done := make(chan bool)
		mu.Lock()
		go func() {
			n++
			go func() {
				defer close(done)
				n++
				mu.Unlock()
			}()
		}()
		<-done
	})
	sink(n)
}

// ThroughTwo: the child does not know how long the grandchild keeps the lock.
func (racy) ThroughTwo() {
	var mu sync.Mutex
	var b baton
	n := 0
	first(under(&mu, func() { n = 1 }), func() { // want predicted: n
		done, over := make(chan bool), make(chan bool)
		mu.Lock()
		go func() {
			defer close(over)
			go func() {
				defer close(done)
				b.await()
				mu.Unlock()
			}()
			n = 2 // want predicted: n
			b.pass()
		}()
		<-done
		<-over
	})
	sink(n)
}

// ReaderGiven: one task takes the lock for reading, another one gives it up.
func (fixed) ReaderGiven() {
	var mu sync.RWMutex
	n := 0
	first(under(&mu, func() { n++ }), func() {
		mu.RLock()
		parallel(func() {
			for range 3 {
				mu.RLock()
				go func() {
					defer mu.RUnlock()
					sink(n)
				}()
			}
		})
		sink(n)
		mu.RUnlock()
	})
	mu.Lock()
	n++
	mu.Unlock()
}

// ReaderGiven: readers do not keep each other out.
func (racy) ReaderGiven() {
	var mu sync.RWMutex
	n := 0
	first(func() {
		mu.RLock()
		n++ // want race: n
		mu.RUnlock()
	}, func() {
		mu.RLock()
		parallel(func() {
			defer mu.RUnlock()
			n++ // want race: n
		})
	})
	sink(n)
}

// LockerGiven: a task that has got the lock as a Locker gives it up, and reads afterwards.
func (racy) LockerGiven() {
	var mu sync.RWMutex
	n := 0
	first(under(&mu, func() { n = 1 }), func() { // want predicted: n
		done := make(chan bool)
		l := mu.RLocker()
		l.Lock()
		go func(l sync.Locker) {
			defer close(done)
			l.Unlock()
			sink(n) // want predicted: n
		}(l)
		<-done
	})
}

func (fixed) LockerGiven() {
	var mu sync.RWMutex
	n := 0
	first(under(&mu, func() { n = 1 }), func() {
		done := make(chan bool)
		l := mu.RLocker()
		l.Lock()
		go func(l sync.Locker) {
			defer close(done)
			sink(n)
			l.Unlock()
		}(l)
		<-done
	})
}

// WaitsInChild: the child gives up the lock of its parent in Wait and takes it itself.
func (fixed) WaitsInChild() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	n, ready := 0, false
	first(under(&mu, func() { n++ }), func() {
		done := make(chan bool)
		mu.Lock()
		go func() {
			defer close(done)
			n++
			for !ready {
				cond.Wait()
			}
			n++
			mu.Unlock()
		}()
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
		<-done
	})
	sink(n)
}

// WaitsInChild: the child has given up the lock.
func (racy) WaitsInChild() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	n, ready := 0, false
	first(under(&mu, func() { n++ }), func() { // want predicted: n
		done := make(chan bool)
		mu.Lock()
		go func() {
			defer close(done)
			for !ready {
				cond.Wait()
			}
			mu.Unlock()
			n++ // want predicted: n
		}()
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
		<-done
	})
	sink(n)
}

// HeldForChildren: the parent gives up the lock when its children are done.
func (fixed) HeldForChildren() {
	var mu sync.Mutex
	n := [2]int{}
	work := func() {
		mu.Lock()
		defer mu.Unlock()
		parallel(func() { n[0]++ }, func() { n[1]++ })
	}
	first(work, work)
	first(under(&mu, func() { n[0]++ }), work)
	first(work, under(&mu, func() { n[1]++ }))
	sink(n)
}

// HeldForChildren: the parent does not wait.
func (racy) HeldForChildren() {
	var mu sync.Mutex
	var b baton
	n := 0
	first(under(&mu, func() { n++ }), func() { // want predicted: n
		done := make(chan bool)
		mu.Lock()
		go func() {
			defer close(done)
			n++ // want predicted: n
			b.pass()
		}()
		b.await() // in another schedule the child is late
		mu.Unlock()
		<-done
	})
	sink(n)
}

// GivenWithValue: what the child reads in the section says that x is written.
func (fixed) GivenWithValue() {
	var mu sync.Mutex
	x, ready := 0, false
	first(func() {
		x = 1
		mu.Lock()
		ready = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		parallel(func() {
			ok := ready
			mu.Unlock()
			if ok {
				x = 2
			}
		})
	})
	sink(x)
}

// GivenWithValue: the section says nothing about x.
func (racy) GivenWithValue() {
	var mu sync.Mutex
	x, a, b := 0, 0, 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		a++
		mu.Unlock()
	}, func() {
		mu.Lock()
		parallel(func() {
			b++
			mu.Unlock()
			x = 2 // want predicted: x
		})
	})
	sink(x + a + b)
}

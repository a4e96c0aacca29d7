package main

import (
	"sync"
	"sync/atomic"
)

// Races that the observed lock order hides from the happens-before relation:
// another schedule of the same operations runs the two accesses in parallel.
// The batons decide the order of the critical sections.

// LockHandover separates two unlocked writes by critical sections that have
// nothing to do with each other.
func (racy) LockHandover() {
	var mu sync.Mutex
	x, a, b := 0, 0, 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		a++
		mu.Unlock()
	}, func() {
		mu.Lock()
		b++
		mu.Unlock()
		x = 2 // want predicted: x
	})
	sink(x)
}

// LockHandover: the later section reads what the earlier one wrote, so its
// outcome depends on the order: the value was handed over.
func (fixed) LockHandover() {
	var mu sync.Mutex
	x := 0
	ready := false
	first(func() {
		x = 1
		mu.Lock()
		ready = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		ok := ready
		mu.Unlock()
		if ok {
			x = 2
		}
	})
	sink(x)
}

// EmptySections take and give up the lock around nothing.
func (racy) EmptySections() {
	var mu sync.Mutex
	x := 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		mu.Unlock()
	}, func() {
		mu.Lock()
		mu.Unlock()
		sink(x) // want predicted: x
	})
}

func (fixed) EmptySections() {
	var mu sync.Mutex
	x := 0
	first(under(&mu, func() { x = 1 }), func() {
		mu.Lock()
		sink(x)
		mu.Unlock()
	})
}

// LockChain hides the race behind two locks and a task between.
func (racy) LockChain() {
	var l1, l2 sync.Mutex
	var b1, b2 baton
	x, a, b := 0, 0, 0
	parallel(func() {
		x = 1 // want predicted: x
		l1.Lock()
		a = 1
		l1.Unlock()
		b1.pass()
	}, func() {
		b1.await()
		l1.Lock()
		l1.Unlock()
		l2.Lock()
		b = 1
		l2.Unlock()
		b2.pass()
	}, func() {
		b2.await()
		l2.Lock()
		l2.Unlock()
		sink(x) // want predicted: x
	})
	sink(a + b)
}

// LockChain: both links carry a value.
func (fixed) LockChain() {
	var l1, l2 sync.Mutex
	var b1, b2 baton
	x, a, b := 0, 0, 0
	parallel(func() {
		x = 1
		l1.Lock()
		a = 1
		l1.Unlock()
		b1.pass()
	}, func() {
		b1.await()
		l1.Lock()
		v := a
		l1.Unlock()
		l2.Lock()
		b = v
		l2.Unlock()
		b2.pass()
	}, func() {
		b2.await()
		l2.Lock()
		v := b
		l2.Unlock()
		if v != 0 {
			sink(x)
		}
	})
}

// RWHandover: writer mode, then reader mode.
func (racy) RWHandover() {
	var mu sync.RWMutex
	x, n := 0, 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		n = 1
		mu.Unlock()
	}, func() {
		mu.RLock()
		mu.RUnlock()
		x = 2 // want predicted: x
	})
	sink(n)
	sink(x)
}

func (fixed) RWHandover() {
	var mu sync.RWMutex
	x, n := 0, 0
	first(func() {
		x = 1
		mu.Lock()
		n = 1
		mu.Unlock()
	}, func() {
		mu.RLock()
		v := n
		mu.RUnlock()
		if v == 1 {
			x = 2
		}
	})
	sink(x)
}

// HalfLocked holds the lock for one of the two accesses only, and the other
// one has just held it.
func (racy) HalfLocked() {
	var mu sync.Mutex
	x, n := 0, 0
	first(under(&mu, func() { x = 1 }), func() { // want predicted: x
		mu.Lock()
		n = 1
		mu.Unlock()
		x = 2 // want predicted: x
	})
	sink(n)
	sink(x)
}

func (fixed) HalfLocked() {
	var mu sync.Mutex
	x, n := 0, 0
	first(under(&mu, func() { x = 1 }), func() {
		mu.Lock()
		n = 1
		x = 2
		mu.Unlock()
	})
	sink(n)
	sink(x)
}

// PolledClose looks whether a channel is closed, under a lock, and the other section
// has nothing to do with that.
func (racy) PolledClose() {
	var mu sync.Mutex
	done := make(chan int)
	x, n := 0, 0
	first(func() {
		mu.Lock()
		select {
		case <-done:
		default:
			x = 1 // want predicted: x
		}
		mu.Unlock()
	}, func() {
		mu.Lock()
		n = 1
		mu.Unlock()
		close(done)
		x = 2 // want predicted: x
	})
	sink(n)
	sink(x)
}

// PolledClose: in the other order the first section would have found the channel
// closed.
func (fixed) PolledClose() {
	var mu sync.Mutex
	done := make(chan int)
	x := 0
	first(func() {
		mu.Lock()
		select {
		case <-done:
		default:
			x = 1
		}
		mu.Unlock()
	}, func() {
		mu.Lock()
		close(done)
		mu.Unlock()
		x = 2
	})
	sink(x)
}

// PolledSlot finds no room in one channel and nothing in another.
func (racy) PolledSlot() {
	var mu sync.Mutex
	slots, more := make(chan int, 1), make(chan int)
	slots <- 0
	x, n := 0, 0
	first(func() {
		mu.Lock()
		select {
		case slots <- 1:
		case <-more:
		default:
			x = 1 // want predicted: x
		}
		mu.Unlock()
	}, func() {
		mu.Lock()
		n = 1
		mu.Unlock()
		<-slots
		x = 2 // want predicted: x
	})
	sink(n)
	sink(x)
}

func (fixed) PolledSlot() {
	var mu sync.Mutex
	slots, more := make(chan int, 1), make(chan int)
	slots <- 0
	x := 0
	first(func() {
		mu.Lock()
		select {
		case slots <- 1:
		case <-more:
		default:
			x = 1
		}
		mu.Unlock()
	}, func() {
		mu.Lock()
		<-slots
		mu.Unlock()
		x = 2
	})
	sink(x)
}

// DeferredSection writes after the method that locked has returned.
func (racy) DeferredSection() {
	var a account
	log := []string{""}
	first(func() {
		log[0] = "one" // want predicted: log[0]
		a.deposit(1)
	}, func() {
		var other account
		other.deposit(1)
		a.mu.Lock()
		a.mu.Unlock()
		log[0] = "two" // want predicted: log[0]
	})
}

// DeferredSection: both deposits go to one account, and the second one reads
// what the first one wrote.
func (fixed) DeferredSection() {
	var a account
	log := []string{""}
	first(func() {
		log[0] = "one"
		a.deposit(1)
	}, func() {
		a.deposit(1)
		log[0] = "two"
	})
}

// TryLockHandover takes the lock with TryLock, which succeeds.
func (racy) TryLockHandover() {
	var mu sync.Mutex
	x := 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		mu.Unlock()
	}, func() {
		for !mu.TryLock() {
		}
		mu.Unlock()
		x = 2 // want predicted: x
	})
	sink(x)
}

func (fixed) TryLockHandover() {
	var mu sync.Mutex
	x := 0
	set := func(v int) {
		for !mu.TryLock() {
		}
		x = v
		mu.Unlock()
	}
	first(func() { set(1) }, func() { set(2) })
	sink(x)
}

// buffered fills one buffer while another one is emptied, and swaps them under the lock.
type buffered struct {
	mu        sync.Mutex
	hot, cold []int
}

// SwappedBuffer: the section that appends reads the slice which the section that swapped the
// buffers has written. The append writes that slice as well, behind the element.
func (fixed) SwappedBuffer() {
	b := &buffered{hot: make([]int, 0, 4), cold: make([]int, 1, 4)}
	first(func() {
		sink(b.cold[0])
		b.mu.Lock()
		b.hot, b.cold = b.cold[:0], b.hot
		b.mu.Unlock()
	}, func() {
		b.add(7)
	})
	sink(len(b.hot))
}

func (b *buffered) add(v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hot = append(b.hot, v)
}

// SwappedBuffer: the sections have nothing to do with each other.
func (racy) SwappedBuffer() {
	b := &buffered{hot: make([]int, 0, 4), cold: make([]int, 1, 4)}
	all := b.cold
	first(func() {
		sink(all[0]) // want predicted: all[0]
		b.mu.Lock()
		b.hot = nil
		b.mu.Unlock()
	}, under(&b.mu, func() { b.cold = append(b.cold[:0], 7) })) // want predicted: append(b.cold[:0], 7)
	sink(len(b.hot))
}

type registered struct{ n int }

// Registry: a section that finds an object has come after the section that entered it.
func (fixed) Registry() {
	var mu sync.Mutex
	table := make([]*registered, 64)
	at := 7
	first(func() {
		r := &registered{}
		known(r)
		r.n = 1
		mu.Lock()
		table[at] = r
		mu.Unlock()
	}, under(&mu, func() { sink(found(table)) }))
}

// known publishes r, so that its accesses have checks.
func known(r *registered) { keep = r }

var keep *registered

// found returns the number of the first object of a table.
//
//go:noinline
func found(table []*registered) int {
	for i := 0; i < len(table); {
		r := table[i]
		if r != nil {
			return r.n
		}
		i++
	}
	return 0
}

// A gate lets tasks in until it is closed. Only atomic operations write closed and word, so loads of these are
// recorded in critical sections alone.
type gate struct {
	mu     sync.Mutex
	closed atomic.Bool
	word   uint32 // atomic
	inside int
}

// OpenGate: both sections find the gate open, in either order.
func (racy) OpenGate() {
	g := new(gate)
	first(func() {
		g.mu.Lock()
		if !g.closed.Load() {
			g.inside = 1 // want predicted: g.inside
		}
		g.mu.Unlock()
	}, func() {
		g.mu.Lock()
		open := !g.closed.Load()
		g.mu.Unlock()
		if open {
			sink(g.inside) // want predicted: g.inside
		}
		g.closed.Store(true)
	})
}

// OpenGate: in the other order the first task would find the gate closed.
func (fixed) OpenGate() {
	g := new(gate)
	first(func() {
		g.mu.Lock()
		if !g.closed.Load() {
			g.inside = 1
		}
		g.mu.Unlock()
	}, func() {
		g.mu.Lock()
		g.closed.Store(true)
		g.mu.Unlock()
		sink(g.inside)
	})
}

// GateWord is OpenGate with functions in place of methods, and a compare-and-swap.
func (fixed) GateWord() {
	g := new(gate)
	first(func() {
		g.mu.Lock()
		if atomic.LoadUint32(&g.word) == 0 {
			g.inside = 1
		}
		g.mu.Unlock()
	}, func() {
		g.mu.Lock()
		atomic.CompareAndSwapUint32(&g.word, 0, 1)
		g.mu.Unlock()
		sink(g.inside)
	})
}

// SharedMap: in the other order the first task would find the key.
func (fixed) SharedMap() {
	var mu sync.Mutex
	var m sync.Map
	x := 0
	m.Store(0, true)
	first(func() {
		mu.Lock()
		if _, ok := m.Load(1); !ok {
			x = 1
		}
		mu.Unlock()
	}, func() {
		mu.Lock()
		m.Store(1, true)
		mu.Unlock()
		sink(x)
	})
}

// InnerLock: the order in which two sections take another lock tells them nothing.
func (racy) InnerLock() {
	var mu, inner sync.Mutex
	x, a, b := 0, 0, 0
	first(func() {
		x = 1 // want predicted: x
		mu.Lock()
		under(&inner, func() { a = 1 })()
		mu.Unlock()
	}, func() {
		mu.Lock()
		under(&inner, func() { b = 1 })()
		mu.Unlock()
		sink(x) // want predicted: x
	})
	sink(a + b)
}

// InnerLock: the later section reads under the other lock a value of the earlier one.
func (fixed) InnerLock() {
	var mu, inner sync.Mutex
	x, a := 0, 0
	first(func() {
		x = 1
		mu.Lock()
		under(&inner, func() { a = 1 })()
		mu.Unlock()
	}, func() {
		mu.Lock()
		under(&inner, func() { sink(a) })()
		mu.Unlock()
		sink(x)
	})
}

// Announcement has the receiver of a message wait for the lock under which it was sent.
func (fixed) Announcement() {
	var mu sync.Mutex
	x := 0
	news := make(chan bool, 1)
	parallel(func() {
		mu.Lock()
		news <- true
		x = 1
		mu.Unlock()
	}, func() {
		<-news
		mu.Lock()
		mu.Unlock()
		sink(x)
	})
}

// Announcement: the receiver takes the lock before it receives.
func (racy) Announcement() {
	var mu sync.Mutex
	x := 0
	news := make(chan bool, 1)
	var b baton
	parallel(func() {
		mu.Lock()
		news <- true
		x = 1 // want predicted: x
		mu.Unlock()
		b.pass()
	}, func() {
		b.await()
		mu.Lock()
		mu.Unlock()
		<-news
		sink(x) // want predicted: x
	})
}

// Latch has a goroutine wait for a lock that its parent held when it started it.
func (fixed) Latch() {
	var mu sync.Mutex
	x := 0
	done := make(chan bool)
	mu.Lock()
	go func() {
		mu.Lock()
		mu.Unlock()
		sink(x)
		done <- true
	}()
	x = 1
	mu.Unlock()
	<-done
}

// Latch: the parent takes the lock after it has started the goroutine.
func (racy) Latch() {
	var mu sync.Mutex
	var b baton
	x := 0
	done := make(chan bool)
	go func() {
		b.await()
		mu.Lock()
		mu.Unlock()
		sink(x) // want predicted: x
		done <- true
	}()
	mu.Lock()
	x = 1 // want predicted: x
	mu.Unlock()
	b.pass()
	<-done
}

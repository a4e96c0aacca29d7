package main

import (
	"sync"
	"time"
)

// Programs with locks and without races.

// Common: both tasks hold the same lock.
func (clean) Common() {
	var mu sync.Mutex
	x := 0
	add := func() {
		mu.Lock()
		x++
		mu.Unlock()
	}
	parallel(add, add, add)
	sink(x)
}

// PairwiseCommon: any two of three tasks have a lock in common, and all three none.
func (clean) PairwiseCommon() {
	var l1, l2, l3 sync.Mutex
	x := 0
	with := func(a, b *sync.Mutex) func() {
		return func() { locked(a, func() { locked(b, func() { x++ }) }) }
	}
	parallel(with(&l1, &l2), with(&l2, &l3), with(&l1, &l3))
	sink(x)
}

// ReadersAndWriter: readers share the lock, the writer has it alone.
func (clean) ReadersAndWriter() {
	var mu sync.RWMutex
	table := map[string]int{"a": 1}
	read := func() {
		mu.RLock()
		defer mu.RUnlock()
		sink(table["a"])
	}
	parallel(read, read, func() {
		mu.Lock()
		defer mu.Unlock()
		table["a"]++
	})
}

// Upgraded: what was read under the shared lock is looked at again under the exclusive one.
func (clean) Upgraded() {
	var mu sync.RWMutex
	cache := map[int]int{}
	square := func(n int) int {
		mu.RLock()
		v, ok := cache[n]
		mu.RUnlock()
		if ok {
			return v
		}
		mu.Lock()
		defer mu.Unlock()
		if v, ok := cache[n]; ok {
			return v
		}
		cache[n] = n * n
		return n * n
	}
	parallel(func() { sink(square(3)) }, func() { sink(square(3)) }, func() { sink(square(4)) })
}

// LockPerElement: each element has its own lock, which every task takes.
func (clean) LockPerElement() {
	type slot struct {
		mu    sync.Mutex
		count int
	}
	slots := make([]slot, 4)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := &slots[i*i%len(slots)]
			s.mu.Lock()
			s.count++
			s.mu.Unlock()
		})
	}
	wg.Wait()
}

// Transfer: two locks, taken in one order, protect both sides.
func (clean) Transfer() {
	type account struct {
		id, balance int
		mu          sync.Mutex
	}
	a, b := &account{id: 1, balance: 100}, &account{id: 2, balance: 100}
	transfer := func(from, to *account, n int) {
		first, second := from, to
		if second.id < first.id {
			first, second = second, first
		}
		first.mu.Lock()
		defer first.mu.Unlock()
		second.mu.Lock()
		defer second.mu.Unlock()
		from.balance -= n
		to.balance += n
	}
	parallel(func() { transfer(a, b, 10) }, func() { transfer(b, a, 20) })
	sink(a.balance + b.balance)
}

// BothBranches: whichever branch is taken, its access is protected.
func (clean) BothBranches() {
	var mu sync.Mutex
	turn, x := 0, 0
	task := func() {
		mu.Lock()
		turn++
		odd := turn%2 == 1
		mu.Unlock()
		if odd {
			mu.Lock()
			x++
			mu.Unlock()
		} else {
			mu.Lock()
			x--
			mu.Unlock()
		}
	}
	parallel(task, task)
	sink(x)
}

type stack struct {
	sync.Mutex
	items []int
}

func (s *stack) push(v int) {
	s.Lock()
	defer s.Unlock()
	s.items = append(s.items, v)
}

func (s *stack) pop() (v int, ok bool) {
	s.Lock()
	defer s.Unlock()
	if len(s.items) == 0 {
		return 0, false
	}
	v = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, true
}

// Methods: the lock is embedded, and only methods touch the items.
func (clean) Methods() {
	var s stack
	parallel(func() { s.push(1) }, func() { s.push(2) }, func() {
		if v, ok := s.pop(); ok {
			sink(v)
		}
	})
}

// Popped: what is taken from a locked container belongs to who has taken it.
func (clean) Popped() {
	var mu sync.Mutex
	pool := [][]int{{1}, {2}}
	task := func() {
		mu.Lock()
		b := pool[len(pool)-1]
		pool = pool[:len(pool)-1]
		mu.Unlock()
		b[0]++
	}
	parallel(task, task)
}

// BuiltThenShown: an object is filled in without the lock and published under it.
func (clean) BuiltThenShown() {
	type page struct{ title, text string }
	var mu sync.Mutex
	var shown *page
	parallel(func() {
		p := &page{}
		p.title, p.text = "a", "b"
		mu.Lock()
		shown = p
		mu.Unlock()
	}, func() {
		mu.Lock()
		p := shown
		mu.Unlock()
		if p != nil {
			sink(p.title + p.text)
		}
	})
}

// Mailbox: a condition variable passes a value on, and the receiver keeps it.
func (clean) Mailbox() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var box *int
	parallel(func() {
		v := 42
		mu.Lock()
		box = &v
		mu.Unlock()
		cond.Signal()
	}, func() {
		mu.Lock()
		for box == nil {
			cond.Wait()
		}
		p := box
		mu.Unlock()
		*p++
	})
}

// Barrier: all tasks arrive before any goes on; a generation tells rounds apart.
func (clean) Barrier() {
	const n = 3
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	arrived, generation := 0, 0
	wait := func() {
		mu.Lock()
		defer mu.Unlock()
		g := generation
		if arrived++; arrived == n {
			arrived = 0
			generation++
			cond.Broadcast()
			return
		}
		for g == generation {
			cond.Wait()
		}
	}
	var xs, ys [n]int
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			xs[i] = i
			wait()
			ys[i] = xs[(i+1)%n]
			wait()
			xs[i] = ys[(i+1)%n]
		})
	}
	wg.Wait()
}

// AfterJoin: once the tasks are waited for, no lock is needed.
func (clean) AfterJoin() {
	var mu sync.Mutex
	total := 0
	add := func() {
		mu.Lock()
		defer mu.Unlock()
		total++
	}
	parallel(add, add)
	total *= 2
	parallel(func() { sink(total) }, func() { sink(total) })
}

// HeldAcrossSpawn: the task that holds the lock gives up its access until its child, which has
// no lock, is done. Whoever else wants the variable has to wait for the lock.
func (clean) HeldAcrossSpawn() {
	var mu sync.Mutex
	x := 0
	inOrder(func() {
		mu.Lock()
		defer mu.Unlock()
		parallel(func() { x = 1 })
		x++
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		x = 2
	})
	sink(x)
}

// Convention: the function with the suffix is called with the lock held.
func (clean) Convention() {
	var mu sync.Mutex
	sizes := map[string]int{}
	addLocked := func(name string, n int) { sizes[name] += n }
	add := func(name string, n int) {
		mu.Lock()
		defer mu.Unlock()
		addLocked(name, n)
		addLocked("all", n)
	}
	parallel(func() { add("a", 1) }, func() { add("b", 2) })
	sink(sizes["all"])
}

// Swapped: a task takes the whole batch under the lock and works on it without.
func (clean) Swapped() {
	var mu sync.Mutex
	var batch []int
	add := func(v int) {
		mu.Lock()
		defer mu.Unlock()
		batch = append(batch, v)
	}
	flush := func() int {
		mu.Lock()
		mine := batch
		batch = nil
		mu.Unlock()
		sum := 0
		for i := range mine {
			sum += mine[i]
			mine[i] = 0
		}
		return sum
	}
	parallel(func() { add(1); add(2) }, func() { sink(flush()) }, func() { add(3); sink(flush()) })
}

// TryOrSkip: who does not get the lock does not touch the variable.
func (clean) TryOrSkip() {
	var mu sync.Mutex
	x := 0
	task := func() {
		if !mu.TryLock() {
			return
		}
		defer mu.Unlock()
		x++
	}
	parallel(task, task, task)
}

// Locker: the lock is an argument behind an interface, for reading in one task.
func (clean) Locker() {
	var mu sync.RWMutex
	x := 0
	with := func(l sync.Locker, f func()) func() { return func() { locked(l, f) } }
	parallel(with(&mu, func() { x++ }), with(mu.RLocker(), func() { sink(x) }), with(mu.RLocker(), func() { sink(x) }))
}

// Timer: a function that a timer runs takes the lock as everybody does.
func (clean) Timer() {
	var mu sync.Mutex
	expired := false
	done := make(chan struct{})
	time.AfterFunc(time.Millisecond, func() {
		mu.Lock()
		expired = true
		mu.Unlock()
		close(done)
	})
	mu.Lock()
	sink(expired)
	mu.Unlock()
	<-done
}

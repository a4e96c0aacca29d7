package main

import (
	"sync"
	"unsafe"
)

// False friends: programs that look like a race, or are wrong in another way, without one.

// CheckThenAct: the decision and what follows from it are two critical sections; that
// is a fault of atomicity, not a race.
func (clean) CheckThenAct() {
	var mu sync.Mutex
	seats := 1
	book := func() {
		mu.Lock()
		available := seats > 0
		mu.Unlock()
		if available {
			mu.Lock()
			seats--
			mu.Unlock()
		}
	}
	parallel(book, book)
	sink(seats)
}

// LostUpdate: a value is read in one critical section and written back in another one.
func (clean) LostUpdate() {
	var mu sync.Mutex
	x := 0
	add := func() {
		mu.Lock()
		v := x
		mu.Unlock()
		mu.Lock()
		x = v + 1
		mu.Unlock()
	}
	parallel(add, add)
	sink(x)
}

// Shadowed: the variable in the task has the name of the one outside.
func (clean) Shadowed() {
	x := 0
	parallel(func() {
		x := 1
		x++
		sink(x)
	}, func() {
		x++
	})
	sink(x)
}

// PerIteration: each iteration has its own variable, which its task may write.
func (clean) PerIteration() {
	var wg sync.WaitGroup
	for i := 0; i < 4; i++ {
		wg.Go(func() {
			v := i
			v *= v
			sink(v)
		})
	}
	wg.Wait()
}

// Neighbors: tasks write neighboring bytes of one word.
func (clean) Neighbors() {
	var word [unsafe.Sizeof(uintptr(0))]byte
	var wg sync.WaitGroup
	for i := range word {
		wg.Go(func() { word[i] = byte(i) })
	}
	wg.Wait()
	sink(word)
}

// OverlappingSlices: the slices overlap, and the elements that are written do not.
func (clean) OverlappingSlices() {
	xs := make([]int, 6)
	a, b := xs[:4], xs[2:]
	parallel(func() { clear(a[:3]) }, func() { clear(b[1:]) })
}

// SameValueCopied: both tasks work on copies of an array.
func (clean) SameValueCopied() {
	grid := [3]int{1, 2, 3}
	double := func(g [3]int) {
		for i := range g {
			g[i] *= 2
		}
		sink(g)
	}
	parallel(func() { double(grid) }, func() { double(grid) })
}

// MemoryReused: the memory of one task's buffer may be another task's later; a pool
// hands it over.
func (clean) MemoryReused() {
	pool := sync.Pool{New: func() any { return new([64]byte) }}
	use := func() {
		b := pool.Get().(*[64]byte)
		b[0]++
		pool.Put(b)
	}
	parallel(use, use, use)
}

// OrderOfResults: which task comes first changes the result, under a lock.
func (clean) OrderOfResults() {
	var mu sync.Mutex
	first := ""
	finish := func(name string) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			if first == "" {
				first = name
			}
		}
	}
	parallel(finish("a"), finish("b"))
	sink(first)
}

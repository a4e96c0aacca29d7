package main

import (
	"sync"
	"sync/atomic"
)

// Programs without races and, but for the last ones, without locks: spawning, waiting
// and passing values on order what they do.

// OwnElements: each task writes an element of its own.
func (clean) OwnElements() {
	xs := make([]int, 8)
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() { xs[i] = i * i })
	}
	wg.Wait()
	sink(xs[3])
}

// ReadShared: tasks read what was written before they started.
func (clean) ReadShared() {
	table := []int{3, 1, 2}
	sums := make([]int, 4)
	var wg sync.WaitGroup
	for i := range sums {
		wg.Go(func() {
			for _, v := range table {
				sums[i] += v
			}
		})
	}
	wg.Wait()
	table[0] = 0
}

// Phases: a wait stands between those who write and those who read.
func (clean) Phases() {
	a, b := make([]int, 4), make([]int, 4)
	parallel(func() { a[0], a[1] = 1, 2 }, func() { a[2], a[3] = 3, 4 })
	parallel(func() { b[0], b[1] = a[3], a[2] }, func() { b[2], b[3] = a[1], a[0] })
	sink(a[0] + b[0])
}

// Reused: one group waits for several rounds of tasks.
func (clean) Reused() {
	x := 0
	var wg sync.WaitGroup
	for range 5 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x++
		}()
		wg.Wait()
	}
	sink(x)
}

// GrandchildJoined: a task waits for its child before it ends.
func (clean) GrandchildJoined() {
	x := 0
	parallel(func() {
		x = 1
		parallel(func() { x = 2 })
		x = 3
	})
	sink(x)
}

// EscapingFinish: a grandchild is waited for by its grandparent, through the group that
// it was counted in.
func (clean) EscapingFinish() {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		wg.Go(func() { x = 1 })
	})
	wg.Wait()
	sink(x)
}

// Halves: a range is divided among tasks down to single elements, and sums go up.
func (clean) Halves() {
	xs := []int{5, 3, 8, 1, 9, 2, 7, 4}
	var sum func(xs []int) int
	sum = func(xs []int) int {
		if len(xs) == 1 {
			return xs[0]
		}
		var a, b int
		parallel(func() { a = sum(xs[:len(xs)/2]) }, func() { b = sum(xs[len(xs)/2:]) })
		return a + b
	}
	sink(sum(xs))
}

// Wavefront: the tasks of a diagonal need those of the one before.
func (clean) Wavefront() {
	const n = 4
	var g [n][n]int
	for d := 1; d < 2*n-1; d++ {
		var wg sync.WaitGroup
		for i := max(0, d-n+1); i <= min(d, n-1); i++ {
			j := d - i
			wg.Go(func() {
				g[i][j] = 1
				if i > 0 {
					g[i][j] += g[i-1][j]
				}
				if j > 0 {
					g[i][j] += g[i][j-1]
				}
			})
		}
		wg.Wait()
	}
	sink(g[n-1][n-1])
}

// DoubleBuffer: rounds write one buffer, read the other, and change places.
func (clean) DoubleBuffer() {
	src, dst := []int{1, 2, 3, 4}, make([]int, 4)
	for range 3 {
		var wg sync.WaitGroup
		for i := range dst {
			wg.Go(func() { dst[i] = src[i] + src[(i+1)%len(src)] })
		}
		wg.Wait()
		src, dst = dst, src
	}
	sink(src[0])
}

// Handover: an unbuffered channel passes a structure on.
func (clean) Handover() {
	type job struct{ in, out int }
	ch := make(chan *job)
	parallel(func() {
		j := &job{in: 6}
		ch <- j
	}, func() {
		j := <-ch
		j.out = j.in * 7
		sink(j.out)
	})
}

// Promise: a channel that is closed once is waited for by several tasks.
func (clean) Promise() {
	value := 0
	set := make(chan struct{})
	get := func() {
		<-set
		sink(value)
	}
	parallel(get, get, func() {
		value = 42
		close(set)
	})
}

// Pipeline: stages of tasks pass values on through buffered channels.
func (clean) Pipeline() {
	in, out := make(chan []int, 2), make(chan []int, 2)
	parallel(func() {
		defer close(in)
		for i := range 4 {
			in <- []int{i}
		}
	}, func() {
		defer close(out)
		for v := range in {
			v[0] *= 2
			out <- v
		}
	}, func() {
		for v := range out {
			v[0]++
		}
	})
}

// Workers: tasks take jobs from one channel and put results into their own places.
func (clean) Workers() {
	jobs := make(chan int)
	results := make([]int, 6)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range jobs {
				results[j] = j * j
			}
		})
	}
	for j := range results {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	sink(results[5])
}

// Semaphore: a channel of one place keeps tasks from an increment at the same time.
func (clean) Semaphore() {
	free := make(chan struct{}, 1)
	x := 0
	task := func() {
		free <- struct{}{}
		x++
		<-free
	}
	parallel(task, task, task)
	sink(x)
}

// Once: whoever comes first makes the value, and all the others see it.
func (clean) Once() {
	var once sync.Once
	var table []int
	get := func() int {
		once.Do(func() { table = []int{1, 2, 3} })
		return table[1]
	}
	parallel(func() { sink(get()) }, func() { sink(get()) }, func() { sink(get()) })
}

// AtomicCounter: tasks count atomically.
func (clean) AtomicCounter() {
	var n atomic.Int64
	parallel(func() { n.Add(1) }, func() { n.Add(2) }, func() { sink(n.Load()) })
}

// Published: an atomic flag says that a plain variable may be read.
func (clean) Published() {
	var ready atomic.Bool
	value := 0
	parallel(func() {
		value = 42
		ready.Store(true)
	}, func() {
		if ready.Load() {
			sink(value)
		}
	})
}

// LastOut: the task that counts down to zero reads what all have written.
func (clean) LastOut() {
	parts := make([]int, 4)
	var left atomic.Int32
	left.Store(int32(len(parts)))
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			parts[i] = i
			if left.Add(-1) == 0 {
				sink(parts[0] + parts[1] + parts[2] + parts[3])
			}
		})
	}
	wg.Wait()
}

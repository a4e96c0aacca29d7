package main

import "sync"

// Races of tasks that start tasks.

// Uncle: a task and a grandchild of its parent.
func (racy) Uncle() {
	x := 0
	parallel(func() {
		parallel(func() {
			x = 1 // want race: x
		})
	}, func() {
		x = 2 // want race: x
	})
	sink(x)
}

// Orphan: a task ends before the task that it has started; its parent waits for the
// first of the two.
func (racy) Orphan() {
	var child, grandchild sync.WaitGroup
	x := 0
	child.Go(func() {
		grandchild.Go(func() {
			x = 1 // want race: x
		})
	})
	child.Wait()
	sink(x) // want race: x
	grandchild.Wait()
}

// InnerFinish: the wait of one task orders its own children only.
func (racy) InnerFinish() {
	x := 0
	parallel(func() {
		parallel(func() {
			sink(x) // want races: x
		}, func() {
			sink(x) // want races: x
		})
		sink("joined")
	}, func() {
		parallel(func() {}, func() {})
		x = 1 // want races: x
	})
}

// Recursion: the leaves of a tree of tasks add to one sum.
func (racy) Recursion() {
	sum := 0
	var leaves func(n int)
	leaves = func(n int) {
		if n == 1 {
			sum++ // want race: sum
			return
		}
		parallel(func() { leaves(n / 2) }, func() { leaves(n - n/2) })
	}
	leaves(4)
	sink(sum)
}

// DeepLeaf: a leaf four levels down and the continuation of the root.
func (racy) DeepLeaf() {
	x := 0
	var wg sync.WaitGroup
	var down func(level int)
	down = func(level int) {
		if level == 4 {
			x = 1 // want race: x
			return
		}
		wg.Go(func() { down(level + 1) })
	}
	down(0)
	x = 2 // want race: x
	wg.Wait()
	sink(x)
}

// SyncInLoop: every other iteration waits, and the two before it are not ordered.
func (racy) SyncInLoop() {
	cells := make([]int, 3)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			cells[i/2]++ // want race: cells[i/2]
		})
		if i%2 == 1 {
			wg.Wait()
		}
	}
}

// Subtrees: each half of a divided range writes its last element, and one the first of
// the other.
func (racy) Subtrees() {
	xs := make([]int, 8)
	var fill func(xs []int)
	fill = func(xs []int) {
		if len(xs) == 2 {
			xs[0]++ // want race: xs[0]
			return
		}
		h := len(xs) / 2
		parallel(func() { fill(xs[:h]) }, func() { fill(xs[h-2:][:h]) })
	}
	fill(xs)
}

// ParentReadsArgument: the child gets a pointer to what the parent goes on with.
func (racy) ParentReadsArgument() {
	type job struct{ done bool }
	start := func(wg *sync.WaitGroup, j *job) {
		wg.Go(func() {
			j.done = true // want race: j.done
		})
	}
	var wg sync.WaitGroup
	jobs := []*job{{}, {}}
	for _, j := range jobs {
		start(&wg, j)
	}
	ready := 0
	for _, j := range jobs {
		if j.done { // want race: j.done
			ready++
		}
	}
	wg.Wait()
	sink(ready)
}

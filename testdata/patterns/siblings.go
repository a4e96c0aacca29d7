package main

import "sync"

// The six test categories of PTRacer: 21 sibling tasks, of which the first one
// and the k-th one share an element and every other one has its own. The
// branch categories exist there to find what the untaken branch would do; here
// the racy form takes the branch.

const siblings = 21

// spawnSiblings runs the body of every sibling and waits for them.
func spawnSiblings(body func(t int)) {
	var wg sync.WaitGroup
	for t := 1; t <= siblings; t++ {
		wg.Go(func() { body(t) })
	}
	wg.Wait()
}

// Siblings has no lock.
//
//case:range 2..21
func (racy) Siblings(k int) {
	shd := make([]int32, siblings+1)
	spawnSiblings(func(t int) {
		if t == k {
			shd[1]++ // want race: shd[1]
		} else {
			shd[t]++ // want race: shd[t]
		}
	})
}

// Siblings with both accesses under one lock.
//
//case:range 2..21
func (fixed) Siblings(k int) {
	var mu sync.Mutex
	shd := make([]int32, siblings+1)
	spawnSiblings(func(t int) {
		switch t {
		case 1, k:
			mu.Lock()
			shd[1]++
			mu.Unlock()
		default:
			shd[t]++
		}
	})
}

// SiblingsSerial joins the earlier siblings before the k-th one is spawned.
//
//case:range 2..21
func (fixed) SiblingsSerial(k int) {
	shd := make([]int32, siblings+1)
	var wg sync.WaitGroup
	for t := 1; t <= siblings; t++ {
		if t == k {
			wg.Wait()
		}
		wg.Go(func() {
			if t == k {
				shd[1]++
			} else {
				shd[t]++
			}
		})
	}
	wg.Wait()
}

// SiblingsLocks holds two different locks.
//
//case:range 2..21
func (racy) SiblingsLocks(k int) {
	var x, y sync.Mutex
	shd := make([]int32, siblings+1)
	spawnSiblings(func(t int) {
		switch t {
		case 1:
			y.Lock()
			shd[1]++ // want race: shd[1]
			y.Unlock()
		case k:
			x.Lock()
			shd[1]++ // want race: shd[1]
			x.Unlock()
		default:
			shd[t]++
		}
	})
}

//case:range 2..21
func (fixed) SiblingsLocks(k int) {
	var x, y sync.Mutex
	shd := make([]int32, siblings+1)
	spawnSiblings(func(t int) {
		switch t {
		case 1:
			y.Lock()
			shd[1]++
			y.Unlock()
		case k:
			x.Lock()
			y.Lock()
			shd[1]++
			y.Unlock()
			x.Unlock()
		default:
			shd[t]++
		}
	})
}

// siblingsBranch decides by the order of two critical sections whether the
// k-th sibling accesses the element without the lock.
func siblingsBranch(k int, firstFirst bool) {
	var x sync.Mutex
	var go1, goK baton
	if firstFirst {
		go1.pass()
	} else {
		goK.pass()
	}
	shd := make([]int32, siblings+1)
	c := false
	spawnSiblings(func(t int) {
		switch t {
		case 1:
			go1.await()
			x.Lock()
			c = true
			shd[1]++ // want(racy/SiblingsBranch) race: shd[1]
			x.Unlock()
			goK.pass()
		case k:
			goK.await()
			x.Lock()
			if c {
				shd[k]++
				x.Unlock()
			} else {
				x.Unlock()
				shd[1]++ // want(racy/SiblingsBranch) race: shd[1]
			}
			go1.pass()
		default:
			shd[t]++
		}
	})
}

//case:range 2..21
func (racy) SiblingsBranch(k int) { siblingsBranch(k, false) }

//case:range 2..21
func (fixed) SiblingsBranch(k int) { siblingsBranch(k, true) }

// SiblingsUnsat has a branch that no schedule takes.
//
//case:range 2..21
func (fixed) SiblingsUnsat(k int) {
	var x sync.Mutex
	shd := make([]int32, siblings+1)
	c := false
	spawnSiblings(func(t int) {
		switch t {
		case 1:
			x.Lock()
			shd[1]++
			x.Unlock()
		case k:
			x.Lock()
			if !c {
				shd[k]++
				x.Unlock()
			} else {
				x.Unlock()
				shd[1]++
			}
		default:
			shd[t]++
		}
	})
}

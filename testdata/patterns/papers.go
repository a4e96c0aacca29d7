package main

import "sync"

// The example programs of the papers that the detector follows, as Go
// programs. An async is a go statement, a finish a WaitGroup, an isolated
// block a critical section of one mutex. Where a program's outcome depends on
// its schedule, the racy form runs the schedule in which the racy accesses
// execute and the fixed form the other one.

type point struct{ x, y int }

// TaskChecker2 is figure 2 of Raman et al., "Efficient data race detection for
// async-finish parallelism": the first task of an iteration and the innermost
// one write the same element.
func (racy) TaskChecker2() {
	const size = 4
	var a, b [size + 1]int
	a[0] = 10
	var finish sync.WaitGroup
	for ind := range size {
		finish.Go(func() {
			b[ind] += ind // want races: b[ind]
			q := new(point)
			for j := range ind {
				q.x++
				b[ind] = a[j] + ind // want races: b[ind]
			}
		})
		var inner sync.WaitGroup
		inner.Go(func() {
			inner.Go(func() {
				b[ind] = a[ind] // want races: b[ind]
			})
			b[ind+1] = a[ind+1] + 5
		})
		inner.Wait()
	}
	finish.Wait()
}

func (fixed) TaskChecker2() {
	const size = 4
	var a, b, c [size + 1]int
	a[0] = 10
	var finish sync.WaitGroup
	for ind := range size {
		finish.Go(func() {
			b[ind] += ind
			q := new(point)
			for j := range ind {
				q.x++
				b[ind] = a[j] + ind
			}
		})
		var inner sync.WaitGroup
		inner.Go(func() {
			inner.Go(func() {
				c[ind] = a[ind]
			})
			c[ind+1] = a[ind+1] + 5
		})
		inner.Wait()
	}
	finish.Wait()
}

// TaskChecker3 is figure 3, a conditional sync in a loop of spawns: tasks on
// either side of it are ordered, tasks on one side are not.
func (racy) TaskChecker3() {
	var cell [3]int
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			cell[i%3]++ // want race: cell[i%3]
		})
		if i == 3 {
			wg.Wait()
		}
	}
	wg.Wait()
}

func (fixed) TaskChecker3() {
	var cell [4]int
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			cell[i%4]++
		})
		if i == 3 {
			wg.Wait()
		}
	}
	wg.Wait()
}

// taskChecker7 is figure 7: whether the race executes depends on the order of
// two critical sections.
func taskChecker7(zeroLast bool) {
	var isolated sync.Mutex
	var go1, go2 baton
	t, x := 0, 0
	if zeroLast {
		go2.pass()
	} else {
		go1.pass()
	}
	var finish sync.WaitGroup
	finish.Go(func() {
		go1.await()
		isolated.Lock()
		t = 0
		isolated.Unlock()
		go2.pass()
	})
	go2.await()
	isolated.Lock()
	t = 1
	isolated.Unlock()
	go1.pass()
	finish.Wait()
	if t == 0 {
		finish.Go(func() {
			x = 20 // want(racy/TaskChecker7) race: x
		})
		x = 10 // want(racy/TaskChecker7) race: x
	}
	finish.Wait()
	sink(x)
}

func (racy) TaskChecker7() { taskChecker7(true) }

func (fixed) TaskChecker7() { taskChecker7(false) }

// TaskChecker8 is figure 8: every task writes p.x, and the elements of b that
// one task writes are read by others.
func (racy) TaskChecker8() {
	const size = 4
	a, b := make([]int, size), make([]int, size)
	p := new(point)
	p.x = 0
	var finish sync.WaitGroup
	for ind := range size {
		finish.Go(func() {
			v := a[ind] + b[ind] // want races 1: b[ind]
			p.x = v              // want races 2: p.x
			q := new(point)
			for j := range ind {
				q.x = p.x + 1    // want races 2: p.x
				b[j] = q.y + ind // want races 1: b[j]
			}
		})
	}
	finish.Wait()
}

func (fixed) TaskChecker8() {
	const size = 4
	a, b := make([]int, size), make([]int, size)
	var finish sync.WaitGroup
	for ind := range size {
		finish.Go(func() {
			p, c := new(point), make([]int, size)
			p.x = a[ind] + b[ind]
			q := new(point)
			for j := range ind {
				q.x = p.x + 1
				c[j] = q.y + ind
			}
		})
	}
	finish.Wait()
}

// ptracer1 is figure 1 of Yoga et al., "Parallel data race detection for task
// parallel programs with locks": which branch T2 takes depends on the order of
// the critical sections.
func ptracer1(t3First bool) {
	var l1 sync.Mutex
	var go2, go3 baton
	if t3First {
		go3.pass()
	} else {
		go2.pass()
	}
	x, y, c := 0, 0, false
	parallel(func() { // T2
		go2.await()
		l1.Lock()
		t := c
		l1.Unlock()
		if t {
			l1.Lock()
			y = x - 1
			l1.Unlock()
		} else {
			y = x + 2 // want(racy/PTRacer1) race: y
		}
		go3.pass()
	}, func() { // T3
		go3.await()
		l1.Lock()
		c = true
		y = x + 1 // want(racy/PTRacer1) race: y
		l1.Unlock()
		go2.pass()
	})
	sink(y)
}

func (racy) PTRacer1() { ptracer1(false) }

func (fixed) PTRacer1() { ptracer1(true) }

// DRDP1 is figure 1 of the paper on promises: the first load is parallel to
// the store, the second one follows the promise. A promise is a channel that
// is closed once.
func (racy) DRDP1() {
	x := new(int)
	y := make(chan struct{})
	go func() {
		*x = 5 // want race: *x
		close(y)
	}()
	a := *x // want race: *x
	<-y
	b := *x
	sink(a + b)
}

func (fixed) DRDP1() {
	x := new(int)
	y := make(chan struct{})
	go func() {
		*x = 5
		close(y)
	}()
	<-y
	b := *x
	sink(b)
}

// zipper2 is figure 2 of the Zipper paper: in both orders of the critical
// sections the read of x is ordered or x is never written.
func zipper2(mainFirst bool) {
	var isolated sync.Mutex
	var goMain, goP baton
	if mainFirst {
		goMain.pass()
	} else {
		goP.pass()
	}
	x, a := false, false
	var finish sync.WaitGroup
	finish.Go(func() { // p
		goP.await()
		isolated.Lock()
		if !a {
			x = true
		}
		isolated.Unlock()
		goMain.pass()
	})
	goMain.await()
	isolated.Lock()
	a = true
	isolated.Unlock()
	goP.pass()
	y := x
	finish.Wait()
	sink(y)
}

func (fixed) Zipper2() { zipper2(true) }

func (fixed) Zipper2Written() { zipper2(false) }

// Zipper2 without the variable that ties the critical sections together: only
// the observed order of the lock keeps the read behind the write.
func (racy) Zipper2() {
	var isolated sync.Mutex
	var goMain baton
	x, a := false, false
	var finish sync.WaitGroup
	finish.Go(func() {
		isolated.Lock()
		x = true // want predicted: x
		isolated.Unlock()
		goMain.pass()
	})
	goMain.await()
	isolated.Lock()
	a = true
	isolated.Unlock()
	y := x // want predicted: x
	finish.Wait()
	sink(y != a)
}

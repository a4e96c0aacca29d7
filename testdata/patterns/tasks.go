package main

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Goroutines in numbers and shapes, their stacks, and memory that changes
// hands.

// ForkJoin repeats a phase of tasks; one task of the last phase is not joined.
func (racy) ForkJoin() {
	xs := make([]int, 8)
	var stray sync.WaitGroup
	for phase := range 50 {
		var wg sync.WaitGroup
		for i := range xs {
			wg.Go(func() {
				xs[i]++ // want races: xs[i]
			})
		}
		if phase == 49 {
			stray.Go(func() {
				xs[3] = 0 // want races: xs[3]
			})
		}
		wg.Wait()
	}
	xs[3] = 1 // want races: xs[3]
	stray.Wait()
}

// ForkJoin: phases that follow each other touch the same elements.
func (fixed) ForkJoin() {
	xs := make([]int, 8)
	for phase := range 200 {
		var wg sync.WaitGroup
		for i := range xs {
			wg.Go(func() { xs[(i+phase)%len(xs)]++ })
		}
		wg.Wait()
		xs[phase%len(xs)]--
	}
}

// Nested spawns a binary tree of tasks of which one leaf does not wait.
func (racy) Nested() {
	x := 0
	var late sync.WaitGroup
	var tree func(depth, path int)
	tree = func(depth, path int) {
		if depth == 0 {
			if path == 5 {
				late.Go(func() {
					x = 1 // want race: x
				})
			}
			return
		}
		parallel(func() { tree(depth-1, 2*path) }, func() { tree(depth-1, 2*path+1) })
	}
	tree(4, 0)
	x = 2 // want race: x
	late.Wait()
	sink(x)
}

func (fixed) Nested() {
	var tree func(xs []int) int
	tree = func(xs []int) int {
		if len(xs) == 1 {
			xs[0]++
			return xs[0]
		}
		var l, r int
		h := len(xs) / 2
		parallel(func() { l = tree(xs[:h]) }, func() { r = tree(xs[h:]) })
		return l + r
	}
	sink(tree(make([]int, 64)))
}

// Grandchild outlives its parent, whose end says nothing about it.
func (racy) Grandchild() {
	x := 0
	ended := make(chan bool)
	parallel(func() {
		go func() {
			x = 1 // want race: x
			close(ended)
		}()
	})
	x = 2 // want race: x
	<-ended
	sink(x)
}

func (fixed) Grandchild() {
	x := 0
	ended := make(chan bool)
	parallel(func() {
		go func() {
			x = 1
			close(ended)
		}()
	})
	<-ended
	x = 2
	sink(x)
}

// Leaked leaves goroutines behind that wait for ever; others race.
func (racy) Leaked() {
	never := make(chan bool)
	x := 0
	for range 100 {
		go func() { <-never }()
	}
	parallel(
		func() { x = 1 }, // want race: x
		func() { x = 2 }, // want race: x
	)
	sink(x)
}

func (fixed) Leaked() {
	never := make(chan bool)
	x := 0
	for range 100 {
		go func() { <-never }()
	}
	parallel(func() { x = 1 })
	parallel(func() { x = 2 })
	sink(x)
}

// down recurses and then calls f.
func down(depth int, f func()) int {
	if depth == 0 {
		f()
		return 0
	}
	return down(depth-1, f) + 1
}

// DeepStack races at the end of deep recursions, on stacks that have grown.
func (racy) DeepStack() {
	x := 0
	parallel(func() {
		down(5000, func() {
			x = 1 // want race: x
		})
	}, func() {
		down(5000, func() {
			x = 2 // want race: x
		})
	})
	sink(x)
}

func (fixed) DeepStack() {
	x := 0
	parallel(func() { down(5000, func() { x = 1 }) })
	parallel(func() { down(5000, func() { x = 2 }) })
	sink(x)
}

// GrownStack keeps a pointer to a variable while the stack moves.
func (racy) GrownStack() {
	var shared [4]int
	parallel(func() {
		p := &shared[1]
		down(3000, func() {})
		*p = 1 // want race: *p
	}, func() {
		shared[1] = 2 // want race: shared[1]
	})
}

func (fixed) GrownStack() {
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			var local [64]int
			p := &local[1]
			down(2000, func() { *p = 1 })
			sink(*p)
		})
	}
	wg.Wait()
}

// AllocReuse: memory that the collector frees and the allocator hands out
// again has no past; the object that is kept has one.
func (racy) AllocReuse() {
	kept := new([64]byte)
	parallel(func() {
		churn(50)
		kept[1] = 1 // want race nostock: kept[1]
	}, func() {
		churn(50)
		kept[1] = 2 // want race nostock: kept[1]
	})
}

func (fixed) AllocReuse() {
	parallel(func() { churn(200) }, func() { churn(200) }, func() { churn(200) })
}

// churn allocates, writes and drops objects of many sizes.
func churn(rounds int) {
	for i := range rounds {
		small := make([]*[3]uint32, 100)
		for k := range small {
			small[k] = new([3]uint32)
			small[k][k%3] = uint32(i)
		}
		big := make([]byte, 1+i%7*4096)
		for k := range big {
			big[k] = byte(k)
		}
		sink(small)
		sink(big)
		if i%20 == 0 {
			runtime.GC()
		}
	}
}

// StackReuse: stacks of ended goroutines serve new ones.
func (racy) StackReuse() {
	spawnMany(2000)
	x := 0
	parallel(
		func() { x = 1 }, // want race: x
		func() { x = 2 }, // want race: x
	)
	sink(x)
}

func (fixed) StackReuse() { spawnMany(5000) }

// spawnMany runs n tasks, 50 at a time and without a join between the tasks
// of a slot, that write variables which escape and variables which do not.
func spawnMany(n int) {
	var wg sync.WaitGroup
	slots := make(chan bool, 50)
	for i := range n {
		slots <- true
		wg.Go(func() {
			var local [32]int
			escaped := make([]int, 16)
			for k := range escaped {
				escaped[k] = i
				local[k] = i
			}
			sink(escaped)
			sink(local)
			<-slots
		})
	}
	wg.Wait()
}

// Alive100k has a hundred thousand goroutines alive at once; the last one
// races with the first one.
func (racy) Alive100k() {
	const n = 100_000
	start := make(chan bool)
	xs := make([]uint8, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			if i == n-1 {
				i = 0
			}
			xs[i]++ // want race: xs[i]
		})
	}
	close(start)
	wg.Wait()
}

func (fixed) Alive100k() {
	const n = 100_000
	start := make(chan bool)
	xs := make([]uint8, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			xs[i]++
		})
	}
	close(start)
	wg.Wait()
}

// ManyReaders read before one of them is forgotten by the writer's join.
func (racy) ManyReaders() {
	x := 0
	var wg, forgotten sync.WaitGroup
	for i := range 100 {
		group := &wg
		if i == 42 {
			group = &forgotten
		}
		group.Go(func() {
			sink(x) // want race nostock: x
		})
	}
	wg.Wait()
	x = 1 // want race nostock: x
	forgotten.Wait()
}

func (fixed) ManyReaders() {
	x := 0
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() { sink(x) })
	}
	wg.Wait()
	x = 1
}

// TimerFunc runs in a goroutine of its own that nobody waits for.
func (racy) TimerFunc() {
	ended := make(chan bool)
	x := 0
	time.AfterFunc(time.Microsecond, func() {
		x = 1 // want race: x
		close(ended)
	})
	x = 2 // want race: x
	<-ended
	sink(x)
}

func (fixed) TimerFunc() {
	ended := make(chan bool)
	x := 2
	time.AfterFunc(time.Microsecond, func() {
		x = 1
		close(ended)
	})
	<-ended
	sink(x)
}

// Ticker orders each tick's receiver behind the start of the ticker, not
// behind other receivers.
func (racy) Ticker() {
	t := time.NewTicker(time.Millisecond)
	defer t.Stop()
	x := 0
	parallel(func() {
		<-t.C
		x = 1 // want race: x
	}, func() {
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) Ticker() {
	x := 1
	t := time.NewTicker(time.Millisecond)
	defer t.Stop()
	parallel(func() {
		<-t.C
		x++
		<-t.C
	})
	sink(x)
}

// Finalizer writes what the program writes after it, knowing of it by luck.
func (racy) Finalizer() {
	x := 0
	var wrote baton
	ran := make(chan bool)
	func() {
		p := &point{}
		runtime.SetFinalizer(p, func(*point) {
			x = 1 // want race: x
			wrote.pass()
			close(ran)
		})
	}()
	for !wrote.isPassed() {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	x = 2 // want race: x
	<-ran
	sink(x)
}

func (fixed) Finalizer() {
	x := 0
	ran := make(chan bool)
	func() {
		p := &point{x: 7}
		x = 2
		runtime.SetFinalizer(p, func(p *point) {
			x = p.x
			close(ran)
		})
	}()
	waitCollected(ran)
	sink(x)
}

// FinalizerAcquire has two finalizers. The second one loads a flag that another task has set meanwhile. That task knows of the first
// finalizer, and nothing of x.
func (fixed) FinalizerAcquire() {
	x := 0
	var flag atomic.Bool
	var began, told baton
	first, news, second := make(chan bool), make(chan bool), make(chan bool)
	func() { runtime.SetFinalizer(&point{}, func(*point) { close(first) }) }()
	go func() {
		<-first
		began.await()
		<-news
		flag.Store(true)
		told.pass()
	}()
	waitCollected(first)
	go func() {
		began.await()
		close(news)
	}()
	go func() {
		x = 7
		runtime.SetFinalizer(&point{}, func(*point) {
			began.pass()
			told.await()
			sink(flag.Load())
			sink(x)
			close(second)
		})
	}()
	waitCollected(second)
}

// waitCollected collects garbage until the channel is closed.
func waitCollected(ran chan bool) {
	for {
		runtime.GC()
		select {
		case <-ran:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// Cleanup is the newer form of a finalizer.
func (racy) Cleanup() {
	x := 0
	var wrote baton
	ran := make(chan bool)
	func() {
		p := &point{}
		runtime.AddCleanup(p, func(int) {
			x = 1 // want race: x
			wrote.pass()
			close(ran)
		}, 0)
	}()
	for !wrote.isPassed() {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	x = 2 // want race: x
	<-ran
	sink(x)
}

func (fixed) Cleanup() {
	x := 0
	ran := make(chan bool)
	func() {
		p := &point{}
		x = 2
		runtime.AddCleanup(p, func(v int) {
			x = v
			close(ran)
		}, 3)
	}()
	waitCollected(ran)
	sink(x)
}

// count yields and counts on a variable of the caller.
func count(n *int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range 5 {
			*n++ // want(racy/Pull) race: *n // want(racy/RangeFunc) race 2: *n
			if !yield(i) {
				return
			}
		}
	}
}

// Pull runs an iterator as a coroutine beside a task that reads its counter.
func (racy) Pull() {
	n := 0
	parallel(func() {
		next, stop := iter.Pull(count(&n))
		next()
		stop()
	}, func() {
		sink(n) // want race: n
	})
}

func (fixed) Pull() {
	n := 0
	next, stop := iter.Pull(count(&n))
	next()
	n++
	parallel(func() {
		next()
		n++
	})
	stop()
	sink(n)
}

// RangeFunc runs two loops over one iterator's variable.
func (racy) RangeFunc() {
	n := 0
	loop := func() {
		for range count(&n) {
		}
	}
	first(loop, loop)
}

func (fixed) RangeFunc() {
	n := 0
	var mu sync.Mutex
	loop := func() {
		mu.Lock()
		defer mu.Unlock()
		for i := range count(&n) {
			sink(i)
		}
	}
	parallel(loop, loop)
}

// Goexit ends the task early; what is deferred still runs.
func (racy) Goexit() {
	x := 0
	parallel(func() {
		defer func() {
			x = 1 // want race: x
		}()
		runtime.Goexit()
	}, func() {
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) Goexit() {
	x := 0
	parallel(func() {
		defer func() { x = 1 }()
		runtime.Goexit()
	})
	x = 2
	sink(x)
}

// GoArgument evaluates the operand of go in the parent.
func (racy) GoArgument() {
	x := 0
	ended := make(chan bool)
	parallel(func() {
		x = 1 // want race: x
	}, func() {
		show := func(v int) {
			sink(v)
			close(ended)
		}
		go show(x) // want race: x
		<-ended
	})
}

func (fixed) GoArgument() {
	x := 1
	ended := make(chan bool)
	go func(v int) {
		sink(v)
		close(ended)
	}(x)
	x = 2
	<-ended
}

// DeferArgument evaluates the operand of defer where the statement stands.
func (racy) DeferArgument() {
	x := 0
	var read baton
	done := make(chan bool, 1)
	parallel(func() {
		defer sink(x) // want race: x
		read.pass()
		<-done
	}, func() {
		read.await()
		x = 1 // want race: x
		done <- true
	})
}

func (fixed) DeferArgument() {
	x := 0
	read, done := make(chan bool), make(chan bool)
	parallel(func() {
		defer sink(x)
		close(read)
		<-done
	}, func() {
		<-read
		x = 1
		close(done)
	})
}

// PanicValue is written by a task whose panic another function recovers.
func (racy) PanicValue() {
	var last any
	work := func(v int) {
		defer func() {
			last = recover() // want race: last
		}()
		panic(v)
	}
	parallel(func() { work(1) }, func() { work(2) })
	sink(last)
}

func (fixed) PanicValue() {
	results := make(chan any, 2)
	work := func(v int) {
		defer func() { results <- recover() }()
		panic(v)
	}
	parallel(func() { work(1) }, func() { work(2) })
	sink(<-results)
	sink(<-results)
}

// ReusedBuffer hands a buffer to a task and fills it again.
func (racy) ReusedBuffer() {
	buf := make([]byte, 4096)
	ended := make(chan bool)
	go func() {
		n := 0
		for _, c := range buf { // want race: buf
			n += int(c)
		}
		sink(n)
		close(ended)
	}()
	for i := range buf {
		buf[i] = 1 // want race: buf[i]
	}
	<-ended
}

func (fixed) ReusedBuffer() {
	buf := make([]byte, 4096)
	for range 10 {
		ended := make(chan bool)
		go func() {
			n := 0
			for _, c := range buf {
				n += int(c)
			}
			sink(n)
			close(ended)
		}()
		<-ended
		for i := range buf {
			buf[i]++
		}
	}
}

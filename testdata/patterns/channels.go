package main

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Channels, select and what is built from them.

// Unbuffered: a receive is ordered before the end of its send, so the sender
// may go on; what it does after the send races with the receiver.
func (racy) Unbuffered() {
	ch := make(chan int)
	x := 0
	parallel(func() {
		ch <- 1
		x = 1 // want race: x
	}, func() {
		<-ch
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) Unbuffered() {
	ch := make(chan int)
	x := 0
	parallel(func() {
		x = 1
		ch <- 1
	}, func() {
		<-ch
		x = 2
	})
	sink(x)
}

// UnbufferedBack relies on the edge from the receive to the end of the send,
// which a buffered channel does not have.
func (racy) UnbufferedBack() {
	ch := make(chan int, 1)
	x := 0
	parallel(func() {
		ch <- 1
		sink(x) // want race: x
	}, func() {
		x = 1 // want race: x
		<-ch
	})
}

func (fixed) UnbufferedBack() {
	ch := make(chan int)
	x := 0
	parallel(func() {
		ch <- 1
		sink(x)
	}, func() {
		x = 1
		<-ch
	})
}

// BufferedSlots: the k-th receive precedes the send C later, no earlier one.
func (racy) BufferedSlots() {
	ch := make(chan int, 2)
	var x [3]int
	parallel(func() {
		ch <- 0
		ch <- 1
		ch <- 2
		x[1] = 1 // want race: x[1]
	}, func() {
		<-ch
		x[1] = 2 // want race: x[1]
		<-ch
		<-ch
	})
}

func (fixed) BufferedSlots() {
	ch := make(chan int, 2)
	var x [3]int
	parallel(func() {
		ch <- 0
		ch <- 1
		ch <- 2
		x[1] = 1
	}, func() {
		x[1] = 2
		<-ch
		<-ch
		<-ch
	})
}

// HandOver passes a pointer and keeps on using it.
func (racy) HandOver() {
	ch := make(chan *point, 1)
	parallel(func() {
		p := new(point)
		ch <- p
		p.x = 1 // want race: p.x
	}, func() {
		q := <-ch
		sink(q.x) // want race: q.x
	})
}

func (fixed) HandOver() {
	ch := make(chan *point, 1)
	parallel(func() {
		p := new(point)
		p.x = 1
		ch <- p
	}, func() {
		q := <-ch
		sink(q.x)
	})
}

// CloseBroadcast: a task reads before it has seen the close.
func (racy) CloseBroadcast() {
	ready := make(chan struct{})
	x := 0
	parallel(func() {
		x = 1 // want race: x
		close(ready)
	}, func() {
		<-ready
		sink(x)
	}, func() {
		sink(x) // want race: x
		<-ready
	})
}

func (fixed) CloseBroadcast() {
	ready := make(chan struct{})
	x := 0
	wait := func() {
		<-ready
		sink(x)
	}
	parallel(wait, wait, wait, func() {
		x = 1
		close(ready)
	})
}

// Semaphore: acquiring and releasing slots of a full-width semaphore orders
// only when it is full.
func (racy) Semaphore() {
	sem := make(chan bool, 8)
	total := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			sem <- true
			defer func() { <-sem }()
			total++ // want race: total
		})
	}
	wg.Wait()
}

func (fixed) Semaphore() {
	sem := make(chan struct{}, 1)
	total := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			sem <- struct{}{}
			defer func() { <-sem }()
			total++
		})
	}
	wg.Wait()
	sink(total)
}

// SelectDefault polls: the default branch learns nothing.
func (racy) SelectDefault() {
	ch := make(chan int)
	x := 0
	first(func() {
		x = 1 // want race: x
	}, func() {
		select {
		case <-ch:
		default:
			x = 2 // want race: x
		}
	})
	sink(x)
}

func (fixed) SelectDefault() {
	ch := make(chan int, 1)
	x := 0
	parallel(func() {
		x = 1
		ch <- 1
	}, func() {
		for {
			select {
			case <-ch:
				x = 2
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	})
	sink(x)
}

// SelectOther receives from the channel that says nothing about x.
func (racy) SelectOther() {
	a, b := make(chan int, 1), make(chan int, 1)
	x := 0
	a <- 1
	parallel(func() {
		x = 1 // want race: x
	}, func() {
		select {
		case <-a:
		case <-b:
		}
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) SelectOther() {
	a, b := make(chan int), make(chan int)
	x := 0
	parallel(func() {
		x = 1
		b <- 1
	}, func() {
		select {
		case <-a:
		case <-b:
		}
		x = 2
	})
	sink(x)
}

// SelectSend sends in a select; the receiver races with what follows.
func (racy) SelectSend() {
	a, b := make(chan int), make(chan int)
	x := 0
	parallel(func() {
		select {
		case a <- 1:
		case b <- 1:
		}
		x = 1 // want race: x
	}, func() {
		<-b
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) SelectSend() {
	a, b := make(chan int), make(chan int)
	x := 0
	parallel(func() {
		x = 1
		select {
		case a <- 1:
		case b <- 1:
		}
	}, func() {
		<-b
		x = 2
	})
	sink(x)
}

// NilChannel never takes part in a select.
func (racy) NilChannel() {
	var none chan int
	some := make(chan int, 1)
	x := 0
	some <- 1
	parallel(func() {
		x = 1 // want race: x
	}, func() {
		select {
		case <-none:
		case v := <-some:
			x = v // want race: x
		}
	})
	sink(x)
}

func (fixed) NilChannel() {
	var none chan int
	some := make(chan int)
	x := 0
	parallel(func() {
		x = 1
		some <- 2
	}, func() {
		select {
		case <-none:
		case v := <-some:
			x = v
		}
	})
	sink(x)
}

// WorkerPool hands out indices; two of the results are the same element.
func (racy) WorkerPool() {
	jobs := make(chan int)
	out := make([]int, 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for j := range jobs {
				if j < 2 {
					out[0] = j // want race: out[0]
				}
				jobsTaken[j].pass()
				jobsTaken[1-j&1].await() // each worker has one of the first two jobs
			}
		})
	}
	jobs <- 0
	jobs <- 1
	close(jobs)
	wg.Wait()
}

var jobsTaken [2]baton

func (fixed) WorkerPool() {
	jobs := make(chan int)
	out := make([]int, 64)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for j := range jobs {
				out[j] = j * j
			}
		})
	}
	for j := range out {
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	total := 0
	for _, v := range out {
		total += v
	}
	sink(total)
}

// Pipeline reuses one buffer for all messages.
func (racy) Pipeline() {
	ch := make(chan []byte, 1)
	parallel(func() {
		buf := make([]byte, 8)
		for i := range 3 {
			buf[0] = byte(i) // want race: buf[0]
			ch <- buf
		}
		close(ch)
	}, func() {
		for b := range ch {
			sink(b[0]) // want race: b[0]
		}
	})
}

func (fixed) Pipeline() {
	ch, back := make(chan []byte, 1), make(chan []byte, 1)
	parallel(func() {
		back <- make([]byte, 8)
		for i := range 100 {
			buf := <-back
			buf[0] = byte(i)
			ch <- buf
		}
		close(ch)
	}, func() {
		for b := range ch {
			sink(b[0])
			back <- b
		}
	})
}

// Stages are three goroutines in a row; the last one writes what the first
// one still uses.
func (racy) Stages() {
	a, b := make(chan *point), make(chan *point)
	parallel(func() {
		p := new(point)
		a <- p
		sink(p.y) // want race: p.y
		close(a)
	}, func() {
		for p := range a {
			p.x++
			b <- p
		}
		close(b)
	}, func() {
		for p := range b {
			p.y++ // want race: p.y
		}
	})
}

func (fixed) Stages() {
	a, b := make(chan *point), make(chan *point)
	parallel(func() {
		for i := range 20 {
			a <- &point{x: i}
		}
		close(a)
	}, func() {
		for p := range a {
			p.x++
			b <- p
		}
		close(b)
	}, func() {
		for p := range b {
			p.y++
		}
	})
}

var errFirst = errors.New("first")

// group is what errgroup does: the first error wins.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) spawn(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

func (g *group) wait() error {
	g.wg.Wait()
	return g.err
}

// ErrGroup uses a result that another member of the group computes.
func (racy) ErrGroup() {
	var g group
	n := 0
	g.spawn(func() error {
		n = 1 // want race: n
		return nil
	})
	g.spawn(func() error {
		sink(n) // want race: n
		return errFirst
	})
	sink(g.wait())
}

func (fixed) ErrGroup() {
	var g group
	var n, m int
	g.spawn(func() error {
		n = 1
		return errFirst
	})
	g.spawn(func() error {
		m = 2
		return errFirst
	})
	sink(g.wait())
	sink(n + m)
}

// ContextCancel reads after the cancellation what is written after it.
func (racy) ContextCancel() {
	ctx, cancel := context.WithCancel(context.Background())
	x := 0
	parallel(func() {
		cancel()
		x = 1 // want race: x
	}, func() {
		<-ctx.Done()
		sink(x) // want race: x
	})
}

func (fixed) ContextCancel() {
	ctx, cancel := context.WithCancel(context.Background())
	x := 0
	parallel(func() {
		x = 1
		cancel()
	}, func() {
		<-ctx.Done()
		sink(ctx.Err())
		sink(x)
	})
}

// ContextAfterFunc runs the function in a goroutine of its own.
func (racy) ContextAfterFunc() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan bool)
	x := 0
	context.AfterFunc(ctx, func() {
		x = 1 // want race: x
		close(ended)
	})
	cancel()
	x = 2 // want race: x
	<-ended
	sink(x)
}

func (fixed) ContextAfterFunc() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan bool)
	x := 0
	context.AfterFunc(ctx, func() {
		x = 1
		close(ended)
	})
	x = 2
	cancel()
	<-ended
	sink(x)
}

// SendAfterCheck: len of a channel orders nothing.
func (racy) SendAfterCheck() {
	ch := make(chan int, 1)
	x := 0
	first(func() {
		x = 1 // want race: x
		ch <- 1
	}, func() {
		if len(ch) == 1 {
			x = 2 // want race: x
		}
	})
	sink(x)
}

func (fixed) SendAfterCheck() {
	ch := make(chan int, 1)
	x := 0
	first(func() {
		x = 1
		ch <- 1
	}, func() {
		<-ch
		x = 2
	})
	sink(x)
}

// RangeClose: values still in the buffer are received before the close is
// seen; the last receive is ordered behind the close, the first one is not.
func (racy) RangeClose() {
	ch := make(chan int, 4)
	x := 0
	first(func() {
		ch <- 1
		x = 1 // want race: x
		close(ch)
	}, func() {
		<-ch
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) RangeClose() {
	ch := make(chan int, 4)
	x := 0
	first(func() {
		ch <- 1
		x = 1
		close(ch)
	}, func() {
		for range ch {
		}
		x = 2
	})
	sink(x)
}

package kernels

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// spawnBatch is the number of tasks alive at once.
const spawnBatch = 64

func spawn(n, _ int) uint64 {
	var done [spawnBatch]uint64
	var wg sync.WaitGroup
	for left := n; left > 0; left -= spawnBatch {
		for i := range min(left, spawnBatch) {
			wg.Add(1)
			go func() {
				done[i]++
				wg.Done()
			}()
		}
		wg.Wait()
	}
	sum := uint64(0)
	for _, d := range done {
		sum += d
	}
	return sum
}

func pingPong(n, _ int) uint64 {
	there, back := make(chan uint64), make(chan uint64)
	go func() {
		for v := range there {
			back <- v + 1
		}
		close(back)
	}()
	v := uint64(0)
	for range n {
		there <- v
		v = <-back
	}
	close(there)
	<-back
	return v
}

func selects(n, _ int) uint64 {
	var in [3]chan uint64
	quit := make(chan struct{})
	for k := range in {
		in[k] = make(chan uint64)
		go func() {
			for {
				select {
				case in[k] <- 1:
				case <-quit:
					return
				}
			}
		}()
	}
	sum := uint64(0)
	for range n {
		select {
		case v := <-in[0]:
			sum += v
		case v := <-in[1]:
			sum += v
		case v := <-in[2]:
			sum += v
		}
	}
	close(quit)
	return sum
}

func mapUpdate(n, workers int) uint64 {
	var total atomic.Uint64
	split(n, workers, func(lo, hi int) {
		m := make(map[int]uint64)
		for i := lo; i < hi; i++ {
			m[i*7919%4096]++
		}
		sum := uint64(0)
		for _, v := range m {
			sum += v
		}
		total.Add(sum)
	})
	return total.Load()
}

type leaf struct{ left, right *leaf }

func grow(depth int) *leaf {
	if depth == 0 {
		return new(leaf)
	}
	return &leaf{grow(depth - 1), grow(depth - 1)}
}

func (l *leaf) count() uint64 {
	if l.left == nil {
		return 1
	}
	return 1 + l.left.count() + l.right.count()
}

func alloc(n, workers int) uint64 {
	const depth = 12
	var total atomic.Uint64
	split(n, workers, func(lo, hi int) {
		for range hi - lo {
			total.Add(grow(depth).count())
		}
	})
	return total.Load()
}

func mutex(n, workers int) uint64 {
	var mu sync.Mutex
	count := uint64(0)
	split(n, workers, func(lo, hi int) {
		for range hi - lo {
			mu.Lock()
			count++
			mu.Unlock()
		}
	})
	return count
}

func rwMutex(n, workers int) uint64 {
	var mu sync.RWMutex
	count, table := uint64(0), [16]uint64{}
	var total atomic.Uint64
	split(n, workers, func(lo, hi int) {
		sum := uint64(0)
		for i := lo; i < hi; i++ {
			if i%16 == 0 {
				mu.Lock()
				count++
				mu.Unlock()
				continue
			}
			mu.RLock()
			sum += table[i%16] + 1
			mu.RUnlock()
		}
		total.Add(sum)
	})
	return total.Load() + count
}

// pool sends half of its messages to the workers, over a queue from which all of them
// receive, and half back, over a queue to which all of them send.
func pool(n, _ int) uint64 {
	const workers, window = 8, 256
	queue := make(chan int, window)
	results := make(chan uint64, window)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for v := range queue {
				results <- uint64(v & 7)
			}
		})
	}
	go func() {
		for i := range n / 2 {
			queue <- i
		}
		close(queue)
		wg.Wait()
		close(results)
	}()
	sum := uint64(0)
	for v := range results {
		sum += v
	}
	return sum
}

func alive(n, _ int) uint64 {
	start := make(chan struct{})
	cells := make([]uint64, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			cells[i] = uint64(i & 15)
		})
	}
	runtime.Gosched()
	close(start)
	wg.Wait()
	sum := uint64(0)
	for _, c := range cells {
		sum += c
	}
	return sum
}

package task_test

import (
	"context"
	"sync"
	"testing"

	"taskinstr/rt/task"
)

// The costs of starting a task and waiting for it, compared with a go statement and a
// WaitGroup.

const batch = 1000

func BenchmarkWaitGroup(b *testing.B) {
	var out [batch]int
	for range b.N {
		var wg sync.WaitGroup
		for i := range out {
			wg.Go(func() { out[i]++ })
		}
		wg.Wait()
	}
}

func BenchmarkAsync(b *testing.B) {
	var out [batch]int
	for range b.N {
		task.Finish(context.Background(), func(t *task.Task) {
			for i := range out {
				t.Async(func(*task.Task) { out[i]++ })
			}
		})
	}
}

func fibWaitGroup(n int) int {
	if n < 2 {
		return n
	}
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = fibWaitGroup(n - 1) })
	b := fibWaitGroup(n - 2)
	wg.Wait()
	return a + b
}

func BenchmarkFibWaitGroup(b *testing.B) {
	for range b.N {
		fibWaitGroup(15)
	}
}

func BenchmarkFibSpawn(b *testing.B) {
	for range b.N {
		task.Finish(context.Background(), func(t *task.Task) { fib(t, 15) })
	}
}

func fibFinish(t *task.Task, n int) int {
	if n < 2 {
		return n
	}
	var x, y int
	t.Finish(func() {
		t.Async(func(t *task.Task) { x = fibFinish(t, n-1) })
		y = fibFinish(t, n-2)
	})
	return x + y
}

func BenchmarkFibFinish(b *testing.B) {
	for range b.N {
		task.Finish(context.Background(), func(t *task.Task) { fibFinish(t, 15) })
	}
}

func BenchmarkFibFuture(b *testing.B) {
	var fib func(t *task.Task, n int) int
	fib = func(t *task.Task, n int) int {
		if n < 2 {
			return n
		}
		f := task.NewFuture(t, func(t *task.Task) (int, error) { return fib(t, n-1), nil })
		y := fib(t, n-2)
		x, _ := f.Get(t)
		return x + y
	}
	for range b.N {
		task.Finish(context.Background(), func(t *task.Task) { fib(t, 15) })
	}
}

package task_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"taskinstr/rt/task"
)

// A tree whose nodes have values.
type tree struct {
	value       int
	left, right *tree
}

func perfect(depth int) *tree {
	if depth == 0 {
		return nil
	}
	return &tree{depth, perfect(depth - 1), perfect(depth - 1)}
}

func sum(t *task.Task, n *tree) int {
	if n == nil {
		return 0
	}
	var left, right int
	t.Finish(func() {
		t.Async(func(t *task.Task) { left = sum(t, n.left) })
		right = sum(t, n.right)
	})
	return left + n.value + right
}

func ExampleFinish() {
	total := 0
	err := task.Finish(context.Background(), func(t *task.Task) {
		total = sum(t, perfect(4))
	})
	fmt.Println(total, err)
	// Output: 26 <nil>
}

func ExampleFinish_cancelled() {
	ctx, cancel := context.WithCancelCause(context.Background())
	err := task.Finish(ctx, func(t *task.Task) {
		t.Async(func(t *task.Task) { fmt.Println("started before") })
		cancel(errors.New("enough"))
		t.Async(func(t *task.Task) { fmt.Println("never started") })
	})
	fmt.Println(err)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// started before
	// task: context canceled: enough
	// true
}

func ExampleTask_Finish() {
	task.Finish(context.Background(), func(t *task.Task) {
		words := make([]string, 2)
		t.Finish(func() {
			t.Async(func(t *task.Task) { words[0] = "all" })
			t.Async(func(t *task.Task) { words[1] = "done" })
		})
		fmt.Println(words)
	})
	// Output: [all done]
}

func ExampleTask_FinishContext() {
	task.Finish(context.Background(), func(t *task.Task) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		never := task.NewPromise[int](t)
		err := t.FinishContext(ctx, func() {
			t.Async(func(t *task.Task) { <-t.Context().Done() })
			_, err := never.Get(t)
			fmt.Println(err)
		})
		fmt.Println(err)
	})
	// Output:
	// task: context deadline exceeded
	// task: context deadline exceeded
}

func ExampleTask_Async() {
	squares := make([]int, 5)
	task.Finish(context.Background(), func(t *task.Task) {
		for i := range squares {
			t.Async(func(t *task.Task) { squares[i] = i * i })
		}
	})
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

// A promise that a task undertakes to set is broken if the task ends without setting it.
func ExampleTask_Async_outputs() {
	task.Finish(context.Background(), func(t *task.Task) {
		p := task.NewPromise[int](t)
		t.Async(func(t *task.Task) {
			if len(perfect(3).left.left.leaves()) > 1 {
				p.Set(t, 1)
			}
		}, p)
		_, err := p.Get(t)
		fmt.Println(errors.Is(err, task.ErrBroken))
	})
	// Output: true
}

func (n *tree) leaves() []*tree {
	if n.left == nil {
		return []*tree{n}
	}
	return append(n.left.leaves(), n.right.leaves()...)
}

func fib(t *task.Task, n int) int {
	if n < 2 {
		return n
	}
	var a, b int
	t.Spawn(func(t *task.Task) { a = fib(t, n-1) })
	b = fib(t, n-2)
	t.Sync()
	return a + b
}

func ExampleTask_Spawn() {
	task.Finish(context.Background(), func(t *task.Task) {
		fmt.Println(fib(t, 10))
	})
	// Output: 55
}

// A Sync may be in a branch.
func ExampleTask_Sync() {
	task.Finish(context.Background(), func(t *task.Task) {
		parts := make([]int, 8)
		for i := range parts {
			t.Spawn(func(t *task.Task) { parts[i] = i })
			if i == 3 {
				t.Sync()
				fmt.Println(parts[:4])
			}
		}
	})
	// Output: [0 1 2 3]
}

func ExampleTask_For() {
	a := make([]float64, 1000)
	err := task.Finish(context.Background(), func(t *task.Task) {
		t.For(len(a), func(t *task.Task, i int) { a[i] = float64(i) / 2 })
	})
	fmt.Println(a[999], err)
	// Output: 499.5 <nil>
}

// Each iteration is a task, so it may wait for another one.
func ExampleTask_ForAll() {
	task.Finish(context.Background(), func(t *task.Task) {
		stages := make([]*task.Promise[string], 4)
		for i := range stages {
			stages[i] = task.NewPromise[string](t)
		}
		stages[3].Set(t, "wash")
		t.ForAll(3, func(t *task.Task, i int) {
			s, _ := stages[i+1].Get(t)
			stages[i].Set(t, s+", rinse")
		})
		fmt.Println(stages[0].Get(t))
	})
	// Output: wash, rinse, rinse, rinse <nil>
}

func ExampleTask_Isolated() {
	count := make(map[int]int)
	task.Finish(context.Background(), func(t *task.Task) {
		t.ForAll(90, func(t *task.Task, i int) {
			t.Isolated(func() { count[i%3]++ })
		})
	})
	fmt.Println(count)
	// Output: map[0:30 1:30 2:30]
}

func ExampleNewFuture() {
	task.Finish(context.Background(), func(t *task.Task) {
		f := task.NewFuture(t, func(t *task.Task) (int, error) { return sum(t, perfect(3)), nil })
		g := task.NewFuture(t, func(t *task.Task) (int, error) { return 0, errors.ErrUnsupported })
		fmt.Println(f.Get(t))
		fmt.Println(g.Get(t))
	})
	// Output:
	// 11 <nil>
	// 0 unsupported operation
}

func ExampleNewPromise() {
	task.Finish(context.Background(), func(t *task.Task) {
		p := task.NewPromise[string](t)
		t.Async(func(t *task.Task) { p.Set(t, "here") }, p)
		for range 2 {
			t.Async(func(t *task.Task) {
				v, _ := p.Get(t)
				fmt.Println(v)
			})
		}
	})
	// Output:
	// here
	// here
}

// No task is left to set the promise.
func ExamplePromise_Get_deadlock() {
	task.Finish(context.Background(), func(t *task.Task) {
		p, q := task.NewPromise[int](t), task.NewPromise[int](t)
		t.Async(func(t *task.Task) {
			if v, err := q.Get(t); err == nil {
				p.Set(t, v)
			}
		})
		_, err := p.Get(t)
		fmt.Println(err)
	})
	// Output: task: deadlock: all tasks wait, so nobody is left to set the promise
}

func ExamplePanicError() {
	defer func() {
		p := recover().(*task.PanicError)
		fmt.Println("a task panicked with", p.Value)
	}()
	task.Finish(context.Background(), func(t *task.Task) {
		t.Async(func(t *task.Task) { panic("no wind") })
	})
	// Output: a task panicked with no wind
}

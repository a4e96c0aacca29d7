package tasks

import "taskinstr/rt/task"

type program = func(t *task.Task) (got, want int)

func clumpedAccess(t *task.Task) (got, want int) {
	a, b := 0, 0
	t.Finish(func() {
		t.Async(func(t *task.Task) {
			t.Isolated(func() {
				for range 4 {
					a++
					b++
				}
			})
		})
		t.Async(func(t *task.Task) {
			t.Isolated(func() { a++ })
			t.Isolated(func() { b++ })
		})
	})
	return a + b, 10
}

// primitiveArray has two tasks that write elements at the given distance.
func primitiveArray(distance int) program {
	return func(t *task.Task) (got, want int) {
		v := make([]int, 4)
		t.Finish(func() {
			t.Async(func(t *task.Task) { v[1] = 1 })
			t.Finish(func() { t.Async(func(t *task.Task) { v[1+distance] = 2 }) })
		})
		return v[1] + v[2], 3
	}
}

// simple writes a variable in a nested task, at the given depth, that an ancestor reads.
func simple(depth int) program {
	return func(t *task.Task) (got, want int) {
		x, y := 0, 0
		var nest func(t *task.Task, depth int)
		nest = func(t *task.Task, depth int) {
			if depth == 0 {
				x = 1
				return
			}
			t.Async(func(t *task.Task) { nest(t, depth-1) })
		}
		t.Finish(func() {
			nest(t, depth)
			y = x
		})
		return y, 1
	}
}

// isolateSimple has an update outside of the sections.
func isolateSimple(n int) program {
	return func(t *task.Task) (got, want int) {
		x := 0
		t.Finish(func() {
			for range n {
				t.Async(func(t *task.Task) { t.Isolated(func() { x++ }) })
			}
			t.Async(func(t *task.Task) { x++ })
			t.Isolated(func() { x++ })
		})
		return x, n + 2
	}
}

func doubleBranch(t *task.Task) (got, want int) {
	v := 0
	mine := make([]int, 2)
	branch := func(t *task.Task, i int) {
		mine[i]++
		t.Isolated(func() { v++ })
		mine[i]++
		t.Isolated(func() { v++ })
		mine[i]++
	}
	t.Finish(func() {
		t.Async(func(t *task.Task) { branch(t, 0) })
		branch(t, 1)
	})
	return v + mine[0] + mine[1], 10
}

func isolatedBlocks(rounds int) program {
	return func(t *task.Task) (got, want int) {
		v := 0
		for range rounds {
			t.Finish(func() {
				t.Async(func(t *task.Task) { t.Isolated(func() { v++ }) })
				t.Async(func(t *task.Task) { t.Isolated(func() { v += 2 }) })
			})
		}
		return v, 3 * rounds
	}
}

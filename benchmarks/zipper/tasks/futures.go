package tasks

import "taskinstr/rt/task"

// future runs body in a task while it runs work. It returns when both have ended.
func future(t *task.Task, body func(t *task.Task), work func()) {
	t.Finish(func() {
		t.Async(body)
		work()
	})
}

// reciprocalFutures sums the reciprocals of an array: one half is a future, recursively
// down to single elements.
func reciprocalFutures(n int) program {
	var half func(t *task.Task, v []int) int
	half = func(t *task.Task, v []int) int {
		if len(v) == 1 {
			return reciprocals(v)
		}
		mid := len(v) / 2
		left, right := 0, 0
		future(t, func(t *task.Task) { left = half(t, v[:mid]) }, func() { right = half(t, v[mid:]) })
		return left + right
	}
	return func(t *task.Task) (got, want int) {
		v, _ := upTo(n)
		return half(t, v), reciprocals(v)
	}
}

// pipeline sends items through three stages. Each stage is a future that waits for the
// previous one.
func pipeline(items int) program {
	const stages = 3
	return func(t *task.Task) (got, want int) {
		v, total := upTo(items)
		var stage func(t *task.Task, item, s int) int
		stage = func(t *task.Task, item, s int) int {
			in := v[item]
			if s > 1 {
				future(t, func(t *task.Task) { in = stage(t, item, s-1) }, func() {})
			}
			return in + 1
		}
		out := make([]int, items)
		t.ForAll(items, func(t *task.Task, i int) { out[i] = stage(t, i, stages) })
		return sum(out), total + stages*items
	}
}

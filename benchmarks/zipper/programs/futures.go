package programs

import "taskinstr/detector/offline/zipper/orders/model"

// future runs body in a task while it runs work. It returns when both have ended.
func future(t *model.Task, body model.Program, work func()) {
	t.Finish(func() {
		t.Async(body)
		work()
	})
}

// reciprocalFutures sums the reciprocals of an array: one half is a future, recursively
// down to single elements.
func reciprocalFutures(n int) model.Program {
	const scale = 1 << 20
	return func(t *model.Task) {
		v, sums := t.Ints(n), t.Ints(2*n)
		t.StoreRange(v, 0, zeros(n))
		next := 0 // each call stores its result in an element of its own
		var sum func(t *model.Task, lo, hi int) int
		sum = func(t *model.Task, lo, hi int) int {
			own := next
			next++
			if hi-lo == 1 {
				t.Store(sums, own, scale/(1+t.Load(v, lo)))
				return own
			}
			mid := (lo + hi) / 2
			left, right := 0, 0
			future(t, func(t *model.Task) { left = sum(t, lo, mid) }, func() { right = sum(t, mid, hi) })
			t.Store(sums, own, t.Load(sums, left)+t.Load(sums, right))
			return own
		}
		t.Load(sums, sum(t, 0, n))
	}
}

// pipeline sends items through three stages.
func pipeline(items int) model.Program {
	const stages = 3
	return func(t *model.Task) {
		v := t.Ints(items * stages)
		t.StoreRange(v, 0, zeros(items*stages))
		var stage func(t *model.Task, item, s int)
		stage = func(t *model.Task, item, s int) {
			at, in := item*stages+s, item
			if s > 0 {
				future(t, func(t *model.Task) { stage(t, item, s-1) }, func() {})
				in = t.Load(v, at-1)
			}
			t.Store(v, at, in+1)
		}
		each(t, items, func(t *model.Task, i int) { stage(t, i, stages-1) })
		t.LoadRange(v, 0, items*stages)
	}
}

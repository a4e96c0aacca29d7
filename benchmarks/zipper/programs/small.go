package programs

import "taskinstr/detector/offline/zipper/orders/model"

// zeros returns n zeros.
func zeros(n int) []int { return make([]int, n) }

func add(t *model.Task, a *model.Ints, i, n int) { t.Store(a, i, t.Load(a, i)+n) }

func clumpedAccess(t *model.Task) {
	v := t.Ints(2)
	t.StoreRange(v, 0, zeros(2))
	t.Finish(func() {
		t.Async(func(t *model.Task) {
			t.Isolated(func() {
				for range 4 {
					add(t, v, 0, 1)
					add(t, v, 1, 1)
				}
			})
		})
		t.Async(func(t *model.Task) {
			t.Isolated(func() { add(t, v, 0, 1) })
			t.Isolated(func() { add(t, v, 1, 1) })
		})
	})
	t.LoadRange(v, 0, 2)
}

// primitiveArray has two tasks that write elements at the given distance.
func primitiveArray(distance int) model.Program {
	return func(t *model.Task) {
		v := t.Ints(4)
		t.StoreRange(v, 0, zeros(4))
		t.Finish(func() {
			t.Async(func(t *model.Task) { t.Store(v, 1, 1) })
			t.Finish(func() { t.Async(func(t *model.Task) { t.Store(v, 1+distance, 2) }) })
			t.Load(v, 3)
		})
		t.LoadRange(v, 0, 4)
	}
}

func simple(depth int) model.Program {
	var nest func(t *model.Task, x *model.Ints, depth int)
	nest = func(t *model.Task, x *model.Ints, depth int) {
		if depth == 0 {
			t.Store(x, 0, 1)
			return
		}
		t.Async(func(t *model.Task) { nest(t, x, depth-1) })
	}
	return func(t *model.Task) {
		x, y := t.Ints(1), t.Ints(1)
		t.Store(x, 0, 0)
		t.Finish(func() {
			nest(t, x, depth)
			t.Store(y, 0, t.Load(x, 0))
			t.Async(func(t *model.Task) { t.Load(y, 0) })
		})
		t.Load(x, 0)
	}
}

// isolateSimple has tasks that update in sections, and an update outside of the sections.
func isolateSimple(tasks int) model.Program {
	return func(t *model.Task) {
		x := t.Ints(1)
		t.Store(x, 0, 0)
		t.Finish(func() {
			for range tasks {
				t.Async(func(t *model.Task) {
					t.Isolated(func() { add(t, x, 0, 1) })
					t.Load(x, 0)
				})
			}
			t.Async(func(t *model.Task) { add(t, x, 0, 1) })
			t.Isolated(func() { add(t, x, 0, 1) })
		})
		t.Load(x, 0)
	}
}

// doubleBranch has the shape of figure 3 of the paper: two branches with two sections
// each, and accesses between the sections.
func doubleBranch(t *model.Task) {
	v, mine := t.Ints(1), t.Ints(2)
	t.Store(v, 0, 0)
	t.Finish(func() {
		branch := func(t *model.Task, i int) {
			t.Store(mine, i, 1)
			t.Isolated(func() { add(t, v, 0, 1) })
			add(t, mine, i, 1)
			t.Isolated(func() { add(t, v, 0, 1) })
			add(t, mine, i, 1)
		}
		t.Async(func(t *model.Task) { branch(t, 0) })
		branch(t, 1)
	})
	t.Load(v, 0)
}

func isolatedBlocks(rounds int) model.Program {
	return func(t *model.Task) {
		v := t.Ints(1)
		t.Store(v, 0, 0)
		for range rounds {
			t.Finish(func() {
				t.Async(func(t *model.Task) { t.Isolated(func() { add(t, v, 0, 1) }) })
				t.Async(func(t *model.Task) { t.Isolated(func() { add(t, v, 0, 2) }) })
			})
		}
		t.Load(v, 0)
	}
}

package programs

import "taskinstr/detector/offline/zipper/orders/model"

// each runs body for each i, in a task of its own.
func each(t *model.Task, n int, body func(t *model.Task, i int)) {
	t.Finish(func() {
		for i := range n {
			t.Async(func(t *model.Task) { body(t, i) })
		}
	})
}

func vectorAdd(tasks, size int) model.Program {
	return func(t *model.Task) {
		n := tasks * size
		a, b, c := t.Ints(n), t.Ints(n), t.Ints(n)
		t.StoreRange(a, 0, zeros(n))
		t.StoreRange(b, 0, zeros(n))
		each(t, tasks, func(t *model.Task, i int) {
			for j := i * size; j < (i+1)*size; j++ {
				t.Store(c, j, t.Load(a, j)+t.Load(b, j))
			}
		})
		t.LoadRange(c, 0, n)
	}
}

func forall(n int) model.Program {
	return func(t *model.Task) {
		in, out := t.Ints(n), t.Ints(n)
		t.StoreRange(in, 0, zeros(n))
		each(t, n, func(t *model.Task, i int) { t.Store(out, i, t.Load(in, i)+1) })
		t.LoadRange(out, 0, n)
	}
}

func scalarMultiply(n int) model.Program {
	return func(t *model.Task) {
		factor, v := t.Ints(1), t.Ints(n)
		t.Store(factor, 0, 3)
		t.StoreRange(v, 0, zeros(n))
		each(t, n, func(t *model.Task, i int) { t.Store(v, i, t.Load(v, i)*t.Load(factor, 0)) })
		t.LoadRange(v, 0, n)
	}
}

func twoDim(rows, columns int) model.Program {
	return func(t *model.Task) {
		v := t.Ints(rows * columns)
		t.StoreRange(v, 0, zeros(rows*columns))
		each(t, rows, func(t *model.Task, i int) {
			for j := range columns {
				t.Store(v, i*columns+j, i*j)
			}
		})
		t.LoadRange(v, 0, rows*columns)
	}
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}

// primes counts the primes from lo up to hi.
func primes(lo, hi int) model.Program {
	return func(t *model.Task) {
		count, list := t.Ints(1), t.Ints(hi+1)
		t.Store(count, 0, 0)
		for i := lo; i <= hi; i++ {
			t.Store(list, i, i)
		}
		each(t, hi-lo+1, func(t *model.Task, i int) {
			if prime(t.Load(list, lo+i)) {
				t.Isolated(func() { add(t, count, 0, 1) })
			}
		})
		t.Load(count, 0)
	}
}

// primesForAll counts the primes below 2*tasks, with a task for four numbers. The last
// tasks have no primes.
func primesForAll(tasks int) model.Program {
	const share = 4
	return func(t *model.Task) {
		count, list := t.Ints(1), t.Ints(share*tasks)
		t.Store(count, 0, 0)
		for i := range share * tasks / 2 {
			t.Store(list, i, i)
		}
		each(t, tasks, func(t *model.Task, i int) {
			n := 0
			for _, x := range t.LoadRange(list, share*i, share*(i+1)) {
				if prime(x) {
					n++
				}
			}
			if n > 0 {
				t.Isolated(func() { add(t, count, 0, n) })
			}
		})
		t.Load(count, 0)
	}
}

func reciprocal(tasks int) model.Program {
	const share, scale = 8, 1 << 20
	return func(t *model.Task) {
		v, parts := t.Ints(tasks*share), t.Ints(tasks)
		t.StoreRange(v, 0, zeros(tasks*share))
		each(t, tasks, func(t *model.Task, i int) {
			sum := 0
			for j := i * share; j < (i+1)*share; j++ {
				sum += scale / (1 + t.Load(v, j))
			}
			t.Store(parts, i, sum)
		})
		t.LoadRange(parts, 0, tasks)
	}
}

func antidep1(n int) model.Program {
	return func(t *model.Task) {
		a := t.Ints(n + 1)
		t.StoreRange(a, 0, zeros(n+1))
		each(t, n, func(t *model.Task, i int) { t.Store(a, i, t.Load(a, i+1)+1) })
		t.LoadRange(a, 0, n)
	}
}

func antidep2(rows, columns int) model.Program {
	return func(t *model.Task) {
		a := t.Ints((rows + 1) * columns)
		t.StoreRange(a, 0, zeros((rows+1)*columns))
		each(t, rows, func(t *model.Task, i int) {
			for j := range columns {
				t.Store(a, i*columns+j, t.Load(a, (i+1)*columns+j)+1)
			}
		})
		t.LoadRange(a, 0, rows*columns)
	}
}

func doAll1(n int) model.Program {
	return func(t *model.Task) {
		a := t.Ints(n)
		t.StoreRange(a, 0, zeros(n))
		each(t, n, func(t *model.Task, i int) { add(t, a, i, 1) })
		t.LoadRange(a, 0, n)
	}
}

func doAll2(rows, columns int) model.Program {
	return func(t *model.Task) {
		a := t.Ints(rows * columns)
		t.StoreRange(a, 0, zeros(rows*columns))
		each(t, rows, func(t *model.Task, i int) {
			for j := range columns {
				add(t, a, i*columns+j, 1)
			}
		})
		t.LoadRange(a, 0, rows*columns)
	}
}

package tasks

import "taskinstr/rt/task"

func sum(v []int) (s int) {
	for _, x := range v {
		s += x
	}
	return s
}

// upTo returns 0, 1, ... n-1 and their sum.
func upTo(n int) (v []int, total int) {
	v = make([]int, n)
	for i := range v {
		v[i] = i
	}
	return v, n * (n - 1) / 2
}

func vectorAdd(tasks, size int) program {
	return func(t *task.Task) (got, want int) {
		n := tasks * size
		a, total := upTo(n)
		b, _ := upTo(n)
		c := make([]int, n)
		t.ForAll(tasks, func(t *task.Task, i int) {
			for j := i * size; j < (i+1)*size; j++ {
				c[j] = a[j] + b[j]
			}
		})
		return sum(c), 2 * total
	}
}

func forall(n int) program {
	return func(t *task.Task) (got, want int) {
		in, total := upTo(n)
		out := make([]int, n)
		t.ForAll(n, func(t *task.Task, i int) { out[i] = in[i] + 1 })
		return sum(out), total + n
	}
}

func scalarMultiply(n int) program {
	return func(t *task.Task) (got, want int) {
		v, total := upTo(n)
		factor := 3
		t.ForAll(n, func(t *task.Task, i int) { v[i] *= factor })
		return sum(v), factor * total
	}
}

func twoDim(rows, columns int) program {
	return func(t *task.Task) (got, want int) {
		v := make([][]int, rows)
		t.ForAll(rows, func(t *task.Task, i int) {
			v[i] = make([]int, columns)
			for j := range v[i] {
				v[i][j] = i * j
			}
		})
		for _, row := range v {
			got += sum(row)
		}
		return got, rows * (rows - 1) / 2 * columns * (columns - 1) / 2
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

// primes counts the primes from lo to hi, inclusive, and expects the given number.
func primes(lo, hi, number int) program {
	return func(t *task.Task) (got, want int) {
		list, _ := upTo(hi + 1)
		count := 0
		t.ForAll(hi-lo+1, func(t *task.Task, i int) {
			if prime(list[lo+i]) {
				t.Isolated(func() { count++ })
			}
		})
		return count, number
	}
}

// primesForAll counts the primes below 2*tasks, with a task for four numbers. The last
// tasks have no primes.
func primesForAll(tasks, number int) program {
	const share = 4
	return func(t *task.Task) (got, want int) {
		list := make([]int, share*tasks)
		for i := range len(list) / 2 {
			list[i] = i
		}
		count := 0
		t.ForAll(tasks, func(t *task.Task, i int) {
			n := 0
			for _, x := range list[share*i : share*(i+1)] {
				if prime(x) {
					n++
				}
			}
			if n > 0 {
				t.Isolated(func() { count += n })
			}
		})
		return count, number
	}
}

// scale converts reciprocals to integers.
const scale = 1 << 20

func reciprocals(v []int) (s int) {
	for _, x := range v {
		s += scale / (1 + x)
	}
	return s
}

func reciprocal(tasks int) program {
	const share = 8
	return func(t *task.Task) (got, want int) {
		v, _ := upTo(tasks * share)
		parts := make([]int, tasks)
		t.ForAll(tasks, func(t *task.Task, i int) { parts[i] = reciprocals(v[i*share : (i+1)*share]) })
		return sum(parts), reciprocals(v)
	}
}

func antidep1(n int) program {
	return func(t *task.Task) (got, want int) {
		a := make([]int, n+1)
		t.ForAll(n, func(t *task.Task, i int) { a[i] = a[i+1] + 1 })
		return 0, 0
	}
}

func antidep2(rows, columns int) program {
	return func(t *task.Task) (got, want int) {
		a := make([]int, (rows+1)*columns)
		t.ForAll(rows, func(t *task.Task, i int) {
			for j := range columns {
				a[i*columns+j] = a[(i+1)*columns+j] + 1
			}
		})
		return 0, 0
	}
}

func doAll1(n int) program {
	return func(t *task.Task) (got, want int) {
		a, total := upTo(n)
		t.ForAll(n, func(t *task.Task, i int) { a[i]++ })
		return sum(a), total + n
	}
}

func doAll2(rows, columns int) program {
	return func(t *task.Task) (got, want int) {
		a, total := upTo(rows * columns)
		t.ForAll(rows, func(t *task.Task, i int) {
			for j := range columns {
				a[i*columns+j]++
			}
		})
		return sum(a), total + rows*columns
	}
}

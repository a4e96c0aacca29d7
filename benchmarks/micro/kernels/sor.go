package kernels

import "sync"

// sor does sixteen sweeps. The cells of one colour depend only on cells of the other
// colour, so that the rows of a half sweep are independent.
func sor(n, workers int) uint64 {
	const omega, sweeps = 1.25, 16
	g := make([][]float64, n)
	r := rng(1)
	for i := range g {
		g[i] = make([]float64, n)
		for j := range g[i] {
			g[i][j] = r.unit()
		}
	}
	for s := range 2 * sweeps {
		split(n-2, workers, func(lo, hi int) {
			for i := lo + 1; i < hi+1; i++ {
				up, row, down := g[i-1], g[i], g[i+1]
				for j := 1 + (i+s)&1; j < n-1; j += 2 {
					row[j] = omega*0.25*(up[j]+down[j]+row[j-1]+row[j+1]) + (1-omega)*row[j]
				}
			}
		})
	}
	sum := 0.0
	for _, row := range g {
		for _, v := range row {
			sum += v
		}
	}
	return round(sum)
}

func sparse(n, workers int) uint64 {
	const perRow, rounds = 10, 16
	start := make([]int, n+1)
	col := make([]int, n*perRow)
	val := make([]float64, n*perRow)
	x, y := make([]float64, n), make([]float64, n)
	r := rng(2)
	for i := range n {
		start[i+1] = start[i] + perRow
		x[i] = r.unit()
		for k := start[i]; k < start[i+1]; k++ {
			col[k], val[k] = r.below(n), r.unit()/perRow
		}
	}
	for range rounds {
		split(n, workers, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				sum := 0.0
				for k := start[i]; k < start[i+1]; k++ {
					sum += val[k] * x[col[k]]
				}
				y[i] += sum
			}
		})
	}
	sum := 0.0
	for _, v := range y {
		sum += v
	}
	return round(sum)
}

func matmul(n, workers int) uint64 {
	r := rng(3)
	matrix := func(fill bool) [][]float64 {
		m := make([][]float64, n)
		for i := range m {
			m[i] = make([]float64, n)
			for j := range m[i] {
				if fill {
					m[i][j] = r.unit()
				}
			}
		}
		return m
	}
	a, b, c := matrix(true), matrix(true), matrix(false)
	split(n, workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j := range n {
				for k := range n {
					c[i][j] += a[i][k] * b[k][j]
				}
			}
		}
	})
	sum := 0.0
	for i, row := range c {
		for j, v := range row {
			sum += v * float64(1+(i+j)&3)
		}
	}
	return round(sum)
}

type body struct {
	x, y, z    float64
	fx, fy, fz float64
	mass       float64
}

func nbody(n, workers int) uint64 {
	bodies := make([]body, n)
	r := rng(4)
	for i := range bodies {
		b := &bodies[i]
		b.x, b.y, b.z, b.mass = r.unit(), r.unit(), r.unit(), r.unit()
	}
	split(n, workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b := &bodies[i]
			for j := range bodies {
				if j == i {
					continue
				}
				o := &bodies[j]
				dx, dy, dz := o.x-b.x, o.y-b.y, o.z-b.z
				f := b.mass * o.mass / (dx*dx + dy*dy + dz*dz + 0.01)
				b.fx += f * dx
				b.fy += f * dy
				b.fz += f * dz
			}
		}
	})
	sum := 0.0
	for i := range bodies {
		b := &bodies[i]
		sum += b.fx*b.fx + b.fy*b.fy + b.fz*b.fz
	}
	return round(sum)
}

func mergeSort(n, workers int) uint64 {
	xs, tmp := make([]int32, n), make([]int32, n)
	r := rng(5)
	for i := range xs {
		xs[i] = int32(r.below(1 << 30))
	}
	sortInto(xs, tmp, 4*workers)
	sum := uint64(0)
	for i, v := range xs {
		if i > 0 && xs[i-1] > v {
			return 0 // not sorted
		}
		sum = sum*31 + uint64(v)
	}
	return sum
}

// sortInto sorts xs with the help of tmp, in about the given number of tasks.
func sortInto(xs, tmp []int32, tasks int) {
	if len(xs) <= 16 {
		for i := 1; i < len(xs); i++ {
			for j := i; j > 0 && xs[j-1] > xs[j]; j-- {
				xs[j-1], xs[j] = xs[j], xs[j-1]
			}
		}
		return
	}
	h := len(xs) / 2
	if tasks > 1 {
		var wg sync.WaitGroup
		wg.Go(func() { sortInto(xs[:h], tmp[:h], tasks/2) })
		sortInto(xs[h:], tmp[h:], tasks/2)
		wg.Wait()
	} else {
		sortInto(xs[:h], tmp[:h], 1)
		sortInto(xs[h:], tmp[h:], 1)
	}
	copy(tmp, xs)
	i, j := 0, h
	for k := range xs {
		if j == len(xs) || i < h && tmp[i] <= tmp[j] {
			xs[k] = tmp[i]
			i++
		} else {
			xs[k] = tmp[j]
			j++
		}
	}
}

type node struct {
	key         int
	hits        uint64
	left, right *node
}

func tree(n, workers int) uint64 {
	var root *node
	r := rng(6)
	for range n {
		key := r.below(1 << 30)
		at := &root
		for *at != nil {
			if key < (*at).key {
				at = &(*at).left
			} else {
				at = &(*at).right
			}
		}
		*at = &node{key: key}
	}
	sum := uint64(0)
	for range 8 {
		sum = root.walk(4 * workers)
	}
	return sum
}

func (n *node) walk(tasks int) uint64 {
	if n == nil {
		return 0
	}
	n.hits++
	var l, r uint64
	if tasks > 1 {
		var wg sync.WaitGroup
		wg.Go(func() { l = n.left.walk(tasks / 2) })
		r = n.right.walk(tasks / 2)
		wg.Wait()
	} else {
		l = n.left.walk(1)
		r = n.right.walk(1)
	}
	return l + r + n.hits + uint64(n.key&1)
}

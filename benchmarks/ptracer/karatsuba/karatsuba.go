package karatsuba

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

const (
	schoolLength = 32  // up to here the schoolbook's method is used
	taskLength   = 128 // and no tasks
)

func run(n int, racy bool) error {
	r := rand.New(rand.NewPCG(5, 6))
	a, b, c := polynomial(n, r), polynomial(n, r), make([]uint64, 2*n)
	multiply(c, a, b, racy)
	if racy {
		return nil
	}
	return check(c, a, b)
}

func polynomial(n int, r *rand.Rand) []uint64 {
	p := make([]uint64, n)
	for i := range p {
		p[i] = r.Uint64()
	}
	return p
}

// multiply sets c to the product of a and b, which have the same length; c has twice that
// length.
func multiply(c, a, b []uint64, racy bool) {
	n := len(a)
	if n <= taskLength {
		sequential(c, a, b, make([]uint64, 4*n))
		return
	}
	h := n / 2
	var low, high sync.WaitGroup
	low.Go(func() { multiply(c[:n], a[:h], b[:h], false) })
	high.Go(func() { multiply(c[n:], a[h:], b[h:], false) })
	sums, middle := make([]uint64, n), make([]uint64, n)
	add(sums[:h], a[:h], a[h:])
	add(sums[h:], b[:h], b[h:])
	multiply(middle, sums[:h], sums[h:], false)
	if !racy {
		low.Wait()
	}
	high.Wait()
	combine(c, middle)
	low.Wait()
}

// sequential is multiply without tasks. Of tmp it needs four times the length of a.
func sequential(c, a, b, tmp []uint64) {
	n := len(a)
	if n <= schoolLength {
		school(c, a, b)
		return
	}
	h := n / 2
	sums, middle, rest := tmp[:n], tmp[n:2*n], tmp[2*n:]
	sequential(c[:n], a[:h], b[:h], rest)
	sequential(c[n:], a[h:], b[h:], rest)
	add(sums[:h], a[:h], a[h:])
	add(sums[h:], b[:h], b[h:])
	sequential(middle, sums[:h], sums[h:], rest)
	combine(c, middle)
}

// combine adds middle less the low and the high product, the halves of c, at a
// quarter of c. It changes middle.
func combine(c, middle []uint64) {
	n := len(middle)
	for i := range middle {
		middle[i] -= c[i] + c[n+i]
	}
	add(c[n/2:n/2+n], c[n/2:n/2+n], middle)
}

func add(c, a, b []uint64) {
	for i := range c {
		c[i] = a[i] + b[i]
	}
}

func school(c, a, b []uint64) {
	clear(c)
	for i, x := range a {
		for j, y := range b {
			c[i+j] += x * y
		}
	}
}

// at evaluates a polynomial (Horner).
func at(p []uint64, x uint64) uint64 {
	v := uint64(0)
	for i := len(p) - 1; i >= 0; i-- {
		v = v*x + p[i]
	}
	return v
}

const (
	points   = 20   // that the product is evaluated at
	shortest = 1024 // the number of coefficients that the check multiplies again
)

func check(c, a, b []uint64) error {
	r := rand.New(rand.NewPCG(7, 8))
	for range points {
		x := r.Uint64() | 1 // powers of an even number vanish
		if got, want := at(c, x), at(a, x)*at(b, x); got != want {
			return fmt.Errorf("the product is %#x at %#x, want %#x", got, x, want)
		}
	}
	if len(a) > shortest {
		return nil
	}
	want := make([]uint64, len(c))
	school(want, a, b)
	for i := range want {
		if c[i] != want[i] {
			return fmt.Errorf("coefficient %d is %#x, want %#x", i, c[i], want[i])
		}
	}
	return nil
}

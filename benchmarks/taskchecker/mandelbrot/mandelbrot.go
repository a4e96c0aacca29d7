package mandelbrot

import (
	"bytes"
	"fmt"
	"math/cmplx"
	"sync"
)

const (
	tasks      = 16
	iterations = 50
)

func run(n int, racy bool) error {
	header := fmt.Sprintf("P4\n%d %d\n", n, n)
	file := make([]byte, len(header)+n*rowBytes(n))
	copy(file, header)
	bitmap := file[len(header):]
	var wg sync.WaitGroup
	for t := range tasks {
		lo, hi := n*t/tasks, n*(t+1)/tasks
		if racy {
			hi = min(hi+1, n)
		}
		wg.Go(func() { draw(bitmap, n, lo, hi) })
	}
	wg.Wait()
	if racy {
		return nil
	}
	return check(bitmap, n)
}

// rowBytes is the length of a row, padded to whole bytes.
func rowBytes(n int) int { return (n + 7) / 8 }

// draw computes the rows lo to hi.
func draw(bitmap []byte, n, lo, hi int) {
	for y := lo; y < hi; y++ {
		for b := range rowBytes(n) {
			bits := byte(0)
			for x := 8 * b; x < 8*b+8; x++ {
				bits <<= 1
				if x < n && inside(coordinates(x, y, n)) {
					bits |= 1
				}
			}
			bitmap[y*rowBytes(n)+b] = bits
		}
	}
}

// coordinates maps a pixel to the square from -1.5-i to 0.5+i.
func coordinates(x, y, n int) (re, im float64) {
	return 2*float64(x)/float64(n) - 1.5, 2*float64(y)/float64(n) - 1
}

// inside reports whether the iteration of z -> z²+c from zero stays within a distance of
// 2.
func inside(re, im float64) bool {
	zr, zi, rr, ii := 0.0, 0.0, 0.0, 0.0
	for range iterations {
		zi = 2*zr*zi + im
		zr = rr - ii + re
		rr, ii = zr*zr, zi*zi
		if rr+ii > 4 {
			return false
		}
	}
	return true
}

// check tests that the picture, without its first row, is symmetric, and compares a
// sample of pixels with complex arithmetic. Only points of the boundary may differ, by
// rounding.
func check(bitmap []byte, n int) error {
	const every, allowed = 97, 1e-3
	w := rowBytes(n)
	for y := 1; y < n; y++ {
		if up, down := bitmap[y*w:(y+1)*w], bitmap[(n-y)*w:(n-y+1)*w]; !bytes.Equal(up, down) {
			return fmt.Errorf("the rows %d and %d differ", y, n-y)
		}
	}
	wrong, set, sampled := 0, 0, 0
	for i := 0; i < n*n; i += every {
		x, y := i%n, i/n
		got := bitmap[y*w+x/8]>>(7-x%8)&1 == 1
		re, im := coordinates(x, y, n)
		z, want := complex(0, 0), true
		for range iterations {
			if z = z*z + complex(re, im); cmplx.Abs(z) > 2 {
				want = false
				break
			}
		}
		sampled++
		if got {
			set++
		}
		if got != want {
			wrong++
		}
	}
	if float64(wrong) > allowed*float64(sampled) || set == 0 || set == sampled {
		return fmt.Errorf("of %d pixels %d are set, %d wrong", sampled, set, wrong)
	}
	return nil
}

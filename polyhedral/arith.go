package polyhedral

import (
	"errors"
	"math/bits"
)

// ErrOverflow is the error of a computation whose coefficients exceed int64.
var ErrOverflow = errors.New("polyhedral: a coefficient leaves the range of int64")

// refusal carries an error out of a computation as a panic, which never leaves the
// package.
type refusal struct{ err error }

// catch turns a refusal into the error of an exported function.
func catch(err *error) {
	if r := recover(); r != nil {
		x, ok := r.(refusal)
		if !ok {
			panic(r)
		}
		*err = x.err
	}
}

func refuse(err error) { panic(refusal{err}) }

// addOK returns a+b and whether the sum fits.
func addOK(a, b int64) (int64, bool) {
	s := a + b
	return s, (a^s)&(b^s) >= 0
}

// mulOK returns a*b and whether the product fits.
func mulOK(a, b int64) (int64, bool) {
	if int64(int32(a)) == a && int64(int32(b)) == b {
		return a * b, true
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > 1<<63-1 { // the lowest int64 counts as an overflow
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

func mustAdd(a, b int64) int64 {
	s, ok := addOK(a, b)
	if !ok {
		refuse(ErrOverflow)
	}
	return s
}

func mustMul(a, b int64) int64 {
	p, ok := mulOK(a, b)
	if !ok {
		refuse(ErrOverflow)
	}
	return p
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func gcd(a, b int64) int64 {
	x, y := magnitude(a), magnitude(b)
	for y != 0 {
		x, y = y, x%y
	}
	return int64(x)
}

// floorDiv returns a/b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mod returns a - b*floorDiv(a, b), which is in [0, b), for b > 0.
func mod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}

// inverse returns the x in [0, m) with a*x = 1 modulo m, for coprime a and m > 0.
func inverse(a, m int64) int64 {
	r0, r1, x0, x1 := m, mod(a, m), int64(0), int64(1)
	for r1 > 1 {
		q := r0 / r1
		r0, r1, x0, x1 = r1, r0-q*r1, x1, x0-q*x1
	}
	return mod(x1, m)
}

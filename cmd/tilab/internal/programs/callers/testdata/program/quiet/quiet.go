// Package quiet calls functions back. It is built without checks.
package quiet

import "iter"

func Call(f func()) { f() }

//go:noinline
func CallFar(f func()) { deeper(3, f) }

func deeper(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	deeper(n-1, f)
}

// Twice calls f from two places.
func Twice(f func()) {
	f()
	f()
}

func Each(n int, f func(i int)) {
	for i := range n {
		f(i)
	}
}

func Map[T, U any](list []T, f func(T) U) (out []U) {
	for _, v := range list {
		out = append(out, f(v))
	}
	return out
}

func Seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func Deferred(f func()) {
	defer f()
	deeper(2, func() {})
}

// Rescue calls f and recovers its panic.
func Rescue(f func()) {
	defer func() { _ = recover() }()
	f()
}

// Fail panics in a function called by f's caller.
//
//go:noinline
func Fail() { panic("fail") }

//go:noinline
func Load(p *int) int { return *p }

// Grow uses n KiB of the stack.
//
//go:noinline
func Grow(n int) int {
	var pad [1000]byte
	if n == 0 {
		return int(pad[0])
	}
	pad[n&511] = byte(n)
	return Grow(n-1) + int(pad[n&511])
}

type Runner interface{ Run() }

type Func func()

func (f Func) Run() { f() }

func Run(r Runner) { r.Run() }

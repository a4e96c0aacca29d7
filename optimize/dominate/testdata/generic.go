// Generic functions of a package that other packages import. These have instances that are not in
// sight.
package generic

import (
	"cmp"
	"sync"
)

type Box[T any] struct {
	n, m int
	val  T
	k, l int
	next *Box[T]
}

type Doer interface{ Do() }

type Self[T any] interface{ Less(T) bool }

var mu sync.Mutex

// Addresses that do not depend on the type arguments.

func (b *Box[T]) Twice() int {
	x := b.n       // want b.n r: kept
	return x + b.n // want b.n r: r-1
}

func (b *Box[T]) Value() T {
	v := b.val // want b.val r: kept
	_ = v
	return b.val // want b.val r: r-2
}

func Function[K comparable, V any](b *Box[V], k, other K) int {
	x := b.n // want b.n r: kept
	if k == other {
		return x + b.n // want b.n r: r-2
	}
	return x
}

func Deferred[T any](b *Box[T]) int {
	mu.Lock()
	x := b.n // want b.n r: kept
	mu.Unlock()
	return x + b.n // want b.n r: kept — a release in between
}

func helper[T any](b *Box[T]) int {
	x := b.n       // want b.n r: kept — other packages have callers
	return x + b.n // want b.n r: r-1
}

// Neighbours: the size of a type argument is not known.

type Row[T any] struct {
	n, m int
	val  T
	k, l int
}

func (r *Row[T]) Before() {
	r.n = 1 // want r.n w: kept
	r.m = 2 // want r.m w: w-1
}

func (r *Row[T]) Behind() {
	r.k = 1 // want r.k w: kept
	r.l = 2 // want r.l w: kept — only their distance is known
}

func (r *Row[T]) Around(v T) {
	r.m = 1   // want r.m w: kept
	r.val = v // want r.val w: kept
}

func (b *Box[T]) Several() {
	b.n = 1 // want b.n w: kept
	b.m = 2 // want b.m w: kept — instances of several sizes
}

// Methods of a type argument may do anything, those of its zero value as well.

func Method[T Doer](b *Box[T]) int {
	x := b.n       // want b.n r: kept
	b.val.Do()     // want b.val r: kept
	return x + b.n // want b.n r: kept
}

func Zero[T Doer](b *Box[T]) int {
	x := b.n // want b.n r: kept
	var zero T
	zero.Do()
	return x + b.n // want b.n r: kept
}

func Asserted[T any](b *Box[T]) int {
	x := b.n // want b.n r: kept
	var zero T
	if d, ok := any(zero).(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

func Chosen[T any](b *Box[T], c bool) int {
	x := b.n // want b.n r: kept
	var zero T
	var i any = 1
	if c {
		i = zero
	}
	if d, ok := i.(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

func call(i any) {
	if d, ok := i.(Doer); ok {
		d.Do()
	}
}

func Passed[T any](b *Box[T]) int {
	x := b.n // want b.n r: kept
	var zero T
	call(zero)
	return x + b.n // want b.n r: kept
}

func Stored[T any](b *Box[T]) int {
	x := b.n // want b.n r: kept
	h := struct{ v T }{}
	var i any = h.v
	if d, ok := i.(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

func Literal[T any](b *Box[T]) int {
	x := b.n // want b.n r: kept
	func() {
		var zero T
		if d, ok := any(zero).(Doer); ok {
			d.Do()
		}
	}()
	return x + b.n // want b.n r: kept
}

func Given[T any](b *Box[T], f func(T)) int {
	x := b.n // want b.n r: kept
	var zero T
	f(zero)
	return x + b.n // want b.n r: kept
}

func New[T any]() any { var zero T; return zero }

func Made[T any](b *Box[T]) int {
	x := b.n // want b.n r: kept
	if d, ok := New[T]().(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

// Pointers: a write through a pointer that a type argument may be.

func Written[T any](b *Box[T], c *Box[T], v T) int {
	x := b.next.n // want b.next r: kept / b.next.n r: kept
	c.val = v
	return x + b.next.n // want b.next r: r-2 / b.next.n r: kept — other code may write b.next
}

// Unions of basic types, and slices.

func Union[T cmp.Ordered](b *Box[T], v, w T) int {
	x := b.n // want b.n r: kept
	if v < w {
		return x + b.n // want b.n r: r-2
	}
	return x
}

func UnionAsserted[T cmp.Ordered](b *Box[T]) int {
	x := b.n // want b.n r: kept
	var zero T
	if d, ok := any(zero).(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

func Slice[S ~[]E, E any](b *Box[E], s S) int {
	x := b.n       // want b.n r: kept
	return x + b.n // want b.n r: r-1
}

func SliceAsserted[S ~[]E, E any](b *Box[E], s S) int {
	x := b.n // want b.n r: kept
	if d, ok := any(s[:0]).(Doer); ok {
		d.Do()
	}
	return x + b.n // want b.n r: kept
}

// Constraints that nothing represents.

func Map[M ~map[K]V, K comparable, V any](b *Box[V], m M) int {
	x := b.n       // want b.n r: kept
	return x + b.n // want b.n r: kept
}

func Both[T interface {
	~int
	Do()
}](b *Box[T]) int {
	x := b.n       // want b.n r: kept
	return x + b.n // want b.n r: kept
}

func Ordered[T Self[T]](b *Box[T]) int {
	x := b.n       // want b.n r: kept
	return x + b.n // want b.n r: kept
}

// Instances in sight count as well: all of them have to agree.

func both[T any](b *Box[T], f func()) int {
	x := b.n // want b.n r: kept
	f()
	return x + b.n // want b.n r: kept
}

func Uses(a *Box[int], b *Box[string]) int {
	return helper(a) + both(b, func() { mu.Lock(); mu.Unlock() })
}

func Helped[T any](b *Box[T]) int { return helper(b) + both(b, func() {}) }

package main

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

type node struct {
	val  int
	next *node
	arr  [4]int
	in   struct{ a, b int }
}

type shape interface{ area() *float64 }

type square struct{ a *float64 }

func (s square) area() *float64 { return s.a }

type circle struct{ r *float64 }

func (c *circle) area() *float64 { return c.r }

func rows(n, m int) [][]float64 {
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, m)
	}
	return a
}

func id(p *int) *int { return p }

func first[T any](xs []T) *T { return &xs[0] }

var global int
var table = map[string]*int{}

func aliases() {
	x, y := new(int), new(int)
	apart(x, y)
	alias(x, x)

	// Fields of one object are apart; a field and its struct are not.
	n := &node{}
	apart(&n.val, &n.arr[1])
	alias(n, &n.val)
	alias(&n.in, &n.in.b)
	apart(&n.in.a, &n.in.b)
	alias(&n.arr[0], &n.arr[2])
	n.next = &node{}
	apart(n, n.next)
	alias(&n.next.val, &n.next.val)

	// A helper that allocates is told apart by its callers.
	a, b := rows(2, 3), rows(2, 3)
	apart(&a[0][0], &b[0][0])
	alias(&a[0][0], &a[1][2])
	apart(&a[0], &a[0][0])
	s := a[0][1:2]
	alias(&s[0], &a[1][1])
	s = append(s, 1)
	alias(&s[0], &a[0][0])
	c := make([]float64, 3)
	copy(c, a[0])
	apart(&c[0], &a[0][0])

	// Calls, closures, interfaces, channels, maps.
	alias(id(x), id(y)) // one context for what does not allocate
	p := x
	set := func() { p = y }
	set()
	alias(p, y)
	apart(p, &global)
	var sh shape = square{new(float64)}
	var ci shape = &circle{new(float64)}
	apart(sh.area(), ci.area())
	if q, ok := sh.(square); ok {
		alias(q.a, sh.area())
	}
	ch := make(chan *int, 1)
	ch <- x
	alias(<-ch, x)
	apart(<-ch, y)
	table["k"] = &global
	alias(table["j"], &global)
	alias(first([]int{1}), first([]int{2}))
	f := n.self
	alias(f(), n)

	// Unsafe and reflection.
	u := unsafe.Pointer(x)
	alias((*int)(u), x)
	apart((*int)(u), y)
	alias((*[8]byte)(u), x)
	z := new(int)
	alias((*uint8)(unsafe.Add(unsafe.Pointer(z), 1)), z)
	var ap atomic.Pointer[node]
	ap.Store(n)
	alias(ap.Load(), n)
	var av atomic.Value
	av.Store(n)
	alias(av.Load().(*node), n)
	w := new(node)
	m := new(node)
	apart(x, y) // whatever reflection does to others
	reflect.ValueOf(&m).Elem().Set(reflect.ValueOf(w))
	alias(m, w)
	alias(reflect.ValueOf(w).Interface().(*node), w)

	// Panics and deferred calls.
	defer func() {
		if r, ok := recover().(*int); ok {
			alias(r, x)
		}
	}()
	panic(x)
}

func (n *node) self() *node { return n }

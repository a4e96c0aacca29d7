package ssapass

import (
	"slices"
	"testing"
)

// TestOwned: accesses before memory is published are owned, and no others are. All memory
// here is shared in the end.
func TestOwned(t *testing.T) {
	const src = `package b

type node struct {
	next *node
	n    int
	m    int
}

var kept *node
var list []int
var pipe = make(chan *node, 1)
var any1 any

func New() *node {
	x := &node{}
	x.n = 1 // want owned
	kept = x
	x.m = 2 // want known
	return x
}

func Helped() {
	x := &node{}
	help(x)
	kept = x
}

func help(p *node) { p.n = 1 } // want owned

func Late() {
	x := &node{}
	kept = x
	late(x)
}

func late(p *node) { p.n = 1 } // want known

func Twice() {
	x := &node{}
	both(x)
	kept = x
	both(x)
}

func both(p *node) { p.n = 1 } // want known

func Alias() {
	x := &node{}
	alias(x, x)
}

func alias(p, q *node) {
	kept = q
	p.n = 1 // want known
}

func Publishing() {
	x := &node{}
	publish(x)
	x.n = 1 // want known
}

func publish(p *node) { kept = p }

func Loop() {
	x := &node{}
	for i := range 3 {
		x.n = i // want known
		kept = x
	}
}

func Anew() {
	for i := range 3 {
		x := &node{}
		x.n = i // want owned
		kept = x
	}
}

func Branch(c bool) {
	x := &node{}
	if c {
		kept = x
	}
	x.n = 1 // want known
}

func Sent() {
	x := &node{}
	pipe <- x
	x.n = 1 // want known
}

func Started() {
	x := &node{}
	go func() { x.m++ }()
	x.n = 1 // want known
}

func Boxed() {
	x := &node{}
	any1 = x
	x.n = 1 // want known
}

func Either(c bool) {
	x := &node{}
	y := kept
	if c {
		y = x
	}
	y.n = 1 // want known
	kept = x
}

func Field() {
	x := &node{}
	p := &x.m
	any1 = p
	x.n = 1 // want known
}

func Inner() {
	x := &node{}
	x.next = x
	y := x.next
	kept = y
	x.n = 1 // want known
}

func Grow(n int) {
	s := make([]int, 0, n)
	for range n {
		s = append(s, 1)
	}
	for i := range s {
		s[i] = i // want owned
	}
	list = s
	s[0] = 1 // want known
}

// A slice that begins anew in each round is not the published one.
func Rounds(n int) {
	for range n {
		var s []int
		for i := range n {
			s = append(s, i)
			s[0] = i // want owned
		}
		lists = append(lists, s)
	}
}

func RoundsMade(n int) {
	for range n {
		s := make([]int, 0, n)
		for i := range n {
			s = append(s, i)
			s[0] = i // want owned
		}
		lists = append(lists, s)
	}
}

var lists [][]int

func Carried(n int) {
	var s []int
	for i := range n {
		s = append(s, i)
		s[0] = i // want known
		list = s
	}
}

func CarriedMade(n int) {
	s := make([]int, 0, n)
	for i := range n {
		if i%5 == 0 {
			s = make([]int, 0, n)
		}
		s = append(s, i)
		s[0] = i // want known
		list = s
	}
}

// The other variable keeps the published slice.
func Swapped(n int) {
	var s, old []int
	for i := range n {
		for j := range n {
			s = append(s, j)
			s[0] = j // want known
		}
		if i > 0 {
			old[0] = i // want known
		}
		list = s
		old, s = s, nil
	}
}

// Only one way into the loop makes the slice nil.
func Sometimes(n int) {
	var s []int
	for i := range n {
		if i%5 == 0 {
			s = nil
		}
		s = append(s, i)
		s[0] = i // want known
		list = s
	}
}

// The address of an element lives longer than the variable.
func Element(n int) {
	s := append([]int(nil), n)
	p := &s[0]
	for j := range n {
		*p = j // want known
		s = append(s, j)
		s[0] = 1 // want known
		list = s
		s = nil
	}
}

func Spliced(n int) {
	s := append(list, n)
	s[0] = 1 // want known
	list = s
}

func Deferred() {
	x := &node{}
	defer func() { kept = x }()
	x.n = 1 // want known
}

func Value(f func(*node)) {
	x := &node{}
	f(x)
	x.n = 1 // want known
	kept = x
}

func Method() {
	x := &node{}
	x.fill()
	kept = x
}

func Tied() {
	x := &node{}
	tie(x)
	kept = x.next
	x.n = 1 // want known
}

func tie(p *node) { p.next = p }

func Same() {
	x := &node{}
	kept = same(x)
	x.n = 1 // want known
}

func same(p *node) *node { return p }

// What callees do with pointers in the memory concerns other memory.

type wrap struct{ p *node }

func Moved() {
	x := &node{next: &node{next: &node{}}}
	move(x)
	x.n = 1 // want owned
	kept = x
}

func move(p *node) { p.next = p.next.next }

func Led() {
	x := &node{next: &node{}}
	kept = led(x).p
	x.n = 1 // want owned
	kept = x
}

func led(p *node) wrap { return wrap{p.next} }

func Wrapped() {
	x := &node{}
	kept = wrapped(x).p
	x.n = 1 // want known
}

func wrapped(p *node) wrap { return wrap{p} }

// Other packages get a node from New, and call its methods by an interface.
func (p *node) Fill() { p.fill() }

func (p *node) fill() { p.n = 1 } // want known
`
	a := analyzeChained(t, map[string]*chained{}, "b", src).analysis
	other := func(s *Site) bool { return s.Fresh || !s.Key.Write }
	owned := func(s *Site) bool {
		known := func(c Access) bool { return !a.SharedAt(a.Where(s, c)) || !a.Owned(c) }
		return len(s.Accesses) > 0 && !slices.ContainsFunc(s.Accesses, known)
	}
	for _, w := range unlikeSites(a, src, "owned", "known", other, owned) {
		t.Error(w)
	}
}

package main

type pair struct{ a, b *int }

type list struct {
	next *list
	val  *int
}

var root *list // alloc root

func choose(c bool, p, q *int) *int {
	if c {
		return p
	}
	return q
}

func both(p, q *int) (*int, *int) { return q, p }

func values() {
	x := new(int) // alloc x
	y := new(int) // alloc y
	points(x)     // x
	var none *int
	points(none)                 // nothing
	points(choose(x == y, x, y)) // x y
	p, q := both(x, new(int))    // alloc z
	points(p)                    // z
	points(q)                    // x
	s := pair{x, y}              // by value: it has no object
	points(s.a)                  // x
	points(s.b)                  // y
	sp := &pair{x, nil}          // alloc sp
	sp.b = y
	points(sp)   // sp
	points(sp.a) // x
	points(sp.b) // y
	t := *sp
	points(t.b)         // y
	arr := new([3]*int) // alloc arr
	arr[0] = x
	arr[1] = p
	points(arr[2])            // x z
	root = &list{val: x}      // alloc first
	root.next = &list{val: y} // alloc second
	points(root)              // first
	points(root.next)         // second
	points(root.next.val)     // y
	for l := root; l != nil; l = l.next {
		points(l)     // first second
		points(l.val) // x y
	}
	var v *int // alloc variable
	pp := &v   // a variable whose address is taken has an object
	*pp = y
	v = x
	points(*pp)        // x y
	points(v)          // x y
	points(pp)         // variable
	points(&root.next) // first
}

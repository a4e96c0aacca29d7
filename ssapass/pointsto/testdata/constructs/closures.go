package main

type handler func(*int) *int

func apply(f handler, p *int) *int { return f(p) }

func same(p *int) *int { return p }

func counter() (func(*int), func() *int) {
	var last *int
	return func(p *int) { last = p }, func() *int { return last }
}

func each(yield func(*int) bool) {
	yield(new(int)) // alloc yielded
}

func closures() {
	x := new(int) // alloc cx
	y := new(int) // alloc cy
	f := func() *int { return x }
	points(f()) // cx
	var z *int
	set := func(p *int) { z = p }
	set(y)
	points(z)              // cy
	points(apply(same, x)) // cx
	put, get := counter()
	put(y)
	points(get()) // cy
	for p := range each {
		points(p) // yielded
	}
	fs := map[string]handler{"same": same, "y": func(*int) *int { return y }}
	points(fs["y"](x)) // cx cy
}

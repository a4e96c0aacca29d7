package main

type owner struct{ p *int }

func (o *owner) own(p *int) { o.p = p }

func (o owner) get() *int { return o.p }

type deeper struct{ *owner }

func methods() {
	x := new(int) // alloc mx
	y := new(int) // alloc my
	o := &owner{} // alloc o
	o.own(x)
	points(o.p)    // mx my
	q := &owner{y} // alloc q
	get := q.get   // a method value holds a copy of the receiver
	points(get())  // mx my
	own := (*owner).own
	d := deeper{&owner{}} // alloc inner
	own(d.owner, y)
	points(d.p) // my mx
	d.own(x)
	points(d.owner) // inner
	bound := d.own
	bound(y)
	points(d.get()) // mx my
}

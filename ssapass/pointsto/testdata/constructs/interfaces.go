package main

type sizer interface{ size() *int }

type byPointer struct{ n *int }

func (b *byPointer) size() *int { return b.n }

type byValue struct{ n *int }

func (b byValue) size() *int { return b.n }

type embeds struct {
	sizer
	other *int
}

func interfaces() {
	n := new(int)               // alloc in
	m := new(int)               // alloc im
	o := new(int)               // alloc io
	var p sizer = &byPointer{n} // alloc pbox
	v := sizer(byValue{m})      // alloc box
	points(p)                   // pbox
	points(v)                   // box
	points(p.size())            // in
	points(v.size())            // im
	either := p
	if o != nil {
		either = v
	}
	points(either)        // box pbox
	points(either.size()) // im in
	if b, ok := either.(*byPointer); ok {
		points(b)   // pbox
		points(b.n) // in
	}
	if b, ok := either.(byValue); ok {
		points(b.n) // im
	}
	switch x := either.(type) {
	case byValue:
		points(x.n) // im
	case *byPointer:
		points(x.n) // in
	}
	e := embeds{p, o} // alloc e
	points(e.size())  // in
	points(e.other)   // io
	var any1 any = &e
	points(any1)                 // e
	points(any1.(*embeds).other) // io
	var any2 any = o
	points(any2.(*int)) // io
	var any3 any = sizer(v)
	points(any3.(sizer)) // box
}

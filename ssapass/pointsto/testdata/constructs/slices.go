package main

type buffer []*int

func grow(b buffer, p *int) buffer { return append(b, p) }

func last(list ...*int) *int { return list[len(list)-1] }

func slices() {
	x := new(int)        // alloc sx
	y := new(int)        // alloc sy
	a := make([]*int, 2) // alloc a
	a[0] = x
	points(a)    // a
	points(a[1]) // sx sy
	b := a[1:]
	points(b)            // a
	points(b[0])         // sx sy
	c := append(a, y)    // alloc grown
	points(c)            // a grown
	points(c[0])         // sx sy
	points(a[0])         // sx sy
	l := []*int{y}       // alloc l
	points(l[0])         // sy
	d := make([]*int, 1) // alloc copied
	copy(d, l)
	points(d[0]) // sy
	for _, p := range l {
		points(p) // sy
	}
	points(last(x, y))      // sx sy
	points(grow(nil, y)[0]) // sy
	arr := [2]*int{x, y}    // alloc array
	points(arr[:])          // array
	points(arr[:][0])       // sx sy
	ptr := (*[1]*int)(l)
	points(ptr)           // l
	points(ptr[0])        // sy
	two := [][]*int{l, d} // alloc two
	points(two[0])        // copied l
	points(two[1][0])     // sy
	clear(l)
	bytes := []byte("text") // alloc bytes
	points(bytes)           // bytes
	s := string(bytes)      // strings are not followed
	copied := []byte(s)     // alloc text
	points(copied)          // text
}

package main

// Class: result
//
// A named result that something else knows lives on the heap. A return statement writes
// it and reads it again to hand it over; the write is checked.

//go:noinline
func leak(p **int) (n int) {
	*p = &n
	hand := make(chan bool)
	go func() {
		n = 1 // want(racy/Result) race nostock: n
		close(hand)
	}()
	return 2 // want(racy/Result) race nostock: -
}

func (racy) Result() {
	var p *int
	sink(leak(&p))
}

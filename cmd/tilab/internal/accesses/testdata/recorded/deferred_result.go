package main

//go:noinline
func result(hand chan *int, stop func()) (n int) { // want(racy/DeferredResult) race nostock: n
	hand <- &n
	defer stop()
	return
}

func (racy) DeferredResult() {
	hand := make(chan *int)
	var written slot[bool]
	parallel(
		func() { sink(result(hand, func() { written.await() })) },
		func() { *<-hand = 1; written.put(new(bool)) }, // want(racy/DeferredResult) race nostock: *<-hand
	)
}

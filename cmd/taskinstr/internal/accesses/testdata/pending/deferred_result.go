package main

// Class: deferred result

//go:noinline
func result(s *slot[int], stop func()) (n int) {
	s.put(&n)
	defer stop()
	return
}

func (racy) DeferredResult() {
	var s slot[int]
	var written slot[bool]
	parallel(
		func() { sink(result(&s, func() { written.await() })) },
		func() { *s.await() = 1; written.put(new(bool)) },
	)
}

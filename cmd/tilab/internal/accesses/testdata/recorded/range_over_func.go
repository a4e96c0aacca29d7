package main

func (racy) RangeOverFunc() {
	var done slot[bool]
	beside := func(yield func(int) bool) {
		go func() {
			yield(1)
			done.put(new(bool))
		}()
		done.await()
	}
	for range beside { // want(racy/RangeOverFunc) race: beside
	} // want(racy/RangeOverFunc) race: -
}

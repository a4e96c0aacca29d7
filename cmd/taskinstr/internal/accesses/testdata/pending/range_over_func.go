package main

// Class: range over func

func (racy) RangeOverFunc() {
	var done slot[bool]
	later := func(yield func(int) bool) {
		go func() {
			defer func() {
				recover() // the loop has ended
				done.put(new(bool))
			}()
			yield(1)
		}()
	}
	n := 0
	for i := range later {
		n += i
	}
	done.await()
	sink(n)
}

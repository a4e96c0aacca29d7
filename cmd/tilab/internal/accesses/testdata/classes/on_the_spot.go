package main

// Class: on the spot
//
// A literal that is called or deferred where it stands runs in the goroutine of the
// function around it. What the two share, and nobody else, is reached by one goroutine.

//go:noinline
func parse(s string) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
		if err != nil {
			n = -1
		}
	}()
	return int(s[3]), err
}

func (fixed) OnTheSpot() {
	parallel(
		func() { _, err := parse("ab"); sink(err) },
		func() { _, err := parse("abcd"); sink(err) },
	)
}

func (racy) StartedOnTheSpot() {
	done := make(chan bool)
	n := 0
	go func() {
		n = 1 // want race: n
		close(done)
	}()
	sink(n) // want race: n
	<-done
}

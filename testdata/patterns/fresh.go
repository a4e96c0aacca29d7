package main

import "runtime"

// First values of memory: a function without checks makes the memory known, so that
// only the first value itself can race.

var published *triple

//go:norace
func publish(p *triple) { published = p }

//go:norace
func subscribe() *triple {
	for published == nil {
		runtime.Gosched()
	}
	p := published
	published = nil
	return p
}

func (racy) FreshLiteral() {
	parallel(
		func() { publish(&triple{a: 1}) }, // want race: &triple{a: 1}
		func() { sink(subscribe().a) })    // want race: subscribe().a
}

func (fixed) FreshLiteral() {
	ch := make(chan *triple)
	parallel(
		func() { ch <- &triple{a: 1} },
		func() { sink((<-ch).a) })
}

func (racy) FreshElidedLiteral() {
	parallel(
		func() { publish([]*triple{{a: 1}}[0]) }, // want race: {a: 1}
		func() { sink(subscribe().a) })           // want race: subscribe().a
}

func (racy) FreshSlice() {
	parallel(
		func() { publish(&[]triple{{a: 1}, {b: 2}}[1]) }, // want race: []triple{{a: 1}, {b: 2}}
		func() { sink(subscribe().b) })                   // want race: subscribe().b
}

func (racy) FreshVariable() {
	parallel(
		func() {
			var v triple // want race: v
			publish(&v)
		},
		func() { sink(subscribe().b) }) // want race: subscribe().b
}

//go:noinline
func publishCopy(v triple) { // want(racy/FreshParameter) race nostock: v
	publish(&v)
}

func (racy) FreshParameter() {
	parallel(
		func() { publishCopy(triple{b: 1}) },
		func() { sink(subscribe().b) }) // want race: subscribe().b
}

func publishInlined(v triple) { publish(&v) } // want(racy/FreshInlined) race nostock: v

// FreshInlined allocates the parameter at the call, which the compiler inlines.
func (racy) FreshInlined() {
	parallel(
		func() { publishInlined(triple{b: 1}) },
		func() { sink(subscribe().b) }) // want race nostock: subscribe().b
}

// A large is long enough for its zeros to count as a write.
type large struct {
	triple
	rest [8]int
}

func (racy) FreshLarge() {
	parallel(
		func() {
			v := &large{} // want race: &large{}
			v.b = 1
			publish(&v.triple)
		},
		func() { sink(subscribe().b) }) // want race: subscribe().b
}

func (fixed) FreshLarge() {
	ch := make(chan *large)
	parallel(
		func() { v := &large{}; v.b = 1; ch <- v },
		func() { sink((<-ch).b) })
}

func (fixed) FreshInlined() {
	ch := make(chan *triple)
	parallel(
		func() { v := triple{b: 1}; ch <- &v },
		func() { sink((<-ch).b) })
}

func publishFirst(vs ...triple) { publish(&vs[0]) }

func (racy) FreshArguments() {
	parallel(
		func() { publishFirst(triple{b: 1}, triple{}) }, // want race: publishFirst(triple{b: 1}, triple{})
		func() { sink(subscribe().b) })                  // want race: subscribe().b
}

func (racy) FreshAppended() {
	full := make([]triple, 1)
	parallel(
		func() {
			more := append(full, triple{b: 1}) // want race: append(full, triple{b: 1})
			publish(&more[1])
		},
		func() { sink(subscribe().b) }) // want race: subscribe().b
}

// IteratorBody shares a variable with the function around it, and the iterator runs the
// body in another goroutine.
func (racy) IteratorBody() {
	total := 0
	for i := range func(yield func(int) bool) {
		done := make(chan bool)
		go func() {
			yield(1)
			close(done)
		}()
		total++ // want race: total
		<-done
	} {
		total += i // want race: total
	}
	sink(total)
}

func (fixed) IteratorBody() {
	total := 0
	for i := range func(yield func(int) bool) {
		done := make(chan bool)
		go func() {
			yield(1)
			close(done)
		}()
		<-done
		total++
	} {
		total += i
	}
	sink(total)
}

func (fixed) FreshElidedLiteral() {
	oneByOne(
		func() { publish([]*triple{{a: 1}}[0]) },
		func() { sink(subscribe().a) })
}

func (fixed) FreshSlice() {
	oneByOne(
		func() { publish(&[]triple{{a: 1}, {b: 2}}[1]) },
		func() { sink(subscribe().b) })
}

func (fixed) FreshVariable() {
	oneByOne(
		func() {
			var v triple
			publish(&v)
		},
		func() { sink(subscribe().b) })
}

func (fixed) FreshParameter() {
	oneByOne(
		func() { publishCopy(triple{b: 1}) },
		func() { sink(subscribe().b) })
}

func (fixed) FreshArguments() {
	oneByOne(
		func() { publishFirst(triple{b: 1}, triple{}) },
		func() { sink(subscribe().b) })
}

func (fixed) FreshAppended() {
	full := make([]triple, 1)
	oneByOne(
		func() {
			more := append(full, triple{b: 1})
			publish(&more[1])
		},
		func() { sink(subscribe().b) })
}

package main

type message struct {
	p     *int
	reply chan *int
}

func serve(in chan message) {
	for m := range in {
		m.reply <- m.p
	}
}

func channels() {
	x := new(int)           // alloc hx
	y := new(int)           // alloc hy
	c := make(chan *int, 1) // alloc c
	d := make(chan *int, 1) // alloc d
	c <- x
	d <- y
	points(c)   // c
	points(<-c) // hx
	points(<-d) // hy
	c <- x
	p, ok := <-c
	points(p) // hx
	_ = ok
	select {
	case q := <-c:
		points(q) // hx
	case q, ok := <-d:
		points(q) // hy
		_ = ok
	case d <- y:
	}
	in := make(chan message) // alloc requests
	go serve(in)
	r := make(chan *int) // alloc reply
	in <- message{y, r}
	points(<-r) // hy
	close(in)
	var send chan<- *int = c
	send <- x
	points(send)                  // c
	cc := make(chan chan *int, 1) // alloc cc
	cc <- d
	points(<-cc)   // d
	points(<-<-cc) // hy
}

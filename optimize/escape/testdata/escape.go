// Accesses to objects that stay in their task.
package main

import "sync"

type point struct {
	x    int
	next *point
}

var (
	shared *point
	ch     = make(chan *point, 1)
)

func local() int {
	p := &point{}
	p.x = 1                     // want p.x w: proof
	p.next = &point{}           // want p.next w: proof
	return p.next.x + len("ab") // want p.next r: proof / p.next.x r: proof
}

func fill(s []int) {
	for i := range s {
		s[i] = i // want s[i] w: proof — every caller's slice is local
	}
}

func mixed(s []int) {
	s[0] = 1 // want s[0] w: kept — one caller's slice is not
}

func aliased(c bool) {
	p := &point{}
	q := p
	if c {
		q = shared // want shared r: kept
	}
	p.x = 1 // want p.x w: proof
	q.x = 1 // want q.x w: kept — may be the shared one
}

func sent() {
	p := &point{}
	p.x = 1 // want p.x w: proof — sent later
	ch <- p
}

func returned() *point {
	p := &point{}
	p.x = 1 // want p.x w: proof
	return p
}

func captured() {
	x := 0
	x++ // want x w: proof — the task does not exist yet
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 2 // want x w: kept
	}()
	wg.Wait()
}

func linked() {
	p := &point{}
	q := &point{next: p}
	p.x = 1    // want p.x w: kept — reached through what is shared
	shared = q // want shared w: kept
}

func calls() {
	x := 0
	f := func() { x++ } // want x w: proof — the closure stays here
	f()
	x = 2 // want x w: proof
}

func copied(out []int) []int {
	a, b := make([]int, 4), make([]int, 4)
	copy(a, b)             // want a we: proof / b re: proof
	copy(a, out)           // want a we: proof / out re: kept — the others' slice
	copy(out, a)           // want out we: kept / a re: proof
	return append(a, b...) // want append(a, b...) we: proof / b re: proof
}

func handed(n int) {
	at := n
	if n > 4 {
		at = 4 // want at w: proof — no task knows it yet
	}
	var wg sync.WaitGroup
	wg.Go(func() { shared.x = at }) // want at r: kept — alone, this pass does not know that nobody writes
	wg.Wait()
	at = 5 // want at w: kept — a task may be left
}

func renewed() {
	for i := 0; i < 3; i++ { // want i w: kept,proof — the initial value has no check; the next iteration's
		go func() { shared.x = i }()
	}
	k := 0
	for range 3 {
		k = 1 // want k w: kept — the task of the round before has it
		go func() { shared.x = k }()
	}
}

func kept(p *int, f func()) { hooked = f }

var hooked func()

func leaked() {
	x, y, z := 0, 0, 0
	x = 1 // want x w: proof — its address is given away later
	go kept(&x, func() { x++ })
	y = 1 // want y w: proof — the literal is stored later
	kept(nil, func() { y++ })
	z = 1 // want z w: proof — the task gives the address away later
	go func() { kept(&z, nil) }()
}

func main() {
	big := make([]int, 9)
	for range 2 {
		go func() {
			local()
			s := make([]int, 4)
			fill(s)
			mixed(s)
			mixed(big)
			copied(big)
			handed(len(s))
			renewed()
			leaked()
			go hooked()
			aliased(len(s) > 2)
			sent()
			s[1] = returned().x // want s[1] w: proof — mixed gets it, and a shared one, but this one is local
			captured()
			linked()
			calls()
			shared = <-ch
		}()
	}
	select {}
}

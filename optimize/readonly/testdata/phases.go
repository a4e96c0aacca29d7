// Reads of memory that the main task writes in other phases.
package main

import (
	"sync"
	"time"
)

type body struct {
	pos, force, mass, both, left, late, nested int
}

var sink int

func each(bs []*body, f func(*body)) {
	var wg sync.WaitGroup
	for _, b := range bs {
		wg.Go(func() { f(b) })
	}
	wg.Wait()
}

type world struct{ bodies []*body }

func (w *world) forces(b *body) {
	sum := 0
	for _, c := range w.bodies { // want w.bodies re: proof / w.bodies r: proof
		sum += c.pos // want c.pos r: proof — written by moves, in another phase
	}
	b.force = sum // want b.force w: kept
}

func (b *body) moves() {
	b.pos += b.force // want b.force r: proof / b.pos w: kept
}

func weigh(b *body) { b.mass = b.pos }      // want b.pos r: proof — alone in its phase
func grow(b *body)  { b.mass = b.mass + 1 } // want b.mass r: kept — its own phase writes it

func together(bs []*body) {
	var wg sync.WaitGroup
	wg.Go(func() { bs[0].both = 1 })
	wg.Go(func() { sink += bs[1].both }) // want bs[1].both r: kept — one phase
	wg.Wait()
}

func inside(bs []*body) {
	var wg sync.WaitGroup
	wg.Go(func() {
		bs[0].nested = 1
	})
	reads(bs) // called while a task exists
	wg.Wait()
	reads(bs) // and alone
}

func reads(bs []*body) {
	sink += bs[1].nested // want bs[1].nested r: kept
}

func leaves(bs []*body) {
	go func() { bs[0].left = 1 }()
}

func afterLeft(b *body) { sink += b.left } // want b.left r: kept — the task may still run

type counter struct{ n int }

func timer() {
	c := &counter{}
	time.AfterFunc(time.Hour, func() { c.n = 1 })
	var wg sync.WaitGroup
	wg.Go(func() { sink += c.n }) // want c.n r: kept — the timer fires at any time
	wg.Wait()
}

func readsLate(bs []*body) { sink += bs[0].late } // want bs[0].late r: kept — a panic runs it beside the tasks

func panics(bs []*body) {
	defer readsLate(bs)
	each(bs, func(b *body) { b.late = 1 })
}

func main() {
	var bs []*body
	for range 4 {
		bs = append(bs, &body{})
	}
	w := &world{bs}
	each(w.bodies, w.forces)
	for range 3 {
		each(w.bodies, (*body).moves)
		each(w.bodies, w.forces)
		each(bs, weigh)
		each(bs, grow)
	}
	together(bs)
	inside(bs)
	panics(bs)
	timer()
	leaves(bs)
	each(bs, afterLeft)
}

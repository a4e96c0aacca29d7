// Accesses with one cover on each path, and accesses that some path reaches without a cover.
package main

import "sync/atomic"

type point struct {
	x, y int
	next *point
}

var (
	shared = &point{}
	n      atomic.Int32
)

func both(p *point, c bool) int {
	a := 0
	if c {
		a = p.x // want p.x r: kept
	} else {
		p.x = 1 // want p.x w: kept
	}
	return a + p.x // want p.x r: w-2|r-4
}

func onlyOne(p *point, c bool) int {
	a := 0
	if c {
		a = p.x // want p.x r: kept
	}
	return a + p.x // want p.x r: kept
}

func readAndWrite(p *point, c bool) {
	if c {
		p.y = p.x // want p.x r: kept / p.y w: w+4
	} else {
		p.x = 1 // want p.x w: kept
	}
	p.y++ // want p.y w: kept
	n.Load()
	p.x = 2 // want p.x w: kept — a read covers no write
}

func released(p *point, c bool) int {
	a := 0
	if c {
		a = p.x // want p.x r: kept
	} else {
		p.x = 1 // want p.x w: kept
		n.Store(1)
	}
	return a + p.x // want p.x r: kept
}

func switched(p *point, k int) int {
	switch k {
	case 1:
		p.x = 1 // want p.x w: kept
	case 2:
		p.x = 2 // want p.x w: kept
	case 3:
		return 0
	default:
		p.x = 3 // want p.x w: kept
	}
	p.y = p.x  // want p.x r: w-2|w-6|w-8 / p.y w: kept
	return p.y // want p.y r: w-1
}

func looped(p *point, c bool, k int) (a int) {
	if c {
		a = p.x // want p.x r: kept
	} else {
		p.x = 1 // want p.x w: kept
	}
	for range k {
		a += p.x // want p.x r: w-3|r-5
	}
	return a
}

func loopReleases(p *point, c bool, k int) (a int) {
	if c {
		a = p.x // want p.x r: kept
	} else {
		p.x = 1 // want p.x w: kept
	}
	for range k {
		a += p.x // want p.x r: kept
		n.Store(1)
	}
	return a
}

func moves(p *point, c bool, k int) (a int) {
	for range k {
		a += p.x // want p.x r: kept — the covers of the round before are of another point
		q := p.next
		if c {
			a += p.y // want p.y r: kept
		} else {
			p.y = 1 // want p.y w: kept
		}
		p = q
	}
	return a + p.y // want p.y r: kept
}

func rounds(p *point, c bool, k int) (a int) {
	for i := range k {
		if i == 0 {
			a += p.x // want p.x r: kept
			continue
		}
		a += p.y // want p.y r: kept
	}
	return a + p.x // want p.x r: kept
}

func set(p *point) { p.x = 1 } // want p.x w: kept

func clear(p *point) { p.x = 0 } // want p.x w: kept

func calls(p *point, c bool) int {
	if c {
		set(p)
	} else {
		clear(p)
	}
	return p.x // want p.x r: w-8|w-10
}

func reloaded(p *point, c bool) int {
	a := 0
	if c {
		a = p.next.x // want p.next.x r: kept
	} else {
		a = p.next.x + 1 // want p.next.x r: kept
	}
	return a + p.next.x // want p.next.x r: kept — p.next may have changed
}

func early(p *point, c bool) int {
	if c {
		p.x = 1 // want p.x w: kept
	} else {
		panic("x")
	}
	return p.x // want p.x r: w-4
}

// value hides whom a call runs: the functions here are looked at one by one.
func value[F any](f F) F { return f }

func main() {
	for i := 0; i < 2; i++ {
		go func() {
			p := shared
			c := i > 0
			value(both)(p, c)
			value(onlyOne)(p, c)
			value(readAndWrite)(p, c)
			value(released)(p, c)
			value(switched)(p, i)
			value(looped)(p, c, i)
			value(loopReleases)(p, c, i)
			value(moves)(p, c, i)
			value(rounds)(p, c, i)
			value(calls)(p, c)
			value(reloaded)(p, c)
			value(early)(p, c)
			p.next = p
		}()
	}
	select {}
}

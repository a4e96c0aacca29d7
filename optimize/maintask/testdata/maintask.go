// Accesses that run while no other task exists.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"
)

type point struct{ x, y int }

var (
	p    = &point{}
	last *point
)

func setup(p *point) {
	p.x = 1 // want p.x w: proof — called before any task only
}

func both(p *point) {
	p.y = 1 // want p.y w: kept — called beside tasks, too
}

func stepped(p *point) {
	p.x = 6 // want p.x w: proof — a function value, but nobody else calls it
}

var ops = []struct{ run func(*point) }{{stepped}}

func spawns() { go work(p) }

func work(p *point) {
	p.x++ // want p.x w: kept — another task
}

func main() {
	setup(p)
	ops[0].run(p)
	both(p)
	p.x = 2 // want p.x w: proof
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		p.y = i // want p.y w: kept — the task of the round before may run
		go func() {
			defer wg.Done()
			work(p)
		}()
	}
	both(p)
	p.x = 3 // want p.x w: kept — beside the tasks
	wg.Wait()
	p.x = 4                                                     // want p.x w: proof — after the wait for all of them
	runtime.SetFinalizer(&point{}, func(*point) { last.x = 1 }) // want last.x w: kept
	last = &point{}                                             // want last w: kept — a finalizer reads it at any time
	if p.x > 9 {                                                // want p.x r: proof
		spawns()
	}
	p.x = 5          // want p.x w: kept — the callee may have started one
	fmt.Println(p.x) // want p.x r: kept
	time.Sleep(1)
}

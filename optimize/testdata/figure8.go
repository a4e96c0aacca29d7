package main

import "sync"

type Foo struct{ x, y int }

// main is figure 8 of the paper. The finish is a WaitGroup, and p is written before it by
// main alone.
func main() {
	const size = 100
	a, b, p := make([]int, size), make([]int, size), new(Foo)
	p.x = 0
	var finish sync.WaitGroup
	for i := 0; i < size; i++ {
		ind := i
		finish.Go(func() {
			p.x = a[ind] + b[ind]
			q := new(Foo)
			for j := 0; j < ind; j++ {
				q.x = p.x + 1
				b[j] = q.y + ind
			}
		})
	}
	finish.Wait()
}

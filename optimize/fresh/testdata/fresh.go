package main

import "sync"

type pair struct{ a, b *int }

type list struct {
	next *list
	p    pair
}

var (
	mu    sync.Mutex
	head  *list
	cells []pair
	table map[int]*list
)

func push(x int) {
	l := &list{p: pair{a: &x}} // want &list{p: pair{a: &x}} w: proof — the store to head is checked
	mu.Lock()
	l.next = head // want l.next w: kept — no first value
	head = l      // want head w: kept
	mu.Unlock()
}

func fill(x int) {
	s := []pair{{a: &x}, {b: &x}} // want []pair{{a: &x}, {b: &x}} we: proof
	mu.Lock()
	cells = s
	mu.Unlock()
}

//go:norace
func publish(l *list) { table[0] = l }

func hidden(x int) {
	publish(&list{p: pair{b: &x}}) // want &list{p: pair{b: &x}} w: kept — the store in publish has no check
}

func hide() {
	l := list{} // want l w: kept — the store in publish has no check
	publish(&l)
}

func collect(list ...*int) []*int { return list }

func gathered(x, y *int) {
	mu.Lock()
	cells = append(cells, pair{a: collect(x, y)[0]}) // want collect(x, y) we: proof
	mu.Unlock()
}

func main() {
	table = map[int]*list{}
	var wg sync.WaitGroup // want wg w: proof
	for i := range 4 {    // want i w: proof
		wg.Add(1)
		go func() {
			defer wg.Done()
			push(i)
			fill(i)
			hidden(i)
			hide()
			gathered(&i, &i)
			mu.Lock()
			println(head.p.a, table[0].p.b, cells[0].a) // want head.p.a r: kept
			mu.Unlock()
		}()
	}
	wg.Wait()
}

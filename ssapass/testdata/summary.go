package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

type doer interface{ do() }
type quiet struct{ n int }
type loud struct{ mu sync.Mutex }

// sum:
func (q *quiet) do() { q.n++ }

// sum: acquire release block lock
func (l *loud) do() { l.mu.Lock(); l.mu.Unlock() }

// sum: acquire release block lock
func any(d doer) { d.do() }

// Printing starts no task, whatever it prints.
// sum: acquire release block lock recover
func prints(d interface{}) { fmt.Println(d) }

// sum:
func pure(a, b []int) (s int) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// sum: release spawn
func spawn(p *int) { go func() { *p = 1 }() }

// sum: acquire release block
func recv(c chan int) int { return <-c }

// sum: release
func shut(c chan int) { close(c) }

// sum: acquire
func load(p *int32) int32 { return atomic.LoadInt32(p) }

// sum: release
func store(p *atomic.Int64) { p.Store(1) }

// sum: acquire block lock
func lock(mu *sync.Mutex) { mu.Lock() }

// sum: recover
func safe() { defer func() { recover() }(); pure(nil, nil) }

// sum: goexit noreturn
func quit() { runtime.Goexit() }

// sum: noreturn
func fail() { panic("x") }

// sum: noreturn
func forever() {
	for {
	}
}

// sum:
func even(n int) bool { return n == 0 || odd(n-1) }

// sum:
func odd(n int) bool { return n != 0 && even(n-1) }

// sum: acquire release
func up(wg *sync.WaitGroup) { wg.Add(1) }

func main() {
	prints(1)
	var mu sync.Mutex
	var n int32
	var v atomic.Int64
	var wg sync.WaitGroup
	c := make(chan int)
	any(&quiet{})
	any(&loud{})
	pure(nil, nil)
	spawn(new(int))
	recv(c)
	shut(c)
	load(&n)
	store(&v)
	lock(&mu)
	safe()
	even(3)
	up(&wg)
	if len(os.Args) > 1 {
		quit()
		fail()
		forever()
	}
}

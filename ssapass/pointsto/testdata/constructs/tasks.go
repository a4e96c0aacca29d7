package main

import "sync"

var failure any // alloc failure

type oops struct{ p *int }

func deferred(p **int, v *int) { *p = v }

func named(x *int) (r *int) {
	defer func() { r = x }()
	return nil
}

func recovers(p *int) (r *int) {
	defer func() {
		if e, ok := recover().(*oops); ok {
			r = e.p
		}
	}()
	panic(&oops{p}) // alloc oops maybe
}

func tasks() {
	x := new(int) // alloc tx
	y := new(int) // alloc ty
	var p *int
	func() {
		defer deferred(&p, x)
	}()
	points(p)                // tx
	points(named(y))         // ty
	thrown := new(int)       // alloc thrown maybe
	points(recovers(thrown)) // ...
	var q *int
	var wg sync.WaitGroup
	wg.Add(1)
	go func(v *int) {
		defer wg.Done()
		q = v
	}(y)
	wg.Wait()
	points(q)     // ty
	z := new(int) // alloc tz
	var once sync.Once
	var o *int
	once.Do(func() { o = z })
	points(o)                                               // tz
	pool := sync.Pool{New: func() any { return new(oops) }} // alloc pooled maybe
	pool.Put(&oops{new(int)})                               // alloc put maybe
	points(pool.Get().(*oops))                              // pooled put ...
	var mu sync.Mutex                                       // alloc mu
	mu.Lock()
	mu.Unlock()
	failure = x
	points(failure) // tx
}

// Package main is what the tests of schedules run (docs/design/schedule.md). The argument names
// what to do.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// child runs the program again and waits for it.
func child() {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	p, err := os.StartProcess(exe, []string{exe, "environment"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr}})
	if err != nil {
		panic(err)
	}
	if state, err := p.Wait(); err != nil || !state.Success() {
		panic(fmt.Sprint(state, err))
	}
}

func waitgroup() {
	var wg sync.WaitGroup
	var n atomic.Int32
	for range 100 {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
	if n.Load() != 100 {
		panic(n.Load())
	}
}

func mutex() {
	var mu sync.Mutex
	var rw sync.RWMutex
	m := map[int]int{}
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for range 50 {
				mu.Lock()
				m[i]++
				mu.Unlock()
				rw.RLock()
				rw.RUnlock()
				rw.Lock()
				rw.Unlock()
			}
		})
	}
	wg.Wait()
}

func channels() {
	for _, c := range []int{0, 3} {
		ch := make(chan int, c)
		done := make(chan int)
		for range 5 {
			go func() {
				for i := range 100 {
					ch <- i
				}
				done <- 1
			}()
		}
		go func() {
			for range 5 {
				<-done
			}
			close(ch)
		}()
		n := 0
		for range ch {
			n++
		}
		if n != 500 {
			panic(n)
		}
	}
}

func selects() {
	a, b, quit := make(chan int), make(chan int), make(chan bool)
	go func() {
		for i := range 50 {
			select {
			case a <- i:
			case b <- i:
			}
		}
		close(quit)
	}()
	for {
		select {
		case <-a:
		case <-b:
		case <-quit:
			return
		case <-time.After(10 * time.Second):
			panic("timeout")
		}
	}
}

func cond() {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	n := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			mu.Lock()
			for n == 0 {
				c.Wait()
			}
			n--
			mu.Unlock()
		})
	}
	for range 10 {
		mu.Lock()
		n++
		mu.Unlock()
		c.Signal()
	}
	for {
		mu.Lock()
		if n == 0 {
			mu.Unlock()
			break
		}
		mu.Unlock()
		c.Broadcast()
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
}

func sleep() {
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() { time.Sleep(time.Duration(5-i) * time.Millisecond) })
	}
	wg.Wait()
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { close(done) })
	<-done
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
	defer cancel()
	<-ctx.Done()
}

func once() {
	var o sync.Once
	n := 0
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() { o.Do(func() { n++ }) })
	}
	wg.Wait()
}

func spin() {
	var flag atomic.Bool
	go func() { flag.Store(true) }()
	for !flag.Load() {
		runtime.Gosched()
	}
	var turn atomic.Int32
	go func() {
		for turn.Load() != 1 {
		}
		turn.Store(2)
	}()
	turn.Store(1)
	for turn.Load() != 2 {
	}
	ch := make(chan bool, 1)
	go func() {
		for {
			select {
			case ch <- true:
				return
			default:
			}
		}
	}()
	for {
		select {
		case <-ch:
			return
		default:
		}
	}
}

func pipe() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		for i := range 100 {
			fmt.Fprintln(w, i)
		}
		w.Close()
	}()
	n := 0
	for s := bufio.NewScanner(r); s.Scan(); {
		n++
	}
	if n != 100 {
		panic(n)
	}
	pr, pw := io.Pipe()
	go func() { io.WriteString(pw, "x"); pw.Close() }()
	io.ReadAll(pr)
}

func server() {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") }))
	defer s.Close()
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			resp, err := http.Get(s.URL)
			if err != nil {
				panic(err)
			}
			io.ReadAll(resp.Body)
			resp.Body.Close()
		})
	}
	wg.Wait()
}

func gc() {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var keep [][]byte
			for i := range 2000 {
				keep = append(keep, make([]byte, 10000))
				if i%100 == 0 {
					keep = nil
				}
			}
			_ = keep
		})
	}
	runtime.GC()
	wg.Wait()
	if runtime.GOMAXPROCS(0) < 1 || runtime.GOMAXPROCS(7) < 1 || runtime.GOMAXPROCS(0) != 7 {
		panic("GOMAXPROCS does not answer what was asked for")
	}
	var ms runtime.MemStats
	runtime.ReadMemStats(&ms)
}

func maps() {
	m := map[string]int{}
	for i := range 100 {
		m[fmt.Sprint("key", i)] = i
	}
	for _, v := range m {
		fmt.Print(v, " ")
	}
	fmt.Println(rand.IntN(1000))
}

func threads() {
	runtime.LockOSThread()
	c := make(chan int)
	go func() { runtime.LockOSThread(); c <- 1 }()
	<-c
	runtime.UnlockOSThread()
}

// nest makes goroutines inside of goroutines and checks that they run depth-first: each
// one when it is made, its maker behind it.
func nest(n int) {
	log := make([]int, 2*n)
	var events atomic.Int32 // orders what is written
	var wg sync.WaitGroup
	var down func(i int)
	down = func(i int) {
		log[events.Add(1)-1] = i
		if i < n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				down(i + 1)
			}()
		}
		log[events.Add(1)-1] = -i
	}
	down(1)
	wg.Wait()
	for i, v := range log {
		want := i + 1
		if i >= n {
			want = i - 2*n
		}
		if v != want {
			panic(fmt.Sprint("event ", i, " is ", v, ", want ", want))
		}
	}
	fmt.Println(len(log), "events, depth-first")
}

// order prints in an order that depends on the schedule, with n goroutines.
func order(n int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	ch := make(chan string, 2)
	var turn atomic.Int32
	for i := range n {
		wg.Go(func() {
			for k := range 3 {
				mu.Lock()
				fmt.Print("a", i, k, " ")
				mu.Unlock()
				if turn.Add(1)%2 == 0 {
					ch <- fmt.Sprint("b", i, k)
				} else {
					go func() { ch <- fmt.Sprint("c", i, k) }()
				}
			}
		})
	}
	for range 3 * n {
		select {
		case s := <-ch:
			fmt.Print(s, " ")
		case <-time.After(time.Minute):
		}
	}
	wg.Wait()
	fmt.Println()
}

func number() int {
	n, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	return n
}

func main() {
	switch os.Args[1] {
	case "nest":
		nest(number())
		return
	case "order":
		order(number())
		return
	case "child":
		child()
		return
	case "environment":
		fmt.Printf("%q\n", os.Getenv("TASKINSTR"))
		return
	}
	for _, t := range []struct {
		name string
		f    func()
	}{
		{"waitgroup", waitgroup}, {"mutex", mutex}, {"channels", channels}, {"selects", selects},
		{"cond", cond}, {"sleep", sleep}, {"once", once}, {"spin", spin}, {"pipe", pipe},
		{"gc", gc}, {"maps", maps}, {"threads", threads}, {"server", server},
	} {
		if os.Args[1] == t.name || os.Args[1] == "all" {
			t.f()
			fmt.Println(t.name)
		}
	}
}

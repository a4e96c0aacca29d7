// Command recorded holds a race for each kind of access that the Go compiler makes up
// and that no expression of the source stands for: both detectors report each.
//
//	recorded NAME...    runs cases: methods of racy
//
// The object, or what leads to it, is
// handed over by functions that no detector instruments, so that there is one race only.
package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

type racy struct{}

func main() {
	for _, name := range os.Args[1:] {
		m := reflect.ValueOf(racy{}).MethodByName(strings.TrimPrefix(name, "racy/"))
		if !m.IsValid() {
			fmt.Fprintf(os.Stderr, "recorded: no case %q\n", name)
			os.Exit(2)
		}
		m.Call(nil)
		fmt.Fprintf(os.Stderr, "case %s ended\n", name)
	}
}

// parallel runs f and g as sibling tasks and waits for both.
func parallel(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

// A slot hands a pointer over without ordering the tasks.
type slot[T any] struct{ p *T }

//go:norace
//go:noinline
func (s *slot[T]) put(p *T) { s.p = p }

//go:norace
//go:noinline
func (s *slot[T]) get() *T { return s.p }

func (s *slot[T]) await() *T {
	for s.get() == nil {
		runtime.Gosched()
	}
	return s.get()
}

// publish has one task make an object and another use it.
func publish[T any](produce func() *T, use func(*T)) {
	var s slot[T]
	parallel(
		func() { s.put(produce()) },
		func() { use(s.await()) },
	)
}

var sunk any

// sink keeps x from being optimized away.
//
//go:norace
//go:noinline
func sink(x any) { sunk = x }

type pair struct{ a, b int }

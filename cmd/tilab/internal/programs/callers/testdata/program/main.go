package main

import (
	"iter"
	"os"
	"reflect"
	"strconv"

	"example.com/calls/trace"
)

func main() {
	// What package reflect remembers of function types is shared by all tasks: it must be
	// there before they start.
	reflect.ValueOf(func() {}).Call(nil)
	reflect.ValueOf(func(*trace.Task) {}).Call([]reflect.Value{reflect.ValueOf((*trace.Task)(nil))})
	makeFunc(func() {})()
	for _, a := range os.Args[1:] {
		n, err := strconv.Atoi(a)
		if err != nil {
			panic(err)
		}
		cases[n]()
	}
}

// noise has elements that one task each accesses.
var noise [trace.Elements]int

type runner interface{ Run(t *trace.Task) }

type number interface{ Val(int) int }

// pick hides a value from the compiler.
//
//go:noinline
func pick[T any](v T) T { return v }

func call(f func()) { f() }

func run(r runner, t *trace.Task) { r.Run(t) }

func runAny[T runner](r T, t *trace.Task) { r.Run(t) }

func put(p *int, t *trace.Task, v int) { *p = t.W(v) }

//go:noinline
func putFar(p *int, t *trace.Task, v int) {
	*p = t.W(v)
}

func putAny[T any](p *T, t *trace.Task, v int, x T) { *p = trace.V(t, v, x) }

func get(p *int, t *trace.Task, v int) { t.R(v, *p) }

func getAny[T any](p *T, t *trace.Task, v int) T {
	return trace.V(t, v, *p)
}

type box struct{ p *int }

func (b box) set(t *trace.Task, v int)  { *b.p = t.W(v) }
func (b *box) get(t *trace.Task, v int) { t.R(v, *b.p) }

type inner struct{ c, d int }

type rec struct {
	a, b int
	s    string
	in   inner
}

func same(r rec) rec { return r }

type val struct{ a, b int }

func (v val) Val(int) int { return v.a }

func seq(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

//go:noinline
func grow(t *trace.Task, n int) int {
	var pad [600]byte
	noise[t.Fresh()]++
	if n == 0 {
		return 0
	}
	pad[n&511] = byte(n)
	return grow(t, n-1) + int(pad[n&511])
}

func makeFunc(f func()) func() {
	typ := reflect.TypeOf(f)
	return reflect.MakeFunc(typ, func([]reflect.Value) []reflect.Value {
		f()
		return nil
	}).Interface().(func())
}

// The ways to fail.

//go:noinline
func fails(kind int) {
	var p *rec
	var list []int
	var m map[int]int
	var f func()
	var a any = "text"
	zero := pick(0)
	switch kind {
	case 0:
		panic("fails")
	case 1:
		p.b = 1
	case 2:
		println(pick(p).in.d)
	case 3:
		list[zero] = 1
	case 4:
		println(1 / zero)
	case 5:
		println(a.(int))
	case 6:
		m[1] = 1
	case 7:
		pick(f)()
	case 8:
		println(list[zero+1:][0])
	case 9:
		pick[runner](nil).Run(nil)
	}
}

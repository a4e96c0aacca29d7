package main

import (
	"fmt"
	"reflect"
	"sync"
)

// Accesses of the compiler's own code: the wrappers through which methods are called
// by interfaces, as values and by reflection read embedded fields and copy receivers.

type core interface{ Enabled(level int) bool }

type plainCore struct{ level int }

func (c *plainCore) Enabled(level int) bool { return level > 3 }

// lazyCore has its method from an embedded interface.
type lazyCore struct {
	core
	name string
}

// wrapCore has it from an embedded pointer.
type wrapCore struct {
	name string
	*plainCore
}

// deepCore has it from an interface behind a pointer in a struct.
type deepCore struct {
	n int
	middle
}

type middle struct{ *lazyCore }

type summer interface{ Sum(more ...int) int }

// triple has a method with a value receiver.
type triple struct{ a, b, c int }

func (t triple) Sum(more ...int) int { return len(more) }

func (t triple) String() string { return "triple" }

// pairOf has methods of both kinds and type arguments.
type pairOf[T any] struct {
	v T
	*boxOf[T]
}

type boxOf[T any] struct{ w T }

func (b *boxOf[T]) Empty() bool { return b == nil }

func (p pairOf[T]) Sum(more ...int) int { return len(more) }

// overCore declares the method that its embedded field has as well.
type overCore struct {
	core
	n int
}

func (o overCore) Enabled(level int) bool { return level > 1 }

// nine is longer than the accesses that a filter holds back.
type nine [9]int

func (n nine) Sum(more ...int) int { return len(more) }

// A short access of the same step does not cover the copy, whatever the generation.
func (racy) WrapperLong() {
	var x, y nine
	var warm [64]int
	turn := make(chan int, 1)
	parallel(
		func() {
			for i := range warm { // a task gets its filter after some accesses
				turn <- 0
				sink(warm[i])
				<-turn
			}
			sink(x[0])
			sink(summer(&x).Sum()) // want races: summer(&x).Sum
			turn <- 0
			sink(y[0])
			sink(summer(&y).Sum()) // want races: summer(&y).Sum
		},
		func() {
			sink(warm[0])
			x[5] = 1 // want races: x[5]
			y[5] = 1 // want races: y[5]
		})
}

func (fixed) WrapperLong() {
	var x nine
	first(
		func() { sink(x[0]); sink(summer(&x).Sum()) },
		func() { sink(x[5]) })
}

func (racy) WrapperInterface() {
	l := &lazyCore{core: &plainCore{}}
	var c core = l
	parallel(
		func() { sink(c.Enabled(1)) },            // want race: c.Enabled
		func() { l.core = &plainCore{level: 1} }) // want race: l.core
}

func (fixed) WrapperInterface() {
	l := &lazyCore{core: &plainCore{}}
	var c core = l
	first(
		func() { sink(c.Enabled(1)) },
		func() { l.name = "lazy" })
}

func (racy) WrapperPointer() {
	w := &wrapCore{plainCore: &plainCore{}}
	var c core = w
	parallel(
		func() { sink(c.Enabled(1)) },         // want race: c.Enabled
		func() { w.plainCore = &plainCore{} }) // want race: w.plainCore
}

func (fixed) WrapperPointer() {
	w := &wrapCore{plainCore: &plainCore{}}
	var c core = w
	parallel(
		func() { sink(c.Enabled(1)) },
		func() { w.name = "wrap" },
		func() { w.level = 1 })
}

func (racy) WrapperValue() {
	v := &triple{}
	var s summer = v
	parallel(
		func() { sink(s.Sum()) }, // want race: s.Sum
		func() { v.b = 1 })       // want race: v.b
}

func (fixed) WrapperValue() {
	v := &triple{}
	var s summer = *v // a copy
	parallel(
		func() { sink(s.Sum()) },
		func() { v.b = 1 })
}

func (racy) WrapperDeep() {
	d := &deepCore{middle: middle{&lazyCore{core: &plainCore{}}}}
	var c core = d
	parallel(
		func() { sink(c.Enabled(1)) },    // want race: c.Enabled
		func() { d.core = &plainCore{} }) // want race: d.core
}

func (fixed) WrapperDeep() {
	d := &deepCore{middle: middle{&lazyCore{core: &plainCore{}}}}
	var c core = d
	parallel(
		func() { sink(c.Enabled(1)) },
		func() { d.n++ },
		func() { d.name = "deep" })
}

// WrapperChain calls a wrapper through a wrapper.
func (racy) WrapperChain() {
	w := &wrapCore{plainCore: &plainCore{}}
	var c core = &lazyCore{core: w}
	parallel(
		func() { sink(c.Enabled(1)) },         // want race: c.Enabled
		func() { w.plainCore = &plainCore{} }) // want race: w.plainCore
}

// WrapperOver declares the method itself, so its wrapper copies the receiver and does
// not read the embedded field alone.
func (racy) WrapperOver() {
	o := &overCore{}
	var c core = o
	parallel(
		func() { sink(c.Enabled(1)) }, // want race: c.Enabled
		func() { o.n = 1 })            // want race: o.n
}

func (racy) WrapperUnnamed() {
	u := &struct {
		n int
		*plainCore
	}{plainCore: &plainCore{}}
	var c core = u
	parallel(
		func() { sink(c.Enabled(1)) },         // want race: c.Enabled
		func() { u.plainCore = &plainCore{} }) // want race: u.plainCore
}

func (racy) WrapperGeneric() {
	p := &pairOf[string]{boxOf: &boxOf[string]{}}
	var e interface{ Empty() bool } = p
	parallel(
		func() { sink(e.Empty()) },            // want race: e.Empty
		func() { p.boxOf = &boxOf[string]{} }) // want race: p.boxOf
}

func (racy) WrapperGenericValue() {
	p := &pairOf[string]{}
	var s summer = p
	parallel(
		func() { sink(s.Sum()) }, // want race: s.Sum
		func() { p.v = "v" })     // want race: p.v
}

func (racy) MethodExpression() {
	l := &lazyCore{core: &plainCore{}}
	enabled := (*lazyCore).Enabled
	parallel(
		func() { sink(enabled(l, 1)) },   // want race: -
		func() { l.core = &plainCore{} }) // want race: l.core
}

func (fixed) MethodExpression() {
	l := &lazyCore{core: &plainCore{}}
	enabled := (*lazyCore).Enabled
	parallel(
		func() { sink(enabled(l, 1)) },
		func() { l.name = "lazy" })
}

func (racy) MethodExpressionCalled() {
	v := &triple{}
	parallel(
		func() { sink((*triple).Sum(v, 1, 2)) }, // want race: (*triple).Sum
		func() { v.c = 1 })                      // want race: v.c
}

func (racy) MethodExpressionOfInterface() {
	v := &triple{}
	sum := summer.Sum
	parallel(
		func() { sink(sum(v, 1)) }, // want race: -
		func() { v.c = 1 })         // want race: v.c
}

func (racy) MethodOfInterface() {
	v := &triple{}
	var s summer = v
	sum := s.Sum
	parallel(
		func() { sink(sum(1)) }, // want race: -
		func() { v.c = 1 })      // want race: v.c
}

func (fixed) MethodOfInterface() {
	v := &triple{}
	sum := v.Sum // copies v here
	parallel(
		func() { sink(sum(1)) },
		func() { v.c = 1 })
}

type runner interface{ Run() }

func (t triple) Run() { sink(t.a) }

// MethodOfInterfaceElsewhere is called by code without checks.
func (racy) MethodOfInterfaceElsewhere() {
	v := &triple{}
	var r runner = v
	run := r.Run
	var once sync.Once
	parallel(
		func() { once.Do(run) }, // want race nostock: -
		func() { v.c = 1 })      // want race: v.c
}

func (racy) MethodDeferred() {
	v := &triple{}
	var s summer = v
	parallel(
		func() { defer s.Sum(1) }, // want race: s.Sum
		func() { v.c = 1 })        // want race: v.c
}

// MethodDeferred calls the method when the function ends, and not before.
func (fixed) MethodDeferred() {
	v := &triple{}
	var s summer = v
	done := make(chan bool)
	parallel(
		func() {
			defer s.Sum(1)
			<-done
		},
		func() {
			v.c = 1
			close(done)
		})
}

func (racy) MethodStarted() {
	v := &triple{}
	var r runner = v
	go r.Run() // want race nostock: r.Run
	v.c = 1    // want race: v.c
}

func (fixed) MethodStarted() {
	v := &triple{}
	var r runner = v
	v.c = 1
	go r.Run()
}

func sumOf[T summer](t T) int {
	return t.Sum(1) // want(racy/TypeParameter) race: t.Sum
}

func (racy) TypeParameter() {
	v := &triple{}
	parallel(
		func() { sink(sumOf(v)) },
		func() { v.c = 1 }) // want race: v.c
}

func (fixed) TypeParameter() {
	v := &triple{}
	w := *v
	parallel(
		func() { sink(sumOf(w)) },
		func() { v.c = 1 })
}

func (racy) Reflected() {
	v := &triple{}
	parallel(
		func() { reflect.ValueOf(v).MethodByName("Run").Call(nil) }, // want race: -
		func() { v.c = 1 }) // want race: v.c
}

func (racy) ReflectedExpression() {
	v := &triple{}
	run, _ := reflect.TypeOf(v).MethodByName("Run")
	parallel(
		func() { run.Func.Call([]reflect.Value{reflect.ValueOf(v)}) }, // want race: -
		func() { v.c = 1 }) // want race: v.c
}

func (racy) Formatted() {
	v := &triple{}
	parallel(
		func() { sink(fmt.Sprint(v)) }, // want race: -
		func() { v.c = 1 })             // want race: v.c
}

func (fixed) Formatted() {
	v := &triple{}
	w := *v
	parallel(
		func() { sink(fmt.Sprint(w)) },
		func() { v.c = 1 })
}

func (fixed) WrapperChain() {
	w := &wrapCore{plainCore: &plainCore{}}
	var c core = &lazyCore{core: w}
	oneByOne(
		func() { sink(c.Enabled(1)) },
		func() { w.plainCore = &plainCore{} })
}

func (fixed) WrapperOver() {
	o := &overCore{}
	var c core = o
	oneByOne(
		func() { sink(c.Enabled(1)) },
		func() { o.n = 1 })
}

func (fixed) WrapperUnnamed() {
	u := &struct {
		n int
		*plainCore
	}{plainCore: &plainCore{}}
	var c core = u
	oneByOne(
		func() { sink(c.Enabled(1)) },
		func() { u.plainCore = &plainCore{} })
}

func (fixed) WrapperGeneric() {
	p := &pairOf[string]{boxOf: &boxOf[string]{}}
	var e interface{ Empty() bool } = p
	oneByOne(
		func() { sink(e.Empty()) },
		func() { p.boxOf = &boxOf[string]{} })
}

func (fixed) WrapperGenericValue() {
	p := &pairOf[string]{}
	var s summer = p
	oneByOne(
		func() { sink(s.Sum()) },
		func() { p.v = "v" })
}

func (fixed) MethodExpressionCalled() {
	v := &triple{}
	oneByOne(
		func() { sink((*triple).Sum(v, 1, 2)) },
		func() { v.c = 1 })
}

func (fixed) MethodExpressionOfInterface() {
	v := &triple{}
	sum := summer.Sum
	oneByOne(
		func() { sink(sum(v, 1)) },
		func() { v.c = 1 })
}

func (fixed) MethodOfInterfaceElsewhere() {
	v := &triple{}
	var r runner = v
	run := r.Run
	var once sync.Once
	oneByOne(
		func() { once.Do(run) },
		func() { v.c = 1 })
}

func (fixed) Reflected() {
	v := &triple{}
	oneByOne(
		func() { reflect.ValueOf(v).MethodByName("Run").Call(nil) },
		func() { v.c = 1 })
}

func (fixed) ReflectedExpression() {
	v := &triple{}
	run, _ := reflect.TypeOf(v).MethodByName("Run")
	oneByOne(
		func() { run.Func.Call([]reflect.Value{reflect.ValueOf(v)}) },
		func() { v.c = 1 })
}

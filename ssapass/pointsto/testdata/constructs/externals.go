package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"sort"
	"sync/atomic"
	"time"
	"unsafe"
)

// outside has no body: it may keep, change and return what holds pointers.
func outside(p *list) *list

// numbers has no body: of memory without pointers it keeps nothing.
func numbers(p *[4]int) int

type shown struct{ p *int }

type stringer struct {
	name string
	p    *int
}

func (s *stringer) String() string { return "s" }

type twinOfStringer struct {
	name string
	p    *int
}

type ranked []*int

func (r ranked) Len() int           { return len(r) }
func (r ranked) Less(i, j int) bool { return *r[i] < *r[j] }
func (r ranked) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }

var ticked *int // alloc ticked

func externals() {
	l := &list{val: new(int)} // alloc given escapes
	got := outside(l)
	points(got)         // unknown
	points(l.val)       // given unknown
	quad := new([4]int) // alloc quad
	numbers(quad)

	// Conversions by package unsafe.
	x := new(int) // alloc ux
	u := unsafe.Pointer(x)
	points(u)         // ux
	points((*int)(u)) // ux
	y := new(int)     // alloc uy escapes
	n := uintptr(unsafe.Pointer(y))
	points((*int)(unsafe.Pointer(n)))                 // unknown
	w := new(pair)                                    // alloc layout escapes
	points((*struct{ c, d *int })(unsafe.Pointer(w))) // unknown
	arr := new([2]int)                                // alloc elements
	points(unsafe.Slice(&arr[0], 2))                  // elements

	// Reflection.
	r := &shown{new(int)} // alloc reflected escapes
	v := reflect.ValueOf(r)
	points(v.Interface().(*shown))      // unknown
	f := reflect.ValueOf(func(p *int) { // alloc callback escapes
		points(p) // unknown
	})
	_ = f

	// Printing reads data, but calls methods.
	data := &shown{x} // alloc data
	fmt.Println(data)
	twin := &twinOfStringer{p: new(int)} // alloc twin escapes
	fmt.Println(twin)                    // has the contents of a stringer
	loud := &stringer{p: new(int)}       // alloc loud escapes
	fmt.Println(loud)
	z := new(int) // alloc scanned escapes
	fmt.Sscan("1", z)

	// Code of the standard library that has a body is analysed.
	one, two := new(int), new(int) // alloc ranked
	rk := ranked{one, two}         // alloc rk
	sort.Sort(rk)
	points(rk[0]) // ranked

	// Atomic operations and the runtime.
	var ap atomic.Pointer[int]
	ap.Store(x)
	points(ap.Load())  // swapped ux
	a := new(int)      // alloc swapped
	points(ap.Swap(a)) // swapped ux
	var av atomic.Value
	av.Store(&pair{x, nil})     // alloc stored
	points(av.Load().(*pair))   // stored
	points(av.Load().(*pair).a) // ux
	t := new(int)               // alloc timed
	time.AfterFunc(1, func() {  // alloc timer escapes
		ticked = t
	})
	points(ticked)                                        // timed
	fin := new(int)                                       // alloc finalized escapes
	runtime.SetFinalizer(fin, func(p *int) { points(p) }) // unknown
	points(os.Args)                                       // unknown
}

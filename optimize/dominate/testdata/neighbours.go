// Fields and elements that are checked together, and neighbours that must not be.
package main

import "sync"

type record struct {
	a, b, c, d int
	small      uint16
	half       uint16
	word       uint32
	next       *record
	table      [8]uint32
}

type pair struct{ a, b int }

type list struct {
	items []int
	n, m  int
}

var (
	shared = &record{}
	bytes  = make([]byte, 64)
	pairs  = make([]pair, 8)
	lists  = &list{}
	mu     sync.Mutex
)

func plain(a, b int) int { return a + b }

// Fields in any order.

func anyOrder(r *record) int {
	return r.c + r.a + r.d + r.b // want r.c r: kept / r.a r: r+0 / r.d r: r+0 / r.b r: r+0
}

func writes(r *record) {
	r.b = 1             // want r.b w: kept
	r.a = 2             // want r.a w: w-1
	r.c = plain(r.d, 4) // want r.c w: w-2 / r.d r: kept — a read is not checked with writes
	r.word = 1          // want r.word w: kept — not next to the others
	r.half = 2          // want r.half w: w-1
	r.small = uint16(1) // want r.small w: w-2
}

func holes(r *record) int {
	return r.a + r.c // want r.a r: kept / r.c r: kept — r.b is not read
}

func filled(r *record) int {
	x := r.a + r.c // want r.a r: kept / r.c r: r+0
	return x + r.b // want r.b r: r-1 — fills the hole
}

func covering(r *record) int {
	x := r.b // want r.b r: kept
	y := r.a // want r.a r: r-1
	z := r.a // want r.a r: r-2 — the check that covered it is now that of r.b
	return x + y + z
}

func branches(r *record, c bool) int {
	x := r.a // want r.a r: kept
	if c {
		x++
	} else {
		x = x * 2
	}
	return x + r.b // want r.b r: r-6 — on all paths
}

func oneBranch(r *record, c bool) int {
	x := 0
	if c {
		x = r.a // want r.a r: kept
	}
	return x + r.b // want r.b r: kept — without r.a
}

func inLoop(r *record, n int) int {
	x := r.a // want r.a r: kept
	for range n {
		x += r.b // want r.b r: kept — n may be zero
	}
	return x + r.c // want r.c r: kept — behind a loop
}

func locked(r *record) {
	r.a = 1 // want r.a w: kept
	mu.Lock()
	r.b = 2 // want r.b w: kept
	r.c = 3 // want r.c w: w-1
	mu.Unlock()
}

func mayPanic(r *record, s []int, i int) {
	r.a = 1    // want r.a w: kept
	r.b = s[i] // want r.b w: kept / s[i] r: kept
}

func knownToExist(r *record) {
	x := r.next.a // want r.next r: kept / r.next.a r: kept
	n := r.next   // want r.next r: r-1
	r.a = n.b     // want r.a w: kept / n.b r: kept — n may be nil
	r.b = n.c + x // want r.b w: w-1 / n.c r: r-1
}

func asserted(r *record, v any) {
	r.a = 1 // want r.a w: kept
	n, ok := v.(int)
	r.b = n       // want r.b w: w-2
	r.c = v.(int) // want r.c w: kept — it may be no int
	if ok {
		r.d = 1 // want r.d w: kept
	}
}

func comparisons(r *record, s []int, f func(), p, q pair, err error) int {
	x := r.a // want r.a r: kept
	if s == nil || f != nil || p == q || err != nil {
		x++
	}
	return x + r.b // want r.b r: r-4 — none of the comparisons panics
}

func interfaces(r *record, v, w any) int {
	x := r.a // want r.a r: kept
	if v == w {
		x++
	}
	return x + r.b // want r.b r: kept — v and w may hold slices
}

// Elements.

func hinted(b []byte) uint32 {
	_ = b[3]                                // want b[3] r: kept
	return uint32(b[0]) | uint32(b[1])<<8 | // want b[0] r: r-1 / b[1] r: r-1
		uint32(b[2])<<16 | uint32(b[3])<<24 // want b[2] r: r-2 / b[3] r: r-2
}

func put(b []byte, v uint32) {
	_ = b[3]       // want b[3] r: w+1 — written next
	b[0] = byte(v) // want b[0] w: kept
	b[1] = byte(v) // want b[1] w: w-1
	b[2] = byte(v) // want b[2] w: w-2
	b[3] = byte(v) // want b[3] w: w-3
}

func unhinted(b []byte) uint32 {
	return uint32(b[0]) | uint32(b[1])<<8 // want b[0] r: kept / b[1] r: kept — b may have one element
}

func downwards(b []byte) uint32 {
	return uint32(b[1]) | uint32(b[0])<<8 // want b[1] r: kept / b[0] r: r+0
}

func window(b []byte, j int) {
	d := b[j : j+4 : j+4]
	d[0] = 1 // want d[0] w: kept
	d[1] = 1 // want d[1] w: w-1
	d[2] = 1 // want d[2] w: w-2
	d[3] = 1 // want d[3] w: w-3
}

func short(b []byte, j int) {
	d := b[j : j+2]
	d[0] = 1 // want d[0] w: kept
	d[1] = 1 // want d[1] w: w-1
	d[2] = 1 // want d[2] w: kept — beyond what the slice is known to have
}

func compared(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	return int(b[0]) + int(b[1]) + int(b[2]) + int(b[3]) // want b[0] r: kept / b[1] r: r+0 / b[2] r: r+0 / b[3] r: kept
}

func comparedOther(b, c []byte) int {
	if len(b) < 3 {
		return 0
	}
	return int(c[0]) + int(c[1]) // want c[0] r: kept / c[1] r: kept
}

func walk(b []byte) (x int) {
	for len(b) >= 4 {
		x += int(b[0]) + int(b[1]) + int(b[2]) + int(b[3]) // want b[0] r: kept / b[1] r: r+0 / b[2] r: r+0 / b[3] r: r+0
		b = b[4:]
	}
	return x
}

func between(b []byte, i int) int {
	x := int(b[i])                           // want b[i] r: kept
	y := int(b[i+3])                         // want b[i+3] r: kept — nothing is known of i+3
	return x + y + int(b[i+1]) + int(b[i+2]) // want b[i+1] r: r-1 / b[i+2] r: r-1
}

func bounded(b []byte, i int) int {
	if i+1 < len(b) {
		return int(b[i]) + int(b[i+1]) // want b[i] r: kept / b[i+1] r: r+0
	}
	return 0
}

func negative(b []byte, i int) int {
	if i+1 < len(b) {
		return int(b[i+1]) + int(b[i]) // want b[i+1] r: kept / b[i] r: kept — i may be -1
	}
	return 0
}

func narrow(b []byte, i uint8) int {
	if int(i)+1 < len(b) {
		return int(b[i]) + int(b[i+1]) // want b[i] r: kept / b[i+1] r: kept — i+1 may be 0
	}
	return 0
}

func otherIndex(b []byte, i, j int) int {
	_ = b[7]                     // want b[7] r: kept
	return int(b[i]) + int(b[j]) // want b[i] r: kept / b[j] r: kept
}

func fieldsOfElement(s []pair, i int) int {
	return s[i].a + s[i].b // want s[i].a r: kept / s[i].b r: r+0
}

func elementsOfArray(r *record, i int) uint32 {
	return r.table[i] + r.table[2] + r.table[3] // want r.table[i] r: kept / r.table[2] r: kept / r.table[3] r: r+0
}

func tooLong(r *record) {
	r.table = [8]uint32{} // want r.table w: kept
	r.a = 1               // want r.a w: kept
	r.b = 1               // want r.b w: w-1
}

func appended(r *record, s []int) []int {
	r.a = 1 // want r.a w: kept
	s = append(s, 1)
	r.b = len(s) // want r.b w: w-2
	return s
}

func lastOf(r *list) int {
	n := len(r.items) - 1 // want r.items r: kept
	return r.items[n]     // want r.items r: r-1 / r.items[n] r: kept
}

func firstOf(r *list) int {
	if len(r.items) == 0 { // want r.items r: kept
		return 0
	}
	return r.items[0] // want r.items r: kept — not on all paths / r.items[0] r: kept
}

func capacity(r *list) int {
	return cap(r.items) + r.n // want r.items r: kept / r.n r: r+0 — the last word of the slice, and the next field
}

func short2(r *list) bool {
	return r.n < 3 && r.m > 4 || sends(nil) > 0 // want r.n r: kept / r.m r: kept — not on all paths
}

func leftSide(r *record, s []int) {
	r.next.a = s[9] + int(r.table[0]) // want r.next r: kept / r.table[0] r: kept — s[9] may panic before r.next is read
}

func ahead(r *list) bool {
	return r.n+r.m < 3 && sends(nil) > 0 // want r.n r: kept / r.m r: r+0 — the call comes behind both for certain
}

func sends(ch chan int) int { ch <- 1; return 1 }

func lateElement(b []byte, s []int, ch chan int) int {
	return s[3] + sends(ch) + int(b[1]) + int(b[0]) // want s[3] r: kept / b[1] r: kept / b[0] r: kept
}

func argument(b []byte, s []int) int {
	return s[9] + plain(int(b[1]), int(b[0])) // want s[9] r: kept / b[1] r: kept / b[0] r: kept — s[9] may panic behind them
}

// value hides whom a call runs: the functions here are looked at one by one.
func value[F any](f F) F { return f }

func main() {
	ch := make(chan int, 100)
	for i := 0; i < 2; i++ {
		go func() {
			r, b, s := shared, bytes, make([]int, 10)
			r.next = r
			value(anyOrder)(r)
			value(writes)(r)
			value(holes)(r)
			value(filled)(r)
			value(covering)(r)
			value(branches)(r, i > 0)
			value(oneBranch)(r, i > 0)
			value(inLoop)(r, i)
			value(locked)(r)
			value(mayPanic)(r, s, i)
			value(knownToExist)(r)
			value(asserted)(r, any(i))
			value(comparisons)(r, s, func() {}, pair{}, pair{i, i}, nil)
			value(interfaces)(r, any(i), any(s))
			value(hinted)(b)
			value(put)(b, 1)
			value(unhinted)(b)
			value(downwards)(b)
			value(window)(b, i)
			value(short)(b, i)
			value(compared)(b)
			value(comparedOther)(b, b)
			value(walk)(b)
			value(between)(b, i)
			value(bounded)(b, i)
			value(negative)(b, i)
			value(narrow)(b, uint8(i))
			value(otherIndex)(b, i, i+1)
			value(fieldsOfElement)(pairs, i)
			value(elementsOfArray)(r, i)
			value(tooLong)(r)
			value(appended)(r, s)
			value(lateElement)(b, s, ch)
			value(argument)(b, s)
			value(lastOf)(lists)
			value(firstOf)(lists)
			value(capacity)(lists)
			value(short2)(lists)
			value(ahead)(lists)
			value(leftSide)(r, s)
		}()
	}
	select {}
}

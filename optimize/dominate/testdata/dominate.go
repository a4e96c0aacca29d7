// Accesses that another check covers, and accesses that only seem covered.
package main

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type point struct {
	x, y int
	next *point
	row  []int
	arr  [4]int
}

var (
	p  = &point{next: &point{}, row: make([]int, 8)}
	q  = p
	g  int
	mu sync.Mutex
	ch = make(chan int, 1)
	n  atomic.Int32
)

func pure(a, b int) int { return a*b + 1 }

func reads(p *point) int { return p.x }

func panics(p *point) {
	if p.x > 0 {
		panic("x")
	}
}

func spawns() { go func() {}() }

func locks() { mu.Lock(); mu.Unlock() }

func takes() { <-ch }

// Before.

func straight(p *point) int {
	a := p.x           // want p.x r: kept
	b := p.x           // want p.x r: r-1
	p.y = 1            // want p.y w: kept
	p.y = 2            // want p.y w: w-1
	return a + b + p.y // want p.y r: w-2 — a write covers a read, the first of them all
}

func readThenWrite(p *point) {
	_ = g
	if p.x > 0 { // want p.x r: kept
		p.x = 1 // want p.x w: kept — a read covers no write
	}
}

func calls(p *point) int {
	a := p.x // want p.x r: kept
	b := pure(a, a)
	b += reads(p)
	return b + p.x // want p.x r: r-3 — reads and pure order nothing
}

func releaseBetween(p *point) int {
	a := p.x // want p.x r: kept
	ch <- 1
	return a + p.x // want p.x r: kept — whoever receives may write
}

func spawnBetween(p *point) int {
	a := p.x                // want p.x r: kept
	go func() { p.x = 1 }() // want p.x w: kept
	return a + p.x          // want p.x r: kept — the rule of the paper would lose this race
}

func calleeSpawns(p *point) int {
	a := p.x // want p.x r: kept
	spawns()
	return a + p.x // want p.x r: kept
}

func atomicBetween(p *point) int {
	a := p.x // want p.x r: kept
	n.Store(1)
	return a + p.x // want p.x r: kept — an atomic store is a release
}

func acquireBetween(p *point) int {
	a := p.x // want p.x r: kept
	b := n.Load()
	return a + int(b) + p.x // want p.x r: r-2 — what precedes the first precedes the second
}

func lockBetween(p *point) int {
	a := p.x // want p.x r: kept
	mu.Lock()
	b := p.x // want p.x r: kept — under another lock, which orders it for the weak tier
	mu.Unlock()
	return a + b + p.x // want p.x r: kept
}

func underLock(p *point) int {
	mu.Lock()
	defer mu.Unlock()
	a := p.x       // want p.x r: kept
	return a + p.x // want p.x r: r-1
}

func lockInCallee(p *point) int {
	a := p.x // want p.x r: kept
	locks()
	return a + p.x // want p.x r: kept
}

func conditional(p *point, c bool) int {
	a := 0
	if c {
		a = p.x // want p.x r: kept
	}
	return a + p.x // want p.x r: kept — the first may not happen
}

func bothBranches(p *point, c bool) int {
	a := 0
	if c {
		a = p.x // want p.x r: kept
	} else {
		a = p.x + 1 // want p.x r: kept
	}
	return a + p.x // want p.x r: r-2|r-4
}

func earlyExit(p *point, c bool) int {
	a := p.x // want p.x r: kept
	if c {
		return a
	}
	return a + p.x // want p.x r: r-4 — it happens less often than its cover
}

func reassigned(p *point) int {
	a := p.x // want p.x r: kept
	p = p.next
	return a + p.x // want p.x r: kept — another object
}

func aliased(p *point) int {
	r := p
	a := p.x       // want p.x r: kept
	return a + r.x // want r.x r: r-1 — one value under two names
}

func chased(p *point) {
	for p != nil {
		p.x = 1    // want p.x w: kept
		p.x++      // want p.x w: w-1 — in one round of the loop
		p = p.next // want p.next r: kept
	}
}

func aroundLoop(p *point, c int) int {
	a := p.x // want p.x r: kept
	for i := 0; i < c; i++ {
		a += p.x // want p.x r: kept — in the second round, the send of the first lies between
		ch <- a
	}
	for i := 0; i < c; i++ {
		a += p.y // want p.y r: kept
	}
	return a + p.y // want p.y r: kept — the loop may run zero times
}

func intoLoop(p *point, c int) int {
	a := p.y // want p.y r: kept
	for i := 0; i < c; i++ {
		a += p.y // want p.y r: r-2
	}
	return a
}

func elements(s []int, i, j int) int {
	s[i] = 1                      // want s[i] w: kept
	s[j] = 2                      // want s[j] w: kept
	s[i+1] = 3                    // want s[i+1] w: kept
	return s[i] + s[1+i] + s[i+1] // want s[i] r: w-3 / s[1+i] r: kept / s[i+1] r: w-1 — 1+i is not computed alike
}

func index(s []int, i int) int {
	a := s[i] // want s[i] r: kept
	i++
	return a + s[i] // want s[i] r: kept
}

func through(p *point) int {
	a := p.next.x       // want p.next.x r: kept / p.next r: kept
	return a + p.next.x // want p.next.x r: kept / p.next r: r-1 — p.next may be written in between by another task
}

func lengths(p *point) int {
	a := len(p.row)                // want p.row r: kept
	b := p.row                     // want p.row r: r-1 — the slice is read for certain: one check of it all
	return a + len(b) + len(p.row) // want p.row r: r-2 — a part of it
}

func lengthsMaybe(p *point) int {
	a := len(p.row) // want p.row r: kept
	if a > 1 {
		b := p.row               // want p.row r: kept — a length is less than the slice
		a += len(b) + len(p.row) // want p.row r: r-1 — but part of it
	}
	return a
}

func global() int {
	a := g       // want g r: kept
	return a + g // want g r: r-1
}

func whole(p *point) int {
	c := *p                     // want *p r: kept
	return c.x + p.y + p.arr[2] // want p.y r: r-1 / p.arr[2] r: r-1 — parts of what was copied
}

func part(p *point) point {
	p.arr[1] = 1 // want p.arr[1] w: kept
	return *p    // want *p r: kept — the whole is more than its part
}

func lateLoad(p *point) int {
	a := p.x                   // want p.x r: kept
	return a + (p.x + sends()) // want p.x r: kept — the compiler loads it behind the call
}

func argument(p *point) int {
	a := p.x             // want p.x r: kept
	return a + pass(p.x) // want p.x r: r-1 — the call waits for it
}

func lateCover(p *point) int {
	return p.y + pass(p.y) // want p.y r: kept,kept — the first is loaded behind the call
}

func sends() int { ch <- 1; return 1 }

func pass(i int) int { <-ch; return i }

func opAssign(p *point) int {
	p.x += 2       // want p.x w: kept
	p.x++          // want p.x w: w-1
	a := p.x       // want p.x r: w-2
	p.y += sends() // want p.y w: kept
	p.y = 1        // want p.y w: w-1
	p.y += sends() // want p.y w: kept — its read is covered, its write comes behind the send
	return a
}

func variable() int {
	x := 1
	f := func() int { return x }
	x = 2  // want x w: kept — the initial value is not a check
	a := x // want x r: w-1
	return a + f()
}

func recovered(p *point) (r int) {
	defer func() {
		if recover() != nil {
			r = p.x // want p.x r: kept — another function
		}
	}()
	r = p.x // want r w: kept / p.x r: kept
	return r
}

// Behind.

func update(p *point) {
	p.x = p.x + 1 // want p.x r: w+0 / p.x w: kept
	a := p.y      // want p.y r: w-1 — the write of p.y is checked there as well
	b := a * 2
	b = pure(a, b)
	p.y = b // want p.y w: w-4 — with p.x
}

func swap(s []int, i, j int) {
	s[i], s[j] = s[j], s[i] // want s[i] r: w+0 / s[j] r: kept / s[i] w: kept / s[j] w: kept — s[j] is read first, and i may be out of range
}

func updateIf(p *point, c bool) {
	a := p.x // want p.x r: kept
	if c {
		p.x = a + 1 // want p.x w: kept — only then
	}
}

func updateEither(p *point, c bool) {
	a := p.x // want p.x r: w+4
	if c {
		a *= 2
	}
	p.x = a // want p.x w: kept
}

func exitBetween(p *point) {
	a := p.x // want p.x r: kept
	if a > 0 {
		os.Exit(1)
	}
	p.x = 1 // want p.x w: kept
}

func panicBetween(p, q *point) {
	a := p.x // want p.x r: kept
	q.y = a  // want q.y w: kept — q may be nil
	p.x = a  // want p.x w: kept
}

func indexBetween(p *point, s []int) {
	a := p.x // want p.x r: kept
	s[a] = 1 // want s[a] w: kept — a may be out of range
	p.x = a  // want p.x w: kept
}

func divideBetween(p *point, b int) {
	a := p.x // want p.x r: kept
	a /= b
	p.x = a // want p.x w: kept
}

func calleePanics(p *point) {
	a := p.x // want p.x r: kept
	panics(p)
	p.x = a // want p.x w: kept
}

func computes(p *point) {
	a := p.x // want p.x r: w+3 — functions of std that only compute return
	hi, lo := bits.Mul64(uint64(a), uint64(a))
	a = int(math.Pow(float64(hi), float64(lo)))
	p.x = a // want p.x w: kept
}

func divisionPanics(p *point) {
	a := p.x // want p.x r: kept
	b, _ := bits.Div(0, 1, uint(a))
	p.x = int(b) // want p.x w: kept
}

func acquireBehind(p *point) {
	a := p.x // want p.x r: kept
	takes()
	p.x = a // want p.x w: kept — what races with the read may precede the write
}

func sleepBetween(p *point) {
	a := p.x // want p.x r: kept
	time.Sleep(1)
	p.x = a // want p.x w: kept — it need not come back
}

func loopBetween(p *point) {
	a := p.x // want p.x r: kept
	for a < 100 {
		a *= 2
	}
	p.x = a // want p.x w: kept — the loop need not end
}

func inLoop(p *point, c int) {
	for i := 0; i < c; i++ {
		a := p.x    // want p.x r: w+1
		p.x = a + i // want p.x w: kept
	}
}

func nextRound(p *point, c int) {
	a := 0
	for i := 0; i < c; i++ {
		if i > 0 {
			p.x = a // want p.x w: kept
		}
		a = p.x // want p.x r: kept — the write of the next round need not come
	}
}

func lockBehind(p *point) {
	a := p.x // want p.x r: kept
	mu.Lock()
	p.x = a // want p.x w: kept
	mu.Unlock()
}

func overwrite(p *point, c bool) {
	if c {
		p.x = 1 // want p.x w: w+2
	}
	p.x = 2 // want p.x w: kept
}

func generic[T int | string](s []T, v T) T {
	s[0] = v    // want s[0] w: kept
	return s[0] // want s[0] r: w-1
}

type vector struct {
	x, y, z int
	tag     byte
	w       int
	axes    [3]int
	next    *vector
}

func neighbours(v *vector) {
	v.x = 1       // want v.x w: kept
	v.y += 2      // want v.y w: w-1
	v.z = 3       // want v.z w: w-2
	v.tag = 4     // want v.tag w: w-3
	v.w = 5       // want v.w w: kept — padding lies between
	v.axes[0] = 6 // want v.axes[0] w: w-1
	v.axes[1] = 7 // want v.axes[1] w: w-2
}

func neighbourReads(v *vector) int {
	return v.x + v.y + v.z // want v.x r: kept / v.y r: r+0 / v.z r: r+0
}

func downward(v *vector) {
	v.y = 1 // want v.y w: kept
	v.x = 2 // want v.x w: w-1
}

func mixed(v *vector) int {
	v.x = 1    // want v.x w: kept
	return v.y // want v.y r: kept — another kind
}

func releaseFields(v *vector) {
	v.x = 1 // want v.x w: kept
	n.Store(1)
	v.y = 2 // want v.y w: kept
}

func acquireFields(v *vector) {
	v.x = 1 // want v.x w: kept
	n.Load()
	v.y = 2 // want v.y w: kept — not written yet when the first is checked
}

func maybeFields(v *vector, c bool) {
	v.x = 1 // want v.x w: kept
	if c {
		v.y = 2 // want v.y w: kept
	}
}

func panicFields(v *vector) {
	v.x = 1        // want v.x w: kept
	v.y = v.next.x // want v.y w: kept — next may be nil
}

func otherStruct(v, u *vector) {
	v.x = 1 // want v.x w: kept
	u.y = 2 // want u.y w: kept
}

var vec = &vector{}

// value hides whom a call runs: the functions here are looked at one by one.
func value[F any](f F) F { return f }

func main() {
	for i := 0; i < 2; i++ {
		go func() {
			p := p
			if i > 0 {
				p = q
			}
			fmt.Println(value(straight)(p), value(calls)(p), value(releaseBetween)(p), value(spawnBetween)(p), value(calleeSpawns)(p), value(atomicBetween)(p), value(acquireBetween)(p), value(lockBetween)(p), value(underLock)(p), value(lockInCallee)(p))
			value(readThenWrite)(p)
			fmt.Println(value(conditional)(p, i > 0), value(bothBranches)(p, i > 0), value(earlyExit)(p, i > 0), value(reassigned)(p), value(aliased)(p), value(aroundLoop)(p, i), value(intoLoop)(p, i), value(elements)(p.row, i, i+1), value(index)(p.row, i), value(through)(p), value(lengths)(p), value(lengthsMaybe)(p), value(global)(), value(whole)(p), value(part)(p))
			g = i
			p.next = q
			value(chased)(p)
			fmt.Println(value(lateLoad)(p), value(argument)(p), value(lateCover)(p), value(opAssign)(p), value(variable)(), value(recovered)(p))
			value(update)(p)
			value(swap)(p.row, i, 1)
			value(updateIf)(p, i > 0)
			value(updateEither)(p, i > 0)
			value(exitBetween)(p)
			value(panicBetween)(p, q)
			value(indexBetween)(p, p.row)
			value(divideBetween)(p, i)
			value(calleePanics)(p)
			value(computes)(p)
			value(divisionPanics)(p)
			value(acquireBehind)(p)
			value(sleepBetween)(p)
			value(loopBetween)(p)
			value(inLoop)(p, i)
			value(nextRound)(p, i)
			value(lockBehind)(p)
			value(overwrite)(p, i > 0)
			value(neighbours)(vec)
			fmt.Println(value(neighbourReads)(vec), value(mixed)(vec))
			value(downward)(vec)
			value(releaseFields)(vec)
			value(acquireFields)(vec)
			value(maybeFields)(vec, i > 0)
			value(panicFields)(vec)
			value(otherStruct)(vec, vec.next)
			fmt.Println(value(generic[int])(p.row, i), value(generic[string])([]string{"a"}, "b"))
		}()
	}
	runtime.Gosched()
}

// In a critical section the check of the read may show that the access of q comes after another one.
func delayed(p, q *point) {
	a := p.y // want p.y r: kept — the write follows behind another check
	q.x = a  // want q.x w: kept
	p.y = 1  // want p.y w: kept
}

// Accesses that a check in another function covers, and accesses that only seem covered.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
)

type point struct {
	x, y int
	next *point
	sub  pair
	arr  [4]int
}

type pair struct{ a, b int }

var (
	shared = &point{next: &point{}}
	g      int
	mu     sync.Mutex
	ch     = make(chan int, 1)
	n      atomic.Int32
)

// A callee before.

func set(p *point) { p.x = 1 } // want p.x w: kept

func afterSet(p *point) int {
	set(p)
	return p.x // want p.x r: w-4
}

func afterSetOther(p, q *point) int {
	set(q)
	return p.x // want p.x r: kept — another object
}

func get(p *point) int { return p.y } // want p.y r: kept

func afterGet(p *point) int {
	a := get(p)
	p.y = a         // want p.y w: kept — a read covers no write
	return get(p) + // the read in get has its check
		p.y // want p.y r: w-2
}

func setThrough(p *point) { set(p) }

func afterChain(p *point) int {
	setThrough(p)
	return p.x // want p.x r: w-25
}

func setSub(s *pair) { s.a = 1 } // want s.a w: kept

func afterSub(p *point) int {
	setSub(&p.sub)
	return p.sub.a + p.sub.b // want p.sub.a r: w-4 / p.sub.b r: kept
}

func setAll(s *pair) { *s = pair{} } // want *s w: kept

func afterAll(p *point) int {
	setAll(&p.sub)
	return p.sub.b // want p.sub.b r: w-4 — part of it
}

func setAt(s []int, i int) { s[i+1] = 1 } // want s[i+1] w: kept

func afterAt(s []int, i int) int {
	setAt(s, i)
	setAt(s, 3)
	return s[i+1] + s[i] // want s[i+1] r: w-5 / s[i] r: kept
}

func setConst(p *point) { p.arr[2] = 1 } // want p.arr[2] w: kept

func afterConst(p *point) int {
	setConst(p)
	return p.arr[2] + p.arr[1] // want p.arr[2] r: w-4 / p.arr[1] r: kept
}

func setIf(p *point, c bool) {
	if c {
		p.x = 1 // want p.x w: kept
	}
}

func afterIf(p *point, c bool) int {
	setIf(p, c)
	return p.x // want p.x r: kept — not for certain
}

func setOrNot(p *point, c bool) {
	if c {
		return
	}
	p.x = 1 // want p.x w: kept
}

func afterOrNot(p *point, c bool) int {
	setOrNot(p, c)
	return p.x // want p.x r: kept — it returns early
}

func setOrFail(p *point, c bool) {
	if c {
		panic("x")
	}
	p.x = 1 // want p.x w: kept
}

func afterOrFail(p *point, c bool) int {
	setOrFail(p, c)
	return p.x // want p.x r: w-5 — behind a panic nothing comes
}

func setAndSend(p *point) {
	p.x = 1 // want p.x w: kept
	ch <- 1
}

func afterAndSend(p *point) int {
	setAndSend(p)
	return p.x // want p.x r: kept — whoever receives may write
}

func sendAndSet(p *point) {
	ch <- 1
	p.x = 1 // want p.x w: kept
}

func afterSendAndSet(p *point) int {
	sendAndSet(p)
	return p.x // want p.x r: w-5 — the send comes first
}

func setAndStart(p *point) {
	p.x = 1                 // want p.x w: kept
	go func() { p.x = 2 }() // want p.x w: kept
}

func afterAndStart(p *point) int {
	setAndStart(p)
	return p.x // want p.x r: kept
}

func setLocked(p *point) {
	mu.Lock()
	p.x = 1 // want p.x w: kept
	mu.Unlock()
}

func afterLocked(p *point) int {
	setLocked(p)
	return p.x // want p.x r: kept — without the lock
}

func setDeferred(p *point) {
	defer fmt.Print()
	p.x = 1 // want p.x w: kept
}

func afterDeferred(p *point) int {
	setDeferred(p)
	return p.x // want p.x r: kept — Print does anything
}

func setRecovered(p *point, c []int) {
	defer func() { recover() }()
	c[0] = 1 // want c[0] w: kept
	p.x = 1  // want p.x w: kept
}

func afterRecovered(p *point, c []int) int {
	setRecovered(p, c)
	return p.x // want p.x r: kept — it returns though c is empty
}

func sendBetween(p *point) int {
	set(p)
	ch <- 1
	return p.x // want p.x r: kept
}

func inTask(p *point) int {
	go set(p)
	return p.x // want p.x r: kept — another task has written
}

func atEnd(p *point) int {
	defer set(p)
	return p.x // want p.x r: kept — not yet written
}

func byValue(p *point, f func(*point)) int {
	f(p)
	return p.x // want p.x r: kept — whatever f is
}

func branchOnly(p *point, c bool) int {
	if c {
		set(p)
	}
	return p.x // want p.x r: kept
}

func setNear(p *point) { p.x = 1 } // want p.x w: kept

func intoLoop(p *point, n int) (a int) {
	setNear(p)
	for range n {
		a += p.x // want p.x r: kept — in the second round the send of the first lies between
		ch <- 1
	}
	for range n {
		setNear(p)
		a += p.x // want p.x r: w-10
	}
	return a
}

func reload(p *point) int {
	set(p.next)       // want p.next r: kept
	return p.next.x + // want p.next.x r: kept — another task may have changed p.next
		p.next.next.x
}

func literal(p *point) int {
	x := 0
	func() {
		x = p.y // want p.y r: kept
		p.x = x // want p.x w: kept
	}()
	go func() { fmt.Print(x) }()
	return p.x + p.y // want p.x r: kept / p.y r: kept — a task began
}

func literalQuiet(p *point) int {
	func() {
		p.x = 1 // want p.x w: kept
	}()
	return p.x // want p.x r: w-2
}

func captured() int {
	x := 0
	f := func() { x = 1 } // want x w: kept
	f()
	y := x                     // want x r: w-2
	go func() { println(x) }() // want x r: kept
	return y
}

func lateLoad(p *point) int {
	return get(p) + (p.y + sends()) // want p.y r: kept — the compiler loads it behind the send
}

func sends() int { ch <- 1; return 1 }

func down(p *point, n int) {
	p.x = n // want p.x w: kept
	if n > 0 {
		down(p, n-1)
	}
}

func afterDown(p *point) int {
	down(p, 3)
	return p.x // want p.x r: w-8 — the outermost one's, which no other ends
}

func chase(p *point) {
	if p != nil {
		p.x = 1 // want p.x w: kept
		chase(p.next)
	}
}

func afterChase(p *point) int {
	chase(p)
	return p.x // want p.x r: kept — p may be nil for all that is known
}

func forever(p *point) {
	for {
		p.x = 1 // want p.x w: kept
	}
}

// The callers before.

func oneCaller(p *point) int {
	return p.x // want p.x r: w+4
}

func callsOne(p *point) int {
	p.x = 1 // want p.x w: kept
	return oneCaller(p)
}

func twoCallers(p *point) int {
	return p.x // want p.x r: w+4|r+9
}

func callsFirst(p *point) int {
	p.x = 1 // want p.x w: kept
	return twoCallers(p)
}

func callsSecond(p *point) int {
	a := p.x // want p.x r: kept
	return a + twoCallers(p)
}

func oneWithout(p *point) int {
	return p.x // want p.x r: kept — one call has no cover
}

func callsWith(p *point) int {
	p.x = 1 // want p.x w: kept
	return oneWithout(p)
}

func callsWithout(p *point) int { return oneWithout(p) }

func farInside(p *point) int {
	return p.x // want p.x r: w+6
}

func onTheWay(p *point) int { return farInside(p) }

func callsFar(p *point) int {
	p.x = 1 // want p.x w: kept
	return onTheWay(p)
}

func afterSend(p *point) int {
	ch <- 1
	return p.x // want p.x r: kept
}

func callsAfterSend(p *point) int {
	p.x = 1 // want p.x w: kept
	return afterSend(p)
}

func sendsFirst(p *point) int {
	return p.x // want p.x r: kept
}

func callsSendsFirst(p *point) int {
	p.x = 1 // want p.x w: kept
	ch <- 1
	return sendsFirst(p)
}

func repeats(p *point, n int) (a int) {
	for range n {
		a += p.x // want p.x r: kept — in the second round
		ch <- 1
	}
	return a
}

func callsRepeats(p *point) int {
	p.x = 1 // want p.x w: kept
	return repeats(p, 3)
}

func quietRepeats(p *point, n int) (a int) {
	for range n {
		a += p.x // want p.x r: w+6
	}
	return a
}

func callsQuietRepeats(p *point) int {
	p.x = 1 // want p.x w: kept
	return quietRepeats(p, 3)
}

func started(p *point) {
	println(p.x) // want p.x r: kept — in a task of its own
}

func starts(p *point) {
	p.x = 1 // want p.x w: kept
	go started(p)
}

func deferredCallee(p *point) {
	println(p.x) // want p.x r: kept — at the end of its caller
}

func defers(p *point) {
	p.x = 1 // want p.x w: kept
	defer deferredCallee(p)
	ch <- 1
}

func taken(p *point) int {
	return p.x // want p.x r: kept — a function value
}

func callsTaken(p *point) int {
	p.x = 1 // want p.x w: kept
	f := taken
	println(f)
	return taken(p)
}

type asker interface{ ask() int }

func (p *point) ask() int {
	return p.x // want p.x r: kept — an interface calls it
}

func callsAsk(p *point) int {
	p.x = 1 // want p.x w: kept
	return p.ask() + asker(p).ask()
}

func (p *point) method() int {
	return p.x // want p.x r: w+4
}

func callsMethod(p *point) int {
	p.x = 1 // want p.x w: kept
	return p.method()
}

func otherArgument(p *point) int {
	return p.x // want p.x r: kept
}

func callsOther(p, q *point) int {
	p.x = 1 // want p.x w: kept
	return otherArgument(q)
}

func lockedInside(p *point) int {
	mu.Lock()
	defer mu.Unlock()
	return p.x // want p.x r: kept — under another lock
}

func callsLocked(p *point) int {
	p.x = 1 // want p.x w: kept
	return lockedInside(p)
}

func underLock(p *point) int {
	return p.x // want p.x r: w+6
}

func callsUnderLock(p *point) int {
	mu.Lock()
	defer mu.Unlock()
	p.x = 1 // want p.x w: kept
	return underLock(p)
}

func again(p *point, n int) int {
	if n == 0 {
		return p.x // want p.x r: w+6
	}
	return again(p, n-1)
}

func callsAgain(p *point) int {
	p.x = 1 // want p.x w: kept
	return again(p, 3)
}

func againNext(p *point, n int) int {
	if n == 0 {
		return p.x // want p.x r: kept — another object each time
	}
	return againNext(p.next, n-1) // want p.next r: kept
}

func callsAgainNext(p *point) int {
	p.x = 1 // want p.x w: kept
	return againNext(p, 3)
}

func againSends(p *point, n int) int {
	if n == 0 {
		return p.x // want p.x r: kept — the call before has sent
	}
	ch <- 1
	return againSends(p, n-1)
}

func callsAgainSends(p *point) int {
	p.x = 1 // want p.x w: kept
	return againSends(p, 3)
}

func onlyItself(p *point, n int) {
	p.y = n // want p.y w: kept — its own site stands for no other activation
	if n > 0 {
		onlyItself(p, n-1)
	}
}

func lateCover(p *point) int {
	return p.y + readsLate(p) // want p.y r: kept — loaded behind the call
}

func readsLate(p *point) int {
	return p.y // want p.y r: kept
}

func setBefore(p *point) { p.x = 1 } // want p.x w: kept

func afterCallee(p *point) int {
	setBefore(p)
	return usesSet(p)
}

func usesSet(p *point) int {
	return p.x // want p.x r: w-8 — in the call before
}

func increments(p *point) {
	p.y++ // want p.y w: w+4 — its read as well
}

func callsIncrements(p *point) {
	p.y = 0 // want p.y w: kept
	n.Load()
	increments(p)
}

func current() *point { return shared }

func usesCurrent() int {
	return current().x // want current().x r: kept — of whatever point
}

func callsCurrent() int {
	current().x = 1 // want current().x w: kept
	return usesCurrent()
}

// A callee behind.

func first(p *point) { p.x = 1 } // want p.x w: kept

func firstThrough(p *point) { first(p) }

func firstSub(s *pair) { s.a = 1 } // want s.a w: kept

func readThenSet(p *point) int {
	a := p.x // want p.x r: w-7
	first(p)
	return a
}

func readThenChain(p *point) int {
	a := p.x // want p.x r: w-13
	firstThrough(p)
	return a
}

func writeThenSet(p *point) {
	p.x = 4 // want p.x w: w-19
	first(p)
}

func readSubThenSet(p *point) int {
	a := p.sub.a // want p.sub.a r: w-20
	firstSub(&p.sub)
	return a
}

func readThenIf(p *point, c bool) int {
	a := p.x // want p.x r: kept
	setIf(p, c)
	return a
}

func readThenFail(p *point, c bool) int {
	a := p.x // want p.x r: kept — it may panic first
	setOrFail(p, c)
	return a
}

func readThenReceive(p *point) int {
	a := p.x // want p.x r: kept
	<-ch
	set(p)
	return a
}

func receiveThenSet(p *point) {
	<-ch
	p.x = 3 // want p.x w: kept
}

func readThenInside(p *point) int {
	a := p.x // want p.x r: kept
	receiveThenSet(p)
	return a
}

func readThenExit(p *point) int {
	a := p.x // want p.x r: kept
	if a > 0 {
		os.Exit(1)
	}
	set(p)
	return a
}

func readThenGo(p *point) int {
	a := p.x // want p.x r: kept
	go set(p)
	return a
}

func readThenDefer(p *point) int {
	a := p.x // want p.x r: kept
	defer set(p)
	return a
}

func readThenOther(p, q *point) int {
	a := p.x // want p.x r: kept
	set(q)
	return a
}

func readThenMaybe(p *point, c bool) int {
	a := p.x // want p.x r: kept
	if c {
		set(p)
	}
	return a
}

func readThenGet(p *point) int {
	a := p.y // want p.y r: kept — get only reads
	return a + get(p)
}

func readInSameStatement(p *point) int {
	return p.x + setAndGet(p) // want p.x r: kept — loaded behind the call
}

func setAndGet(p *point) int {
	p.x = 5 // want p.x w: kept
	ch <- 1
	return 1
}

func generic[T any](p *T) { var z T; *p = z } // want *p w: kept

func afterGeneric(p *point) int {
	generic(p)
	generic(&g)
	return p.x + g // want p.x r: w-5 / g r: w-5
}

// Pointers loaded on the way. No task but one knows the holder.

type holder struct{ p *point }

func setHeld(h *holder) { h.p.x = 1 } // want h.p.x w: kept

func changeHeld(h *holder) { h.p = shared.next }

func setAndChange(h *holder) {
	h.p.x = 1 // want h.p.x w: kept
	changeHeld(h)
}

func changeAndSet(h *holder) {
	changeHeld(h)
	h.p.x = 1 // want h.p.x w: kept
}

func getHeld(h *holder) int { return h.p.x } // want h.p.x r: w+31

func changeAndGet(h *holder) int {
	changeHeld(h)
	return h.p.x // want h.p.x r: kept
}

func getChanged(h *holder) int { return h.p.x } // want h.p.x r: kept

func held(p *point) int {
	h := &holder{p}
	setHeld(h)
	a := h.p.x // want h.p.x r: w-26
	changeHeld(h)
	return a + h.p.x // want h.p.x r: kept — another point
}

func heldAndChanged(p *point) int {
	h := &holder{p}
	setAndChange(h)
	return h.p.x // want h.p.x r: kept
}

func heldChangedFirst(p *point) int {
	h := &holder{p}
	changeAndSet(h)
	return h.p.x // want h.p.x r: kept — the same, but the call as a whole writes h.p
}

func heldBefore(p *point) int {
	h := &holder{p}
	h.p.x = 2 // want h.p.x w: kept
	return getHeld(h) + changeAndGet(h)
}

func heldChangedBefore(p *point) int {
	h := &holder{p}
	h.p.x = 2 // want h.p.x w: kept
	changeHeld(h)
	return getChanged(h)
}

func argumentChanged(p *point) int {
	h := &holder{p}
	set(h.p)
	changeHeld(h)
	return h.p.x // want h.p.x r: kept
}

func setGiven(p *point) { p.x = 1 } // want p.x w: kept

func argumentHeld(p *point) int {
	h := &holder{p}
	setGiven(h.p)
	return h.p.x // want h.p.x r: w-5
}

// value hides whom a call runs.
func value[F any](f F) F { return f }

func main() {
	p := shared
	s := make([]int, 8)
	go func() { *shared = point{}; s[1] = 2; g = 1 }()
	c := len(os.Args) > 1
	println(value(afterSet)(p), value(afterSetOther)(p, p.next), value(afterGet)(p), value(afterChain)(p), value(afterSub)(p), value(afterAll)(p), value(afterAt)(s, 1), value(afterConst)(p))
	println(value(afterIf)(p, c), value(afterOrNot)(p, c), value(afterOrFail)(p, c), value(afterAndSend)(p), value(afterSendAndSet)(p), value(afterAndStart)(p), value(afterLocked)(p), value(afterDeferred)(p))
	println(value(afterRecovered)(p, s), value(sendBetween)(p), value(inTask)(p), value(atEnd)(p), value(byValue)(p, set2), value(branchOnly)(p, c), value(intoLoop)(p, 2), value(reload)(p), value(literal)(p), value(literalQuiet)(p))
	println(value(captured)(), value(lateLoad)(p), value(afterDown)(p), value(afterChase)(p))
	println(value(callsOne)(p), value(callsFirst)(p), value(callsSecond)(p), value(callsWith)(p), value(callsWithout)(p), value(callsFar)(p), value(callsAfterSend)(p), value(callsSendsFirst)(p), value(callsRepeats)(p), value(callsQuietRepeats)(p))
	value(starts)(p)
	value(defers)(p)
	println(value(callsTaken)(p), value(callsAsk)(p), value(callsMethod)(p), value(callsOther)(p, p.next), value(callsLocked)(p), value(callsUnderLock)(p), value(callsAgain)(p), value(callsAgainNext)(p), value(callsAgainSends)(p))
	value(onlyItself)(p, 2)
	println(value(lateCover)(p), value(afterCallee)(p))
	value(callsIncrements)(p)
	println(value(callsCurrent)(), value(callsLong)(s))
	println(value(readThenSet)(p), value(readThenIf)(p, c), value(readThenFail)(p, c), value(readThenReceive)(p), value(readThenInside)(p), value(readThenExit)(p), value(readThenGo)(p), value(readThenDefer)(p), value(readThenOther)(p, p.next))
	println(value(readThenMaybe)(p, c), value(readThenGet)(p), value(readThenChain)(p), value(readInSameStatement)(p), value(readSubThenSet)(p), value(afterGeneric)(p))
	value(writeThenSet)(p)
	println(value(held)(p), value(heldAndChanged)(p), value(heldChangedFirst)(p), value(heldBefore)(p), value(heldChangedBefore)(p), value(argumentChanged)(p), value(argumentHeld)(p))
	if c {
		value(forever)(p)
	}
}

func set2(p *point) { p.x = 2 }

// An index that is the sum of 2^40 terms: looking at it must end.
func long(s []int, i int) int {
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	i = i&1 + i>>1
	return s[i] // want s[i] r: kept
}

func callsLong(s []int) int { return long(s, 8) }

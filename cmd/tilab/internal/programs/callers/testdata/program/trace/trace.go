// Package trace records the stacks at the accesses of a case. It is built without
// checks: what it does is neither seen nor ordered by the detector, but for the mutex.
package trace

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// A Task is one of the two tasks of a case. The goroutines that it starts share it one
// after the other.
type Task struct {
	id      int
	want    []int // for each site the visit on which it accesses its variable, 0: none
	visits  []int
	pcs     []uintptr // room for what Callers gives
	used    int
	records []record
	fresh   int
	mu      sync.Mutex
	after   *Task // goes first, nil: none
	done    int32
}

type record struct {
	variable  int
	goroutine string
	pcs       []uintptr
}

const (
	maxPCs = 1 << 17 // of all records of a task
	// Fresh counts up to maxFresh for each of two tasks.
	maxFresh = 1 << 16
	Elements = 2 * maxFresh
)

var room [2][]uintptr

// Tasks returns the two tasks of a case. In a sequence the second one begins when the
// first one has ended, without any order that the detector sees.
func Tasks(sequence bool, first, second []int) (a, b *Task) {
	for i := range room {
		if room[i] == nil {
			room[i] = make([]uintptr, maxPCs)
		}
	}
	a = &Task{id: 0, want: first, visits: make([]int, len(first)), pcs: room[0], records: make([]record, 0, len(first))}
	b = &Task{id: 1, want: second, visits: make([]int, len(second)), pcs: room[1], records: make([]record, 0, len(second))}
	if sequence {
		b.after = a
	}
	return a, b
}

// Begin and End enclose what a task does.
func (t *Task) Begin() {
	for t.after != nil && t.after.ended() == 0 {
		runtime.Gosched()
	}
}

//go:noinline
func (t *Task) ended() int32 { return t.done }

//go:noinline
func (t *Task) End() { t.done = 1 }

// Turn counts a visit of the site and reports whether the task is to access its
// variable now.
//
//go:noinline
func (t *Task) Turn(site int) bool {
	t.visits[site]++
	return t.visits[site] == t.want[site]
}

// Fresh returns numbers that no task has had in the case before, and Same always the
// same one.
//
//go:noinline
func (t *Task) Fresh() int {
	t.fresh = (t.fresh + 1) % maxFresh
	return t.id*maxFresh + t.fresh
}

//go:noinline
func (t *Task) Same() int { return t.id * maxFresh }

// Step ends a step of the task.
func (t *Task) Step() {
	t.mu.Lock()
	t.mu.Unlock()
}

// W, R and the like record the stack of their caller for a variable. They are called on
// the line of the access.
func (t *Task) W(v int) int                  { t.record(v); return v }
func (t *Task) R(v, _ int)                   { t.record(v) }
func (t *Task) S(v int) string               { t.record(v); return "s" }
func (t *Task) A(v int) any                  { t.record(v); return t }
func (t *Task) RS(v int, _ string)           { t.record(v) }
func (t *Task) RA(v int, _ any)              { t.record(v) }
func (t *Task) C(v int, c chan int) chan int { t.record(v); return c }

// I is W with the result 1.
func (t *Task) I(v int) int { t.record(v); return 1 }

//go:noinline
func (t *Task) record(v int) {
	r := record{variable: v}
	n := runtime.Callers(3, t.pcs[t.used:])
	r.pcs = t.pcs[t.used : t.used+n]
	if t.used += n; t.used == len(t.pcs) {
		fmt.Fprintln(os.Stderr, "no room for the stacks of a task")
		os.Exit(3)
	}
	var text [64]byte
	head := string(text[:runtime.Stack(text[:], false)]) // goroutine 7 [running]: ...
	r.goroutine = strings.Fields(head)[1]
	t.records = append(t.records, r)
}

// Object makes known where a variable lies.
func Object(v int, p unsafe.Pointer, size uintptr) {
	fmt.Printf("{\"object\":%d,\"address\":%d,\"size\":%d}\n", v, uintptr(p), size)
}

// Print writes what the tasks have recorded, and the case's number at the end.
func Print(number int, tasks ...*Task) {
	w := bufio.NewWriter(os.Stdout)
	for _, t := range tasks {
		for _, r := range t.records {
			fmt.Fprintf(w, "{\"task\":%d,\"variable\":%d,\"goroutine\":%s,\"stack\":[", t.id, r.variable, r.goroutine)
			frames := runtime.CallersFrames(r.pcs)
			for n := 0; ; n++ {
				f, more := frames.Next()
				if n > 0 {
					w.WriteByte(',')
				}
				fmt.Fprintf(w, "{\"function\":%s,\"file\":%s,\"line\":%d}", strconv.Quote(f.Function), strconv.Quote(f.File), f.Line)
				if !more {
					break
				}
			}
			w.WriteString("]}\n")
		}
	}
	fmt.Fprintf(w, "{\"ended\":%d}\n", number)
	w.Flush()
}

// V is W for any type.
func V[T any](t *Task, v int, x T) T { t.record(v); return x }

//go:build !taskinstr_runtime

// What the engine asks of its host when it runs as an ordinary Go package.
// rt/files/runtime has the same functions for package runtime.

package online

import (
	"bytes"
	"sync"
	"unsafe"
)

// hostExhausted ends the program: one of the engine's tables is full.
func hostExhausted(what string) {
	panic("drdp: the table of " + what + " is full")
}

func hostClear(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }

func hostEqual(p, q unsafe.Pointer, n uintptr) bool {
	return bytes.Equal(unsafe.Slice((*byte)(p), n), unsafe.Slice((*byte)(q), n))
}

// reports has a func(*Report) for each engine: executions may run side by side.
var reports sync.Map

func hostReport(e *Engine, r *Report) {
	if f, ok := reports.Load(e); ok {
		f.(func(*Report))(r)
	}
}

// hostOutside is told that t was ordered in a way that the bags do not have.
func hostOutside(e *Engine, t *Task) {}

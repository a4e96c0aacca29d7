//go:build !taskinstr_runtime

// What the engine asks of its host when it runs as an ordinary Go package.
// rt/files/runtime has the same functions for package runtime.

package espbags

import (
	"bytes"
	"unsafe"
)

// hostExhausted ends the program: one of the engine's tables is full.
func hostExhausted(what string) {
	panic("espbags: the table of " + what + " is full")
}

// hostPopulate gives pages memory that are about to be written to.
func hostPopulate(p unsafe.Pointer, n uintptr) {}

func hostClear(p unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(p), n)) }

func hostEqual(p, q unsafe.Pointer, n uintptr) bool {
	return bytes.Equal(unsafe.Slice((*byte)(p), n), unsafe.Slice((*byte)(q), n))
}

// host is who is told of the races of an engine.
type host struct {
	engine *Engine
	report func(*Report)
}

// hosts are few: one for each execution under way.
var hosts []host

func hostReport(e *Engine, r *Report) {
	for _, h := range hosts {
		if h.engine == e {
			h.report(r)
		}
	}
}

// hostOutside is told that t was ordered in a way that the bags do not have.
func hostOutside(e *Engine, t *Task) {}

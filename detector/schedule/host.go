//go:build !taskinstr_runtime

// The functions of the host, for this package as an ordinary Go package. rt/files/runtime
// has the same functions for package runtime.

package schedule

import (
	"sync"
	"unsafe"
)

// memory keeps the results of hostAlloc from being collected.
var memory sync.Map

// hostAlloc returns n zero bytes.
func hostAlloc(n uintptr) unsafe.Pointer {
	b := make([]uint64, (n+7)/8)
	p := unsafe.Pointer(&b[0])
	memory.Store(uintptr(p), b)
	return p
}

// hostFree frees the n bytes at p, a result of hostAlloc.
func hostFree(p unsafe.Pointer, n uintptr) { memory.Delete(uintptr(p)) }

// hostExhausted ends the program: a table is full.
func hostExhausted(what string) { panic("taskinstr: the schedule's table of " + what + " is full") }

// writers holds, for each recorder, the function that takes its text.
var writers sync.Map

// hostWrite takes n bytes of a record at p.
func hostWrite(r *Recorder, p unsafe.Pointer, n uintptr) {
	if f, ok := writers.Load(r); ok {
		f.(func([]byte))(unsafe.Slice((*byte)(p), n))
	}
}

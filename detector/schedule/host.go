//go:build !taskinstr_runtime

// What this package asks of its host when it is an ordinary Go package.
// rt/files/runtime has the same functions for package runtime.

package schedule

import (
	"sync"
	"unsafe"
)

// memory keeps what hostAlloc returned from being collected.
var memory sync.Map

// hostAlloc returns n zero bytes.
func hostAlloc(n uintptr) unsafe.Pointer {
	b := make([]uint64, (n+7)/8)
	p := unsafe.Pointer(&b[0])
	memory.Store(uintptr(p), b)
	return p
}

// hostFree takes back the n bytes that hostAlloc returned.
func hostFree(p unsafe.Pointer, n uintptr) { memory.Delete(uintptr(p)) }

// hostExhausted ends the program: there are more tasks than the table holds.
func hostExhausted(what string) { panic("taskinstr: the schedule's table of " + what + " is full") }

// writers holds, for each recorder, where its text goes.
var writers sync.Map

// hostWrite takes n bytes of a record at p.
func hostWrite(r *Recorder, p unsafe.Pointer, n uintptr) {
	if f, ok := writers.Load(r); ok {
		f.(func([]byte))(unsafe.Slice((*byte)(p), n))
	}
}

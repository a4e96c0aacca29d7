//go:build !taskinstr_runtime

// The functions that the engine needs from its host, for the engine as an ordinary Go
// package. rt/files/runtime has the same functions for package runtime.

package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func load32(p *uint32) uint32             { return atomic.LoadUint32(p) }
func store32(p *uint32, v uint32)         { atomic.StoreUint32(p, v) }
func cas32(p *uint32, old, v uint32) bool { return atomic.CompareAndSwapUint32(p, old, v) }
func add32(p *uint32, d uint32) uint32    { return atomic.AddUint32(p, d) }
func load64(p *uint64) uint64             { return atomic.LoadUint64(p) }
func store64(p *uint64, v uint64)         { atomic.StoreUint64(p, v) }
func cas64(p *uint64, old, v uint64) bool { return atomic.CompareAndSwapUint64(p, old, v) }
func add64(p *uint64, d uint64) uint64    { return atomic.AddUint64(p, d) }

// hostFence, in host_arm64.s and host_notarm64.go, orders the caller's earlier stores before its
// later ones.

// hostYield is called by a spinning thread; spins counts the rounds so far.
func hostYield(spins uint32) {
	if spins > 16 {
		runtime.Gosched()
	}
}

// hostPause is called between the attempts of quickLockSeq.
func hostPause() {}

// hostProc returns the number, from 1, of the processor on which the caller acts for t. A test
// whose threads drive tasks at the same time sets Host to another number for each thread.
func hostProc(t *Task) uint32 { return uint32(t.Host) + 1 }

// hostExhausted ends the program because one of the engine's tables is full.
func hostExhausted(what string) {
	panic("taskinstr: the race detector's table of " + what + " is full")
}

// receivers holds the function that takes the reports of each engine.
var receivers sync.Map

// OnReport makes f the receiver of e's reports. f may keep them: they are copies. f is
// called without any lock of the engine.
func OnReport(e *Engine, f func(*Report)) { receivers.Store(e, f) }

func hostReport(e *Engine, r *Report) {
	if f, ok := receivers.Load(e); ok {
		c := *r
		f.(func(*Report))(&c)
	}
}

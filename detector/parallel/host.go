//go:build !taskinstr_runtime

// The functions that the engine alone needs from its host, for an ordinary Go package. rt/files/runtime
// has the same functions for package runtime; package mem has its own.

package parallel

import "sync"

// hostProc returns the number, from 1, of the processor on which the caller acts for t. A test
// whose threads drive tasks at the same time sets Host to another number for each thread.
func hostProc(t *Task) uint32 { return uint32(t.Host) + 1 }

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

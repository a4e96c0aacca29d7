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

// OnReport makes f the receiver of e's reports, nil nobody. f may keep them: they are copies. f is
// called without any lock of the engine.
func OnReport(e *Engine, f func(*Report)) {
	if f == nil {
		receivers.Delete(e)
		return
	}
	OnNews(e, func(r *Report) bool { f(r); return true })
}

// OnNews is OnReport for a receiver that returns whether a report is made, and not withheld.
func OnNews(e *Engine, f func(*Report) bool) { receivers.Store(e, f) }

// hostReport reports whether the host has made the report, and not withheld it.
func hostReport(e *Engine, r *Report) bool {
	f, ok := receivers.Load(e)
	if !ok {
		return true
	}
	c := *r
	return f.(func(*Report) bool)(&c)
}

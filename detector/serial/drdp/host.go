//go:build !taskinstr_runtime

// The functions of the host, for an ordinary Go package. rt/files/engine/serial has the same
// functions for package runtime.

package drdp

// hostBind tells the shared engine that e is its algorithm.
func hostBind(e *Engine) { e.Bind(e) }

//go:build !taskinstr_runtime

// The functions of the host, for an ordinary Go package. The folders espbags and serial of
// rt/files have the same functions for package runtime.

package espbags

// hostBind tells the shared engine that e is its algorithm.
func hostBind(e *Engine) { e.Bind(e) }

// hostOutside is told that t was ordered behind a task in a way that bags cannot express.
func hostOutside(e *Engine, t *Task) {}

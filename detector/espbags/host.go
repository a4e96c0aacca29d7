//go:build !taskinstr_runtime

// What the engine asks of its host when it runs as an ordinary Go package. The folders
// espbags and serial of rt/files have the same functions for package runtime.

package espbags

// hostBind tells the shared engine that e is its algorithm.
func hostBind(e *Engine) { e.Bind(e) }

// hostExhausted ends the program: one of the engine's tables is full.
func hostExhausted(what string) { panic("espbags: the table of " + what + " is full") }

// hostOutside is told that t was ordered in a way that the bags do not have.
func hostOutside(e *Engine, t *Task) {}

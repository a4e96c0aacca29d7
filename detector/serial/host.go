//go:build !taskinstr_runtime

// The functions of the host and of the algorithm, for an ordinary Go package. rt/files/engine/serial
// has the same functions for package runtime, with direct calls of the algorithm.

package serial

// A host is the host's part of an Engine.
type host struct {
	algorithm Algorithm
	report    func(*Report)
}

// Bind sets the algorithm of e. It comes before Init.
func (e *Engine) Bind(a Algorithm) { e.host.algorithm = a }

// OnReport has f called for each race.
func (e *Engine) OnReport(f func(*Report)) { e.host.report = f }

// readerLists says that entries may name lists of readers. In package runtime it is false
// for an algorithm without lists, and the compiler removes the code for them.
const readerLists = true

// lineWords is the number of words of a line, at most 128. In package runtime it depends on
// the algorithm.
const lineWords = 128

func algParallel(e *Engine, t *Task, unit uint32) bool { return e.host.algorithm.Parallel(t, unit) }
func algPrecedes(e *Engine, t *Task, unit uint32) bool { return e.host.algorithm.Precedes(t, unit) }
func algRepresents(e *Engine, t *Task, unit uint32) bool {
	return e.host.algorithm.Represents(t, unit)
}
func algRemember(e *Engine, t *Task, r, ro, o uint32) (readers, origin uint32) {
	return e.host.algorithm.Remember(t, r, ro, o)
}
func algReady(e *Engine, t *Task) bool         { return e.host.algorithm.Ready(t) }
func algNote(e *Engine, t *Task)               { e.host.algorithm.Note(t) }
func algUse(e *Engine, t *Task)                { e.host.algorithm.Use(t) }
func algPassed(e *Engine, t *Task, x uint64)   { e.host.algorithm.Passed(t, x) }
func algSettled(e *Engine, t *Task)            { e.host.algorithm.Settled(t) }
func algRestart(e *Engine)                     { e.host.algorithm.Restart() }
func algRenew(e *Engine, t *Task, old Info)    { e.host.algorithm.Renew(t, old) }
func algTaskOf(e *Engine, unit uint32) uint32  { return e.host.algorithm.TaskOf(unit) }
func algInfoOf(e *Engine, task uint32) *Info   { return e.host.algorithm.InfoOf(task) }
func algKeep(e *Engine, unit uint32)           { e.host.algorithm.Keep(unit) }
func algBehindAll(e *Engine, unit uint32) bool { return e.host.algorithm.BehindAll(unit) }
func algObjectIn(e *Engine, a, n uintptr) bool { return e.host.algorithm.ObjectIn(a, n) }
func algDropObjects(e *Engine, a, n uintptr)   { e.host.algorithm.DropObjects(a, n) }

// hostReport is told each race.
func hostReport(e *Engine, r *Report) {
	if e.host.report != nil {
		e.host.report(r)
	}
}

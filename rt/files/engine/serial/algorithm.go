//go:build taskinstr_runtime

// The functions through which package detector/serial calls its algorithm. There is one
// engine, tr_engine, so the calls are direct, and the compiler inlines the small ones.

package runtime

//go:nosplit
func se_algParallel(e *se_Engine, t *se_Task, unit uint32) bool { return tr_engine.Parallel(t, unit) }

//go:nosplit
func se_algPrecedes(e *se_Engine, t *se_Task, unit uint32) bool { return tr_engine.Precedes(t, unit) }

func se_algRepresents(e *se_Engine, t *se_Task, unit uint32) bool {
	return tr_engine.Represents(t, unit)
}

func se_algRemember(e *se_Engine, t *se_Task, r, ro, o uint32) (readers, origin uint32) {
	return tr_engine.Remember(t, r, ro, o)
}

//go:nosplit
func se_algReady(e *se_Engine, t *se_Task) bool { return tr_engine.Ready(t) }

//go:nosplit
func se_algNote(e *se_Engine, t *se_Task) { tr_engine.Note(t) }

func se_algUse(e *se_Engine, t *se_Task) { tr_engine.Use(t) }

//go:nosplit
func se_algPassed(e *se_Engine, t *se_Task, x uint64) { tr_engine.Passed(t, x) }

//go:nosplit
func se_algObjectIn(e *se_Engine, a, n uintptr) bool { return tr_engine.ObjectIn(a, n) }

func se_algDropObjects(e *se_Engine, a, n uintptr)      { tr_engine.DropObjects(a, n) }
func se_algSettled(e *se_Engine, t *se_Task)            { tr_engine.Settled(t) }
func se_algRestart(e *se_Engine)                        { tr_engine.Restart() }
func se_algRenew(e *se_Engine, t *se_Task, old se_Info) { tr_engine.Renew(t, old) }
func se_algTaskOf(e *se_Engine, unit uint32) uint32     { return tr_engine.TaskOf(unit) }
func se_algInfoOf(e *se_Engine, task uint32) *se_Info   { return tr_engine.InfoOf(task) }
func se_algKeep(e *se_Engine, unit uint32)              { tr_engine.Keep(unit) }
func se_algBehindAll(e *se_Engine, unit uint32) bool    { return tr_engine.BehindAll(unit) }

package optimize

import "taskinstr/ssapass"

// # maintask
//
// Removes the checks of accesses that run only while no other task exists: in
// the main task, before the first go statement or after a Wait for all tasks.
// What no task can run beside cannot race.
//
// Needs: ssapass.Parallel false for every access, and that nothing the runtime
// starts by itself (finalizers, callbacks) touches the memory
// (ssapass.Outside).
//
// Source: TaskChecker, section 6.1. Departures: the paper's main task is the code
// outside of any finish; here phases of the main task are found by flow, across
// calls, and several of them may lie between tasks. What is alone only at run time
// (a pool that was stopped, a loop over Wait) is left to the detector
// (Engine.Alone).
func maintask(m *maker) {
	m.open(func(i int, s *ssapass.Site) {
		for _, c := range s.Accesses {
			if m.a.Parallel(c.Instr) {
				m.keep(i, "other tasks may run")
				return
			}
			if m.a.Outside(m.a.Where(s, c)) {
				m.keep(i, "a finalizer or callback may touch it")
				return
			}
		}
		m.prove(i, "no other task exists")
	})
}

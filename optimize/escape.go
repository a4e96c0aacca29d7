package optimize

import "taskinstr/ssapass"

// # escape
//
// Removes the checks of accesses to objects that never leave their task: no other
// task can name them, so that no access there races.
//
// Needs: ssapass.SharedAt false for the memory of every access, which speaks of
// all objects that the address may point to, for their whole life.
//
// A captured variable is reached by others only from where the function literal is
// made: accesses before that are local as well (ssapass.Private).
//
// Source: TaskChecker, section 6.3 (its task-local objects). Departure: the
// paper asks for objects allocated in the task that accesses them; here a
// points-to analysis with one object for each allocating instruction and calling
// context tells which objects another task may reach. It knows no time but for
// captured variables: an object that is handed over once is shared from the
// beginning.
func escape(m *maker) {
	m.open(func(i int, s *ssapass.Site) {
		reason := "no other task reaches it"
		for _, c := range s.Accesses {
			switch {
			case !m.a.SharedAt(m.a.Where(s, c)):
			case m.a.Private(c.Instr):
				reason = "no other task knows it yet"
			default:
				m.keep(i, "other tasks may reach it")
				return
			}
		}
		m.prove(i, reason)
	})
}

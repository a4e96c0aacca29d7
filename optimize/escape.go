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
// Source: TaskChecker, section 6.3 (its task-local objects). Departure: the
// paper asks for objects allocated in the task that accesses them; here a
// points-to analysis with one object for each allocating instruction and calling
// context tells which objects another task may reach. It knows no time: an
// object that is handed over once is shared from the beginning.
func escape(m *maker) {
	m.open(func(i int, s *ssapass.Site) {
		for _, c := range s.Accesses {
			if m.a.SharedAt(m.a.Where(s, c)) {
				m.keep(i, "other tasks may reach it")
				return
			}
		}
		m.prove(i, "no other task reaches it")
	})
}

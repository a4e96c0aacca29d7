package optimize

import "taskinstr/ssapass"

// # fresh
//
// Removes the checks of first values: of what literals and collected arguments hold,
// and of variables, while nobody else can know the memory. An access of another task
// that is not ordered after the first value has read the pointer from somewhere, and
// that read is not ordered after the store of the pointer either: of two races one is
// still reported, the one on the pointer.
//
// Needs: every store that makes the memory known has a check (ssapass.Unchecked false
// for the memory of every access). Code outside the program, functions marked
// go:norace and packages that -pkgs leaves out have none.
//
// Source: no paper; Go's own detector records such writes.
func fresh(m *maker) {
	m.open(func(i int, s *ssapass.Site) {
		if !s.Fresh {
			return
		}
		for _, c := range s.Accesses {
			if m.unchecked()(m.a.Where(s, c)) {
				m.keep(i, "code without checks may make it known")
				return
			}
		}
		m.prove(i, "nobody else knows it yet")
	})
}

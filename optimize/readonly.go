package optimize

import (
	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// # readonly
//
// Removes the checks of reads of memory that nobody writes while more than one
// task may exist: two reads do not race, and what was written before is ordered
// by the start of the tasks.
//
// What is written in another phase of the main task is ordered, too, by the moment
// between them at which no other task exists (ssapass/region.go).
//
// Needs: ssapass.WrittenBeside false for the memory of every access, and that
// no function the runtime starts by itself touches it: such a read may meet a
// write of the main task that seems to be alone.
//
// First values that literals give new memory are no writes in this sense, as long as
// only checked code makes the memory known: see the pass fresh.
//
// Source: TaskChecker, section 6.2. Departures: the paper looks at the fields and
// arrays written inside of any task; here cells of single objects, and the main
// task's writes beside running tasks as well.
func readonly(m *maker) {
	w := &writers{m: m}
	m.open(func(i int, s *ssapass.Site) {
		if s.Key.Write {
			return
		}
		for _, c := range s.Accesses {
			set := m.a.Where(s, c)
			if m.a.WrittenBeside(c.Instr, set) {
				why := "may be written in parallel"
				if j := w.of(set); j >= 0 {
					why += " at " + m.at(j, i)
				}
				m.keep(i, why)
				return
			}
			if m.a.FilledInParallel(set) && m.unchecked()(set) {
				m.keep(i, "its first value may be made known by code without checks")
				return
			}
			if m.a.Outside(set) {
				m.keep(i, "a finalizer or callback may touch it")
				return
			}
		}
		m.prove(i, "nobody writes it while tasks run")
	})
}

// writers finds, for reasons, a site that writes memory in parallel.
type writers struct {
	m      *maker
	first  map[uint32]int // by cell: the first such site, those of packages in scope before others
	anyone int            // the first that may write whatever escaped
}

func (w *writers) of(set pointsto.Set) int {
	if w.first == nil {
		w.collect()
	}
	for _, c := range set.Cells {
		for k := range max(1, set.Width) {
			if i, ok := w.first[c+k]; ok {
				return i
			}
		}
	}
	if set.Unknown {
		return w.anyone
	}
	return -1
}

func (w *writers) collect() {
	w.first, w.anyone = map[uint32]int{}, -1
	for _, scope := range []bool{true, false} {
		for i, s := range w.m.a.Sites.List {
			if !s.Key.Write || w.m.inScope(s) != scope {
				continue
			}
			for _, c := range s.Accesses {
				set := w.m.a.Where(s, c)
				if !w.m.a.WrittenInParallel(set) || !w.m.a.Parallel(c.Instr) {
					continue
				}
				if set.Unknown && w.anyone < 0 && scope {
					w.anyone = i
				}
				for _, cell := range set.Cells {
					for k := range max(1, set.Width) {
						if _, ok := w.first[cell+k]; !ok {
							w.first[cell+k] = i
						}
					}
				}
			}
		}
	}
}

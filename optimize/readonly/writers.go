package readonly

import (
	"taskinstr/optimize/builder"
	"taskinstr/ssapass/pointsto"
)

// writers finds, for a reason, a site that writes given memory in parallel.
type writers struct {
	b       *builder.Builder
	first   map[uint32]int // by cell: the first such site; packages in scope come before others
	escaped int            // the first site that may write any escaped object; -1: none
}

// of returns the first site that writes memory of the set in parallel, -1 if none is
// known. The order of cells differs from run to run; the answer does not depend on it.
func (w *writers) of(set pointsto.Set) int {
	if w.first == nil {
		w.collect()
	}
	best := -1
	for _, c := range set.Cells {
		for k := range max(1, set.Width) {
			if i, ok := w.first[c+k]; ok && (best < 0 || w.precedes(i, best)) {
				best = i
			}
		}
	}
	if best < 0 && set.Unknown {
		return w.escaped
	}
	return best
}

// precedes reports whether site i comes before site j: packages in scope come first.
func (w *writers) precedes(i, j int) bool {
	list := w.b.Analysis.Sites.List
	if in := w.b.InScope(list[i].Pkg.Path()); in != w.b.InScope(list[j].Pkg.Path()) {
		return in
	}
	return i < j
}

func (w *writers) collect() {
	w.first, w.escaped = map[uint32]int{}, -1
	a := w.b.Analysis
	for _, scope := range []bool{true, false} {
		for i, s := range a.Sites.List {
			if !s.Key.Write || w.b.InScope(s.Pkg.Path()) != scope {
				continue
			}
			for _, c := range s.Accesses {
				set := a.Where(s, c)
				if !a.WrittenInParallel(set) || !a.Parallel(c.Instr) {
					continue
				}
				if set.Unknown && w.escaped < 0 && scope {
					w.escaped = i
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

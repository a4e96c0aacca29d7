package nest

import (
	"maps"
	"slices"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A status is a set of flags for the pairs of accesses of one byte.
type status uint8

const (
	perhaps status = 1 << iota // a pair may race, be a predicted race, or neither: critical sections decide
	racy                       // a pair certainly races
)

// maxPairs bounds the pairs of steps that race on a byte, summed over the bytes: each
// may become a report.
const maxPairs = 4000

// truth returns the status of each byte of each object, nil if there are too many
// races.
func (r *runner) truth() map[*object][]status {
	pairs := 0
	structural := r.closure(nil)
	possible := r.closure(structural)
	byObject := map[*object][]access{}
	for a := range r.made {
		byObject[a.obj] = append(byObject[a.obj], a)
	}
	out := map[*object][]status{}
	for obj, list := range byObject {
		// For the accesses of one step, only their kinds and bytes matter.
		type mark struct{ read, write bool }
		marks := make([]map[int]*mark, obj.size)
		for _, a := range list {
			for i := a.lo; i < a.hi; i++ {
				if marks[i] == nil {
					marks[i] = map[int]*mark{}
				}
				m := marks[i][a.step]
				if m == nil {
					m = new(mark)
					marks[i][a.step] = m
				}
				m.read, m.write = m.read || !a.write, m.write || a.write
			}
		}
		bytes := make([]status, obj.size)
		for i, steps := range marks {
			ids := slices.Sorted(maps.Keys(steps))
			for k, a := range ids {
				for _, b := range ids[k+1:] {
					if steps[a].write || steps[b].write {
						s := r.judge(a, b, structural, possible)
						bytes[i] |= s
						if s != 0 {
							pairs++
						}
					}
				}
			}
		}
		out[obj] = bytes
	}
	if pairs > maxPairs {
		return nil
	}
	return out
}

func (r *runner) judge(a, b int, structural, possible random.Relation) status {
	s, t := r.steps[a], r.steps[b]
	switch {
	case structural.Has(a, b) || structural.Has(b, a):
		return 0
	case s.lock != nil && s.lock == t.lock && !(s.shared && t.shared):
		return 0
	case possible.Has(a, b) || possible.Has(b, a):
		return perhaps
	}
	return racy
}

// closure returns the order by program order, forks, joins and messages if structural is
// nil. Given that order, it returns the pairs that the critical sections could order in
// addition, in any of their orders.
func (r *runner) closure(structural random.Relation) random.Relation {
	n := len(r.steps)
	succ := make([][]int, n)
	for _, s := range r.steps {
		succ[s.id] = append(succ[s.id], s.succ...)
	}
	if structural != nil {
		for _, s := range r.steps {
			for _, t := range r.steps {
				if s != t && s.lock != nil && s.lock == t.lock && !(s.shared && t.shared) && !structural.Has(t.id, s.id) {
					succ[s.id] = append(succ[s.id], t.id)
				}
			}
		}
	}
	return random.Reach(succ)
}

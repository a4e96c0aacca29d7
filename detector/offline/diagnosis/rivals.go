package diagnosis

import "taskinstr/detector/event"

// A detector keeps few of the accesses to a byte: each represents all accesses that are parallel
// to the same later ones. That is not enough to decide whether some order has a race. Of two
// accesses of one step, the first may come before a value is handed over and the second behind
// that. So if the accesses that a detector names do not race, the diagnosis asks about their
// rivals: the other accesses to the same bytes.

// Rivals returns pairs of accesses to some of the n bytes at addr that conflict, belong to two
// tasks, and are not under locks that exclude each other. The bytes must belong to the same
// object as at event near. It returns at most limit pairs, one of each pair of parties; all is
// false if there are more.
func (t *Trace) Rivals(near int, addr, n uint64, limit int) (pairs [][2]int, all bool) {
	type parties struct{ a, b event.Party }
	seen := map[parties]bool{}
	list := t.accesses(near, addr, n)
	for k, j := range list {
		for _, i := range list[:k] {
			a, b := &t.events[i], &t.events[j]
			if a.Task == b.Task || !a.Kind.Conflicts(b.Kind) || !overlap(a, b) {
				continue
			}
			if p := (parties{a.Party(), b.Party()}); !seen[p] && !t.exclude(i, j) {
				seen[p] = true
				if len(pairs) == limit {
					return pairs, false
				}
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs, true
}

// RivalsOf returns the accesses of other tasks to these bytes that conflict with p, an access
// of a branch not taken, and are not under a lock that its side takes; at most limit, one of
// each party. all is false if there are more.
func (t *Trace) RivalsOf(p event.Party, near int, addr, n uint64, limit int) (list []int, all bool) {
	seen := map[event.Party]bool{}
	side := t.possible(p, addr, n)
	for _, i := range t.accesses(near, addr, n) {
		e := &t.events[i]
		if e.Task == p.Task || !e.Kind.Conflicts(p.Kind) || seen[e.Party()] || side >= 0 && t.locked(i, t.events[side].Locks) {
			continue
		}
		seen[e.Party()] = true
		if len(list) == limit {
			return list, false
		}
		list = append(list, i)
	}
	return list, true
}

// locked reports whether an event is under one of the locks that a side takes.
func (t *Trace) locked(i int, locks []uint64) bool {
	for _, s := range t.holds(i) {
		for _, l := range locks {
			obj, shared, givenUp := event.LockOf(l)
			if obj == t.events[s.lock].Obj && !givenUp && !(shared && s.shared) {
				return true
			}
		}
	}
	return false
}

// exclude reports whether a lock that is held at both events keeps them apart.
func (t *Trace) exclude(i, k int) bool {
	for _, x := range t.holds(i) {
		for _, y := range t.holds(k) {
			if t.events[x.lock].Obj == t.events[y.lock].Obj && !(x.shared && y.shared) {
				return true
			}
		}
	}
	return false
}

// holds returns the critical sections of its task around event i.
func (t *Trace) holds(i int) (list []*section) {
	for _, s := range t.ofTask[t.events[i].Task] {
		if s.lock > i {
			break
		}
		if s.unlock < 0 || s.unlock > i {
			list = append(list, s)
		}
	}
	return list
}

// PartyOf returns the party of a race that has the access i.
func (t *Trace) PartyOf(i int) event.Party { return t.events[i].Party() }

package dfs

import (
	"cmp"
	"slices"
)

// An Access is a section's read or write of the bytes [Lo, Hi). The addresses hold within
// one run only.
type Access struct {
	Lo, Hi uint64
	Write  bool
}

// A footprint holds the accesses of a section: disjoint spans in ascending order.
type footprint struct{ reads, writes []span }

type span struct{ lo, hi uint64 }

func footprintOf(list []Access) (f footprint) {
	for _, a := range list {
		if a.Write {
			f.writes = append(f.writes, span{a.Lo, a.Hi})
		} else {
			f.reads = append(f.reads, span{a.Lo, a.Hi})
		}
	}
	f.reads, f.writes = apart(f.reads), apart(f.writes)
	return f
}

// apart sorts spans and merges spans that touch.
func apart(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

func meet(a, b []span) bool {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].hi <= b[j].lo:
			i++
		case b[j].hi <= a[i].lo:
			j++
		default:
			return true
		}
	}
	return false
}

// conflicts reports whether one of the two writes a byte that the other accesses.
func (f footprint) conflicts(g footprint) bool {
	return meet(f.writes, g.writes) || meet(f.writes, g.reads) || meet(f.reads, g.writes)
}

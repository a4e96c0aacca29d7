package lockset

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A Set is the number of a set in its table. 0 is the empty set.
type Set uint32

// A Lock is an element of a set.
type Lock struct {
	Obj    uint64
	Shared bool
}

// A Table holds all sets of one execution.
type Table struct {
	sets     [][]Lock // each in ascending order; a lock held in both modes occurs once, as exclusive
	index    map[string]Set
	protects map[[2]Set]bool
	covers   map[[2]Set]bool
}

// NewTable returns a table with the empty set.
func NewTable() *Table {
	return &Table{
		sets:     make([][]Lock, 1),
		index:    map[string]Set{"": 0},
		protects: map[[2]Set]bool{},
		covers:   map[[2]Set]bool{},
	}
}

// Len returns the number of different sets, including the empty one.
func (t *Table) Len() int { return len(t.sets) }

// Locks returns the locks of a set. The caller must not change them.
func (t *Table) Locks(s Set) []Lock { return t.sets[s] }

// Of returns the set of the given locks, in any order.
func (t *Table) Of(locks []Lock) Set {
	if len(locks) == 0 {
		return 0
	}
	set := slices.Clone(locks)
	slices.SortFunc(set, func(a, b Lock) int {
		if c := cmp.Compare(a.Obj, b.Obj); c != 0 || a.Shared == b.Shared {
			return c
		}
		if b.Shared {
			return -1
		}
		return 1
	})
	set = slices.CompactFunc(set, func(a, b Lock) bool { return a.Obj == b.Obj })
	const keySize = 9 // bytes of a lock in the key
	key := make([]byte, 0, keySize*len(set))
	for _, l := range set {
		key = binary.LittleEndian.AppendUint64(key, l.Obj)
		if l.Shared {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	s, ok := t.index[string(key)]
	if !ok {
		s = Set(len(t.sets))
		t.sets = append(t.sets, set)
		t.index[string(key)] = s
	}
	return s
}

// Protects reports whether accesses under a and b exclude each other.
func (t *Table) Protects(a, b Set) bool {
	if a == 0 || b == 0 {
		return false
	}
	if a > b {
		a, b = b, a
	}
	return remember(t.protects, a, b, func() bool {
		for i, j := 0, 0; i < len(t.sets[a]) && j < len(t.sets[b]); {
			x, y := t.sets[a][i], t.sets[b][j]
			switch {
			case x.Obj < y.Obj:
				i++
			case x.Obj > y.Obj:
				j++
			case !x.Shared || !y.Shared:
				return true
			default:
				i, j = i+1, j+1
			}
		}
		return false
	})
}

// Covers reports whether every lockset that protects an access under a protects one under
// b as well: b contains each lock of a, in a mode at least as strong.
func (t *Table) Covers(a, b Set) bool {
	if a == 0 || a == b {
		return true
	}
	return remember(t.covers, a, b, func() bool {
		j := 0
		for _, x := range t.sets[a] {
			for j < len(t.sets[b]) && t.sets[b][j].Obj < x.Obj {
				j++
			}
			if j == len(t.sets[b]) || t.sets[b][j].Obj != x.Obj || t.sets[b][j].Shared && !x.Shared {
				return false
			}
		}
		return true
	})
}

func remember(m map[[2]Set]bool, a, b Set, f func() bool) bool {
	k := [2]Set{a, b}
	v, ok := m[k]
	if !ok {
		v = f()
		m[k] = v
	}
	return v
}

package parallel

import (
	"slices"
	"testing"
)

// Whether an access subsumes a record may change while a list is shortened: another task
// has ended a critical section.
func TestWithoutChanges(t *testing.T) {
	e, m := newEngine(t, Options{})
	var list half
	var records []uint32 // newest first
	for i := range 4 {
		u := e.Fork(m, 0, 0)
		list = e.cons(u, e.recordOf(u, Read), uint32(10+i), list)
		records = slices.Insert(records, 0, e.recordOf(u, Read))
	}
	for _, c := range []struct {
		name         string
		before, then []int // the records that go, by index, when asked first and when asked again
		kept         []int
	}{
		{"the same", []int{1}, []int{1}, []int{0, 2, 3}},
		{"none", nil, nil, []int{0, 1, 2, 3}},
		{"all", []int{0, 1, 2, 3}, []int{0, 1, 2, 3}, nil},
		{"all, but late", []int{3}, []int{0, 1, 2, 3}, nil},
		{"one more", []int{2}, []int{0, 2}, []int{1, 3}},
		{"one behind the last", []int{1}, []int{1, 3}, []int{0, 2, 3}},
	} {
		asked := map[uint32]bool{}
		s := e.without(m, list, func(i uint32) bool {
			goes := c.before
			if asked[i] {
				goes = c.then
			}
			asked[i] = true
			return slices.Contains(goes, slices.Index(records, i))
		})
		var kept []int
		for s.h != 0 {
			var i uint32
			i, _, s = e.first(s)
			kept = append(kept, slices.Index(records, i))
			if len(kept) > len(records) {
				break
			}
		}
		slices.Sort(kept)
		if !slices.Equal(kept, c.kept) {
			t.Errorf("%s: kept %v, want %v", c.name, kept, c.kept)
		}
	}
}

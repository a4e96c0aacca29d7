package ssapass

import "testing"

// TestInstances: a site of a generic function has an access for each instance, a
// function that never runs has dead sites, and expressions on one line have sites of
// their own.
func TestInstances(t *testing.T) {
	dir := module(t, map[string]string{"main.go": `package main

type inner struct{ n int }
type outer struct{ *inner }

func first[T any](xs []T) T { return xs[0] }

func never(p *int) { *p = 1 }

func bump(o *outer, xs []int) {
	o.n++
	for _, x := range xs { o.n += x }
	copy(xs, xs[1:])
}

func main() {
	first([]int{1})
	first([]string{""})
	bump(&outer{&inner{}}, []int{1})
}
`})
	sites := load(t, dir, false, ".").Sites()
	file := dir + "/main.go"
	for _, c := range []struct {
		key  Key
		accs int
		dead bool
	}{
		{Key{file, 6, 38, "xs[0]", false, false}, 2, false},
		{Key{file, 8, 22, "*p", true, false}, 0, true},
		{Key{file, 11, 2, "o.n", true, false}, 1, false},
		{Key{file, 11, 2, "o.n", false, false}, 1, false},
		{Key{file, 11, 2, "o.inner", false, false}, 1, false},
		{Key{file, 12, 20, "xs", false, true}, 1, false},
		{Key{file, 13, 7, "xs", true, true}, 1, false},
		{Key{file, 13, 11, "xs[1:]", false, true}, 1, false},
	} {
		s := sites.Lookup(c.key)
		if s == nil {
			t.Errorf("%+v: no site", c.key)
			continue
		}
		if len(s.Accesses) != c.accs || s.Dead != c.dead {
			t.Errorf("%+v: %d accesses, dead %v; want %d, %v", c.key, len(s.Accesses), s.Dead, c.accs, c.dead)
		}
		for _, a := range s.Accesses {
			if l := sites.Of(a.Instr); len(l) == 0 {
				t.Errorf("%+v: Of(%s) is empty", c.key, a.Instr)
			}
		}
	}
	if s := sites.Lookup(Key{file, 11, 2, "o.m", true, false}); s != nil {
		t.Error("a site that is not there was found")
	}
}

package splice

import (
	"fmt"
	"strings"
	"testing"

	"taskinstr/internal/site"
)

const gatheredSource = `package main

type list []int

func fill(a list, at []int, stop int) (n int) {
	defer func() { println("deferred", recover() != nil) }()
	for i := 0; i < len(at); i++ {
		if i == stop {
			return n
		}
		a[at[i]] = i
		n++
	}
	return n
}

func main() {
	up, spread := make([]int, 40), make([]int, 40)
	for i := range up {
		up[i], spread[i] = i, i*27%40
	}
	println("begin up")
	println("end", fill(make([]int, 40), up, -1))
	println("begin return")
	println("end", fill(make([]int, 40), up, 7))
	println("begin panic")
	println("end", fill(make([]int, 9), up, -1))
	println("begin spread")
	println("end", fill(make([]int, 40), spread, -1))
}
`

// TestGathered runs a loop that collects a range, in a function that defers a call. However
// the loop ends, the deferred call comes after the check of all elements that the loop has
// reached.
func TestGathered(t *testing.T) {
	elem := site.Key{File: "p.go", Line: 11, Col: 3, Expr: "a[at[i]]", Write: true}
	plan := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(gatheredSource))},
		Fates:   map[site.Key]Fate{elem: {Flag: "_ti_g1", Gather: true}},
		Inserts: []Insert{{File: "p.go", Line: 7, Col: 2, Gathers: []string{"_ti_g1"}}}}
	r := spliceText(t, gatheredSource, plan)
	if r.Stats.Unplanned != 0 || r.Stats.Guarded != 1 {
		t.Errorf("%+v\n%s", r.Stats, r.Files[0])
	}
	host(r)
	out := goRun(t, t.TempDir(), "p.go", string(r.Files[0]), r.Generated)
	for _, c := range []struct {
		name     string
		elements int
		checks   [2]int // at least and at most
	}{{"up", 40, [2]int{1, 1}}, {"return", 7, [2]int{1, 1}}, {"panic", 9, [2]int{1, 1}}, {"spread", 40, [2]int{20, 40}}} {
		_, part, _ := strings.Cut(out, "begin "+c.name+"\n")
		part, _, _ = strings.Cut(part, "end ")
		before, after, ok := strings.Cut(part, "deferred ")
		if !ok || strings.Contains(after, "W ") {
			t.Errorf("%s: checked after the deferred call:\n%s", c.name, part)
		}
		checks, bytes := 0, 0
		for line := range strings.Lines(before) {
			var n int
			if k, _ := fmt.Sscanf(line, "W %d a[at[i]]", &n); k == 1 {
				checks++
				bytes += n
			}
		}
		if bytes != 8*c.elements || checks < c.checks[0] || checks > c.checks[1] {
			t.Errorf("%s: %d bytes in %d checks, want %d in %v:\n%s", c.name, bytes, checks, 8*c.elements, c.checks, part)
		}
	}
}

const gotoSource = `package main

func sum(a, at []int) (n int) {
	round := 0
again:
	for i := 0; i < len(at); i++ {
		n += a[at[i]]
	}
	for i := 0; i < len(at); i++ {
		n -= a[at[i]+1]
	}
	if round++; round < 3 {
		goto again
	}
	return n
}

func main() {
	a, at := make([]int, 41), make([]int, 40)
	for i := range at {
		at[i] = i
		a[i] = i
	}
	println("sum", sum(a, at))
}
`

// TestGatheredGoto: a loop collects ranges in a function with a goto. A loop with the label of
// a goto has its own checks.
func TestGatheredGoto(t *testing.T) {
	read := func(line int, expr string) site.Key {
		return site.Key{File: "p.go", Line: line, Col: 8, Expr: expr}
	}
	plan := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(gotoSource))},
		Fates: map[site.Key]Fate{
			read(7, "a[at[i]]"):    {Flag: "_ti_g1", Gather: true},
			read(10, "a[at[i]+1]"): {Flag: "_ti_g2", Gather: true},
		},
		Inserts: []Insert{
			{File: "p.go", Line: 6, Col: 2, Gathers: []string{"_ti_g1"}},
			{File: "p.go", Line: 9, Col: 2, Gathers: []string{"_ti_g2"}},
		}}
	r := spliceText(t, gotoSource, plan)
	host(r)
	out := goRun(t, t.TempDir(), "p.go", string(r.Files[0]), r.Generated)
	for expr, want := range map[string]int{"a[at[i]]": 3 * 40, "a[at[i]+1]": 3} {
		bytes, checks := 0, 0
		for line := range strings.Lines(out) {
			var n int
			if k, _ := fmt.Sscanf(line, "R %d", &n); k == 1 && strings.HasSuffix(line, " "+expr+"\n") {
				bytes += n
				checks++
			}
		}
		if bytes != 3*40*8 || checks != want {
			t.Errorf("%s: %d bytes in %d checks, want %d in %d:\n%s", expr, bytes, checks, 3*40*8, want, out)
		}
	}
	if !strings.Contains(out, "sum 0\n") {
		t.Errorf("another sum in\n%s", out)
	}
}

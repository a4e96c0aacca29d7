package lint

import (
	"slices"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

const shapes = `package main

import "sync/atomic"

type T struct{ a, b int }

var (
	g  int
	n  int32
	xs []int
	m  = map[int]int{}
)

func use(t *T) {
	t.a++
	t.b = g
	xs = append(xs, t.a)
	copy(xs, xs[1:])
	for _, x := range xs {
		g += x
	}
	m[1] = 2
	var local T
	local.a = 1
}

func never(t *T) { t.a = 1 }

//go:nosplit
func small(t *T) { t.b = 2 }

func main() {
	t := new(T)
	go use(t)
	small(t)
	atomic.AddInt32(&n, 1)
}
`

// TestSites compares the list of sites with the expected checks: op= has one check, of a
// write; functions that never run have their own accesses and no others; locals and maps
// have no checks.
func TestSites(t *testing.T) {
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.25\n", "main.go": shapes})
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := optimize.Make(p.Analyze(), optimize.Set{}, optimize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := report(plan, listedPackages(p, false), dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Sites {
		if s.Fate != Kept || s.File != "main.go" {
			t.Errorf("%s: %s by %s, with no pass", s.Place, s.Fate, s.Pass)
		}
		got = append(got, s.Func+": "+s.Subject())
	}
	want := []string{
		"use: write of t.a",
		"use: read of g", "use: write of t.b",
		"use: read of t.a", "use: read of xs", "use: write of xs", "use: write of the elements of append(xs, t.a)",
		"use: read of xs", "use: read of xs", "use: write of the elements of xs", "use: read of the elements of xs[1:]",
		"use: read of xs", "use: read of the elements of xs",
		"use: write of g",
		"never: write of t.a",
		"small: write of t.b",
		"main: access of atomic.AddInt32(&n, 1)",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

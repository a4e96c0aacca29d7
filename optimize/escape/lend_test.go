package escape_test

import (
	"slices"
	"strings"
	"testing"

	"taskinstr/internal/site"
	"taskinstr/optimize/passtest"
)

var lentSource = `package m

import "sync"

type T struct {
	n, m int
	in   struct{ k int }
	a    [4]int
	p    *int
}

func (t *T) Own() {
	t.n++
	t.in.k = t.a[t.m]
	*t.p = 1
	t.step()
	func() { t.m = 2 }()
}

func (t *T) step() { t.m++ }

func (t *T) alone() { t.m++ }

func (t *T) Value() int { return t.n }

func (t *T) Nothing() int { return 3 }

func (t *T) Large() {
	t.n++ // ` + largeComment + `
}

//go:noinline
func (t *T) Directed() { t.n++ }

func (t *T) Typed() {
	type local struct{ n int }
	t.n = local{1}.n
}

func (t T) Copied() int { return t.n }

func First(t *T, u *T) { t.n, u.n = 1, 2 }

func Second(n int, t *T) { t.n = n }

func (t *T) Unnamed(int) { t.n++ }

type Locked struct {
	mu sync.Mutex
	n  int
}

func (l *Locked) Add() { l.n++ }

type Generic[E any] struct{ e E }

func (g *Generic[E]) Set(e E) { g.e = e }

func Use(shared *T) {
	var t T
	t.Own()
	t.alone()
	shared.Own()
	defer t.Own()
	go shared.Value()
	First(&t, shared)
	First(shared, &t)
	Second(1, &t)
	t.Large()
	var kept T
	kept.Value()
	keep(&kept)
}

var known *T

func keep(t *T) { known = t }
`

var largeComment = strings.Repeat("x", 400)

// TestLend: the functions of a package that get copies, with the checks that these lack, and the calls that go to them.
func TestLend(t *testing.T) {
	p := passtest.Plan(t, passtest.Unit(t, "m.go", lentSource), "escape")
	lines := strings.Split(lentSource, "\n")
	at := func(p site.Pos) string { return lines[p.Line-1][p.Col-1:] }
	var got []string
	for _, x := range p.Borrowers {
		name, _, _ := strings.Cut(at(x.Func), "(")
		name += ":"
		for _, i := range x.Sites {
			name += " " + p.Analysis.Sites.List[i].Key.Expr
		}
		for _, c := range x.Lent {
			name += ", calls " + at(c)
		}
		got = append(got, name)
	}
	for _, l := range p.Lent {
		got = append(got, "lent: "+at(l.At))
	}
	slices.Sort(got)
	want := []string{
		"First: t.n",
		"Own: t.n t.in.k t.a[t.m] t.m t.p, calls step()", // not *t.p, and not t.m in the literal
		"Value: t.n",
		"lent: First(&t, shared)",
		"lent: Own()",
		"step: t.m",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

package builder_test

import (
	"testing"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/passtest"
)

const program = `package main

type box struct{ n, m int }

var shared = new(box)

var list = []int{1}

func main() {
	shared.n++
	shared.m = shared.n
	done := make(chan bool)
	go func() {
		shared.m += len(list)
		done <- true
	}()
	<-done
	list = nil
}
`

// start returns a builder for the program whose pass has begun, and a function that finds
// a site by line, expression and kind.
func start(t *testing.T, p builder.Pass) (b *builder.Builder, fates []builder.Fate, find func(line int, expr string, write bool) int) {
	a := passtest.Program(t, "p.go", program)
	fates = make([]builder.Fate, len(a.Sites.List))
	b, err := builder.New(a, fates, []builder.Pass{p}, builder.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	b.Begin(p)
	return b, fates, func(line int, expr string, write bool) int {
		for i, s := range a.Sites.List {
			if s.Pkg.Path() == "m" && s.Key.Line == line && s.Key.Expr == expr && s.Key.Write == write {
				return i
			}
		}
		t.Fatalf("no site of %s in line %d", expr, line)
		return -1
	}
}

// TestOpen: a site is open until it has a fate or covers another one, and only in scope.
func TestOpen(t *testing.T) {
	b, fates, find := start(t, builder.Pass{Name: "test", Proves: true})
	write, read, other := find(10, "shared.n", true), find(11, "shared.n", false), find(11, "shared.m", true)
	for _, i := range []int{write, read, other} {
		if !b.IsOpen(i) || !b.CanCover(i) {
			t.Errorf("site %d is not open", i)
		}
	}
	b.Cover(read, write, "covered")
	b.Prove(other, "proved")
	for _, i := range []int{write, read, other} {
		if b.IsOpen(i) {
			t.Errorf("site %d is open with the fate %+v", i, fates[i])
		}
	}
	if !b.CanCover(write) || b.CanCover(read) {
		t.Error("a cover may cover more; a removed check covers nothing")
	}
	if f := b.Fate(read); f.Kind != builder.Removed || f.Pass != "test" || f.By != write || fates[read].By != write {
		t.Errorf("the covered read has the fate %+v", f)
	}
	for i, s := range b.Open() {
		if s.Pkg.Path() != "m" || fates[i].Kind != builder.Kept {
			t.Errorf("open: %v in %s, %+v", s.Key, s.Pkg.Path(), fates[i])
		}
	}
}

// TestTwins: the read of ++ has no check of its own, and its twin is the write.
func TestTwins(t *testing.T) {
	b, _, find := start(t, builder.Pass{Name: "test"})
	write, read := find(10, "shared.n", true), find(10, "shared.n", false)
	if b.Twin(write) != read || b.Twin(read) != write {
		t.Errorf("twins are %d and %d", b.Twin(write), b.Twin(read))
	}
	if !b.Checked(write) || b.Checked(read) || b.IsOpen(read) {
		t.Error("the check is not that of the write alone")
	}
	if i := find(11, "shared.m", true); b.Twin(i) != -1 {
		t.Errorf("an assignment has the twin %d", b.Twin(i))
	}
}

// TestPart: a check of a part of the access has no flag and covers nothing.
func TestPart(t *testing.T) {
	b, _, find := start(t, builder.Pass{Name: "test"})
	i := find(14, "list", false)
	if !b.Part(i) || b.CanCover(i) || !b.IsOpen(i) {
		t.Errorf("len(list): part %v, can cover %v, open %v", b.Part(i), b.CanCover(i), b.IsOpen(i))
	}
	if b.Begin(builder.Pass{Name: "guards", Guards: true}); b.IsOpen(i) {
		t.Error("len(list) is open for a pass with flags")
	}
}

// TestExplain: the last reason of a pass counts, and each kept site has one.
func TestExplain(t *testing.T) {
	b, fates, find := start(t, builder.Pass{Name: "test"})
	i := find(11, "shared.m", true)
	b.Keep(i, "first")
	b.Keep(i, "last")
	b.Explain()
	for j, f := range fates {
		if f.Kind != builder.Kept || f.Reason == "" {
			t.Errorf("site %d: %+v", j, f)
		}
	}
	if fates[i].Reason != "last" {
		t.Errorf("the reason is %q", fates[i].Reason)
	}
	if got := b.Position(i, i); got != "p.go:11:2" {
		t.Errorf("position %q", got)
	}
}

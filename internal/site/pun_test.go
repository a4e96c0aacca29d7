package site

import (
	"slices"
	"testing"
)

// TestPunned reads and writes variables under another type: variables of one goroutine
// stay without checks, others keep theirs.
func TestPunned(t *testing.T) {
	const src = `package p

import "unsafe"

var g float64

func bits(f float64) uint64 { return *(*uint64)(unsafe.Pointer(&f)) }

func low(f float64) (h uint32) {
	*(*uint32)(unsafe.Pointer(&h)) = *(*uint32)(unsafe.Pointer(&f))
	return h
}

func shared(p *float64) uint64 {
	g = 1
	f := *p
	go func() { f = 2 }()
	q := p
	other := &q
	_ = other
	return *(*uint64)(unsafe.Pointer(&f)) + *(*uint64)(unsafe.Pointer(&g)) + *(*uint64)(unsafe.Pointer(p)) + **(**uint64)(unsafe.Pointer(&q))
}
`
	var got []string
	for _, s := range plannable(t, src) {
		k := s.Key
		if k.Line < 14 || k.Line > 20 {
			got = append(got, k.Expr)
		}
	}
	want := []string{"*(*uint64)(unsafe.Pointer(&f))", "*(*uint64)(unsafe.Pointer(&g))", "*(*uint64)(unsafe.Pointer(p))", "*(**uint64)(unsafe.Pointer(&q))", "**(**uint64)(unsafe.Pointer(&q))"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("checked %q, want %q", got, want)
	}
}

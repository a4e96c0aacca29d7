package m

import (
	"fmt"
	"sync"
	"testing"
)

var total, limit, old int

func sum(xs []int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		total += xs[0] // want total w: / xs r: readonly
	})
	wg.Wait()
	total++ // want total w: sequential
}

func TestSum(t *testing.T) {
	limit = 2 // want limit w: local sequential readonly
	sum([]int{1})
	if total != limit { // want total r: sequential
		t.Fatal("wrong")
	}
	t.Run("again", func(t *testing.T) {
		total = 0 // want total w: sequential
	})
}

func TestClean(t *testing.T) {
	old = total // want old w: sequential readonly
	t.Cleanup(func() { total = old })
}

func BenchmarkSum(b *testing.B) {
	xs := []int{1}
	for b.Loop() {
		total = 1 // want total w: sequential
		sum(xs)
	}
}

type loud struct{ n int }

func (l *loud) String() string { return "loud" }

type holder struct{ l *loud }

// What is printed does not escape, unless printing it may call methods.
func TestPrinted(t *testing.T) {
	quiet := map[string][]int{"a": {1}}
	quiet["a"][0] = 2 // want quiet["a"][0] w: local sequential readonly
	h := holder{&loud{}}
	h.l.n = 1 // want h.l.n w:
	t.Log(quiet, h)
}

type steps struct{ n []int }

func (s *steps) next() { s.n[0]++ }

// A twin has the contents of a loud.
type twin struct{ n int }

func TestPointersPrinted(t *testing.T) {
	s := &steps{[]int{1}}
	s.next()
	s.n[0] = 2 // want s.n[0] w: local sequential readonly
	t.Log(s)
	w := &twin{}
	w.n = 1 // want w.n w:
	t.Log((*loud)(w))
}

// What is scanned is written.
func TestScanned(t *testing.T) {
	n := new(int)
	var wg sync.WaitGroup
	wg.Go(func() { fmt.Sscan("1", n) })
	wg.Go(func() {
		total = *n // want *n r:
	})
	wg.Wait()
}

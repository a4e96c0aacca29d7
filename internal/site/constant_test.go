package site

import (
	"slices"
	"strings"
	"testing"
)

// TestConstant reads package-level variables. A variable that nothing can assign to has
// no site; each other one has, for the reason in its name. Two reads of rows are reads of
// elements, behind a pointer.
func TestConstant(t *testing.T) {
	const src = `package p

type T struct{ a, b int }

func (t *T) set()    { t.a = 1 }
func (t T) get() int { return t.a }

var table = [4]int{1, 2, 3, 4}
var record = T{1, 2}
var rows = [][]int{{1}, {2}}

var (
	assigned    int
	element     [2]int
	field       T
	counted     int
	addressed   int
	sliced      [2]int
	method      T
	ranged      int
	received    int
	Exported    int
	computed    = start()
)

//go:linkname linked q.linked
var linked int

var hook func(int) int

func start() int { go hook(0); return 1 }

func change(ch chan int, xs []int) *int {
	assigned = 1
	element[1] = 2
	field.b = 3
	counted++
	_ = sliced[:]
	method.set()
	for ranged = range xs {
	}
	select {
	case received = <-ch:
	}
	hook = use
	return &addressed
}

func use(i int) int {
	n := table[i] + record.a + record.get() + rows[i][i]
	n += assigned + element[i] + field.a + counted + addressed + sliced[i] + method.b + ranged + received
	return n + Exported + computed + linked
}
`
	var got []string
	for _, s := range plannable(t, src) {
		k := s.Key
		if k.Line > 49 && !k.Write {
			got = append(got, strings.FieldsFunc(k.Expr, func(r rune) bool { return r == '[' || r == '.' })[0])
		}
	}
	want := []string{"rows", "rows", "assigned", "element", "field", "counted", "addressed", "sliced", "method", "ranged", "received", "Exported", "computed", "linked"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("checked reads of %q, want %q", got, want)
	}
}

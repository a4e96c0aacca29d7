package ssapass

import "testing"

// TestModels: memory that callbacks of std functions know stays with the call that made it, unless
// the callbacks or other code publish it.
func TestModels(t *testing.T) {
	const src = `package main

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"sort"
)

type item struct {
	key, at int
}

type queue []*item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].key < q[j].key } // want own
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i] // want own
	q[i].at = i // want own
}
func (q *queue) Push(x any) {
	n := x.(*item)
	n.at = len(*q) // want own
	*q = append(*q, n) // want own
}
func (q *queue) Pop() any {
	n := (*q)[len(*q)-1] // want own
	*q = (*q)[:len(*q)-1] // want own
	return n
}

func heaps() {
	q := &queue{}
	heap.Init(q)
	heap.Push(q, &item{key: 1})
	heap.Fix(q, 0)
	heap.Remove(q, 0)
	n := heap.Pop(q).(*item)
	n.key++ // want own
}

// The next heap lets other code have an item.
type given []*item

func (q given) Len() int { return len(q) }
func (q given) Less(i, j int) bool {
	n := q[i]
	return n.key < 1 // want shared
}
func (q given) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *given) Push(x any) { *q = append(*q, x.(*item)) }
func (q *given) Pop() any { last = (*q)[0]; return last }

var last *item

func gives() {
	q := &given{}
	heap.Push(q, &item{key: 1})
	n := heap.Pop(q).(*item)
	n.key++ // want shared
}

// Other code may call the methods of the next heap.
type shown []int

func (q shown) Len() int { return len(q) }
func (q shown) Less(i, j int) bool { return q[i] < q[j] } // want shared
func (q shown) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *shown) Push(x any) { *q = append(*q, x.(int)) } // want shared
func (q *shown) Pop() any { return 1 }

func shows() {
	q := &shown{}
	heap.Init(q)
	fmt.Println(q)
}

// A variable of the interface type may lead anywhere.
type varied []int

func (q varied) Len() int { return len(q) }
func (q varied) Less(i, j int) bool { return q[i] < q[j] } // want shared
func (q varied) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func varies() {
	a := varied{1}
	var l sort.Interface = a
	sort.Sort(l)
	fmt.Println(l)
}

type sorted []*item

func (q sorted) Len() int { return len(q) }
func (q sorted) Less(i, j int) bool { return q[i].key < q[j].key } // want own
func (q sorted) Swap(i, j int) { q[i], q[j] = q[j], q[i] } // want own

func sorts() {
	a := sorted{&item{}, &item{}}
	sort.Sort(a)
	sort.Stable(a)
	sort.Sort(sort.Reverse(a))
	sort.IsSorted(a)
	a[0].key = 1 // want own
}

type reversed []int

func (q reversed) Len() int { return len(q) }
func (q reversed) Less(i, j int) bool { return q[i] < q[j] } // want shared
func (q reversed) Swap(i, j int) { q[i], q[j] = q[j], q[i] } // want shared

func reverses() {
	a := reversed{1}
	fmt.Println(sort.Reverse(a))
}

func searches() {
	a := []int{1}
	sort.Search(1, func(i int) bool { return a[i] > 0 }) // want own
	sort.Find(1, func(i int) int { return a[i] }) // want own
	b := []*item{{}}
	sort.Slice(b, func(i, j int) bool { return b[i].key < b[j].key }) // want own
	sort.SliceStable(b, func(i, j int) bool { return b[i].key < b[j].key }) // want own
	sort.SliceIsSorted(b, func(i, j int) bool { return b[i].key < b[j].key }) // want own
	b[0].key = 1 // want own
	c := []*item{{}}
	sort.Slice(c, func(i, j int) bool { last = c[i]; return true })
	n := c[0]
	n.key = 1 // want shared
}

func shuffles(r *rand.Rand, s *randv2.Rand) {
	a := []int{1}
	rand.Shuffle(1, func(i, j int) { a[i]++ }) // want own
	r.Shuffle(1, func(i, j int) { a[i]++ }) // want own
	randv2.Shuffle(1, func(i, j int) { a[i]++ }) // want own
	s.Shuffle(1, func(i, j int) { a[i]++ }) // want own
}

func generics() {
	a := []*item{{}}
	w := []int{1}
	less := func(x, y *item) int { return cmp.Compare(x.key, w[y.key]) } // want own
	is := func(x *item) bool { return x.key > 0 } // want own
	same := func(x, y *item) bool { return x.key > y.key } // want own
	slices.SortFunc(a, less)
	slices.SortStableFunc(a, less)
	slices.IsSortedFunc(a, less)
	slices.MinFunc(a, less).key = 1 // want own
	slices.MaxFunc(a, less).key = 1 // want own
	slices.BinarySearchFunc(a, &item{}, less)
	slices.EqualFunc(a, a, same)
	slices.CompareFunc(a, a, less)
	slices.IndexFunc(a, is)
	slices.ContainsFunc(a, is)
	slices.Index(a, nil)
	slices.Contains(a, nil)
	slices.Equal(a, a)
	a = slices.Insert(a, 0, &item{})
	a = slices.Delete(a, 0, 1)
	a = slices.DeleteFunc(a, is)
	a = slices.Replace(a, 0, 0, &item{})
	a = slices.Compact(a)
	a = slices.CompactFunc(a, same)
	a = slices.Grow(a, 1)
	a = slices.Clip(a)
	slices.Reverse(a)
	a = slices.Concat(a, a)
	a = slices.Repeat(a, 2)
	a = slices.Clone(a)
	a[0].key = 1 // want own
	b := slices.Insert([]*item{{}}, 0, last)
	n := b[0]
	n.key = 1 // want shared
}

func numbers() {
	a, w := []int{1}, []int{1}
	slices.SortFunc(a, func(x, y int) int { return w[x] - w[y] }) // want own
	w[0] = 1 // want own
}

// A task that a callback starts knows the memory that the callback captures.
func starts() {
	a, b := []int{1}, []int{1}
	slices.IndexFunc(a, func(x int) bool {
		go func() { b[0]++ }() // want shared
		return false
	})
	b[0]++ // want shared
	go sort.Search(1, func(i int) bool { a[i] = 1; return false }) // want shared
	a[0] = 1 // want shared
}

func main() {
	last = &item{}
	heaps()
	gives()
	shows()
	varies()
	sorts()
	reverses()
	searches()
	shuffles(rand.New(rand.NewSource(1)), randv2.New(randv2.NewPCG(1, 2)))
	generics()
	numbers()
	starts()
	go func() { last.key++ }()
}
`
	a := unitIn(t, true, src)
	for _, w := range shares(a, src) {
		t.Error(w)
	}
	// Each model fits its function, and has a call above.
	m := a.prog.unit.models
	used := map[string]bool{}
	for f := range m.is {
		used[f.Name()] = true
	}
	for _, list := range m.decls {
		for _, d := range list {
			if !used[d.Name.Name] {
				t.Errorf("%s: no call, or another signature", d.Name.Name)
			}
		}
	}
	if len(m.decls) != 4 {
		t.Errorf("%d files of models, want 4", len(m.decls))
	}
}

// Fields that get first values alone, and others.
package fields

import (
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"
)

type inner struct{ a, b int }

func (x inner) sum() int { return x.a + x.b }

type node struct {
	name  string // of the literal
	size  int    // set by the maker
	late  int    // set by the maker, after it has made the node known to its own task
	sent  int    // set by the maker, after a send
	told  int    // set by the maker, after a call that may do both
	table [4]int
	moved [4]int
	in    inner
	part  inner
	mu    sync.Mutex
	count int
	taken int
	Open  int
	next  *node
}

var all []*node
var pipe = make(chan *node, 1)

func New(name string, f func() int) *node {
	n := &node{name: name}
	n.size = f() // which releases, and does not know n
	n.table[1] = 1
	n.in.a = 1
	all = append(all, n)
	n.late = 1 // no other task can have read all since
	pipe <- n
	n.sent = 1
	other := &node{}
	tell(other)
	other.told = 1
	return n
}

func tell(n *node) {
	all[0] = n
	pipe <- nil
}

func (n *node) Add() {
	n.mu.Lock()
	n.count++
	n.mu.Unlock()
	n.moved[2] = 1
	n.part.b = 1
}

func (n *node) Address() *int { return &n.taken }

func (n *node) Read(i int) int {
	k := len(n.name)    // want n.name r: guarded — one word of it
	k += n.size         // want n.size r: guarded
	k += n.late         // want n.late r: guarded
	k += n.told         // want n.told r: kept
	k += n.sent         // want n.sent r: kept
	k += n.table[i]     // want n.table[i] r: guarded
	k += n.moved[i]     // want n.moved[i] r: kept
	k += n.in.a         // want n.in.a r: guarded — the field in is
	k += n.part.a       // want n.part.a r: guarded — of all inners, nobody writes a
	k += n.part.b       // want n.part.b r: kept
	k += n.part.sum()   // want n.part r: kept — of which b is written
	k += n.in.sum()     // want n.in r: guarded
	k += n.count        // want n.count r: kept
	k += n.taken        // want n.taken r: kept
	k += n.Open         // want n.Open r: kept — other packages may write it
	for n.next != nil { // want n.next r: guarded
		n = n.next // want n.next r: guarded
	}
	return k
}

// Types whose values are overwritten as a whole.

type (
	assigned  struct{ f int }
	zeroed    struct{ f int }
	copied    struct{ f int }
	appended  struct{ f int }
	sorted    struct{ f int }
	argument  struct{ f int }
	pointed   struct{ f int }
	converted struct{ f int }
	shape     struct{ f int }
	other     struct{ f int }
	held      struct{ f int }
	holder    struct{ h held }
	global    struct{ f int }
	element   struct{ f int }
	reused    struct{ f int }
	listed    struct{ f int }
	swapped   struct{ f int }
	masked    struct{ f int }
)

type tree []tree

var forest any = tree{}

func Assign(p, q *assigned)                { *p = *q }
func Zero(p *zeroed)                       { *p = zeroed{} }
func Copy(p, q []copied)                   { copy(p, q) }
func Append(p []appended) []appended       { return append(p[:0], appended{1}) }
func Sort(p []sorted)                      { sort.Slice(p, func(i, j int) bool { return p[i].f < p[j].f }) } // want p[i].f r: kept
func Set[T any](p *T, v T)                 { *p = v }
func Argue(p *argument)                    { Set(p, argument{1}) }
func Point(p *atomic.Pointer[pointed]) int { return p.Load().f } // want p.Load().f r: guarded
func Convert(p unsafe.Pointer) *converted  { return (*converted)(p) }
func Shape(p *shape) *other                { return (*other)(p) }
func Hold(p *holder, h held)               { p.h = h }
func Swap(p []swapped, i, j int)           { p[i], p[j] = p[j], p[i] }

var shared global

func Change() { shared = global{1} }

func Elements(n int) (list []*element) {
	fixed := make([]element, n)
	for i := range n {
		e := &fixed[i]
		*e = element{i}
		list = append(list, e)
		pipe <- nil
	}
	return list
}

func Again(n int) (list []*reused) {
	fixed := make([]reused, n)
	for range 2 {
		for i := range n {
			e := &fixed[i]
			*e = reused{i}
			list = append(list, e)
			pipe <- nil
		}
	}
	return list
}

func Masked(n int) (list []*masked) {
	fixed := make([]masked, 2)
	for i := range n {
		e := &fixed[i%2]
		*e = masked{i}
		list = append(list, e)
		pipe <- nil
	}
	return list
}

func List(n int) []listed {
	var list []listed
	for i := range n {
		list = append(list, listed{i})
	}
	return list
}

func Read(a *assigned, b *zeroed, c *copied, d *appended, e *argument, f *converted, g *shape, h *holder, i *element, j *reused, k *listed, l *swapped, m *masked) {
	fmt.Println(a.f)      // want a.f r: kept
	fmt.Println(b.f)      // want b.f r: kept
	fmt.Println(c.f)      // want c.f r: kept
	fmt.Println(d.f)      // want d.f r: kept
	fmt.Println(e.f)      // want e.f r: kept
	fmt.Println(f.f)      // want f.f r: kept
	fmt.Println(g.f)      // want g.f r: kept
	fmt.Println(h.h.f)    // want h.h.f r: kept
	fmt.Println(i.f)      // want i.f r: guarded
	fmt.Println(j.f)      // want j.f r: kept
	fmt.Println(k.f)      // want k.f r: guarded
	fmt.Println(m.f)      // want m.f r: kept
	fmt.Println(l.f)      // want l.f r: kept
	fmt.Println(shared.f) // want shared.f r: kept
}

// Elements that are sorted before others know them, and elements that are sorted when others know them.

type (
	ordered struct {
		f     int
		about any
	}
	reordered struct {
		g     int
		about any
	}
)

var (
	inOrder []ordered
	reorder []reordered
)

func Order(n int) {
	var list []ordered
	for i := range n {
		list = append(list, ordered{f: i})
	}
	slices.SortFunc(list, func(a, b ordered) int { return a.f - b.f })
	list = append(list, firstOf(list))
	inOrder = list
}

func firstOf(list []ordered) ordered { return list[0] } // want list[0] r: kept

func Reorder(n int) {
	var list []reordered
	for i := range n {
		list = append(list, reordered{g: i})
	}
	reorder = list
	slices.SortFunc(list, func(a, b reordered) int { return a.g - b.g })
}

func Ordered() int {
	k := inOrder[0].f       // want inOrder[0].f r: guarded
	return k + reorder[0].g // want reorder[0].g r: kept
}

// A generic type, of which no instance is here.
type box[T any] struct {
	first T
	after T
	n     int
}

func NewBox[T any](v T) *box[T] { return &box[T]{first: v, n: 1} }

func (b *box[T]) Set(v T) { b.after = v }

func (b *box[T]) Get() (T, T, int) {
	return b.first, b.after, b.n // want b.first r: guarded / b.after r: kept / b.n r: guarded
}

package ssapass

import (
	"fmt"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestContracts compares the contracts of functions with those in the table; "" is a function
// that keeps everything.
func TestContracts(t *testing.T) {
	a := unitOf(t, `package unit

import (
	"sort"
	"sync"
	"unsafe"
)

type node struct {
	next *node
	n    int
	b    []byte
}

var last *node
var later []func()

var bytes []byte

func Read(p *node) int { return p.next.n }
func Write(p *node) { p.n = 1 }
func WriteDeep(p *node) { p.next.b[0] = 1 }
func Keep(p *node) { last = p }
func KeepInside(p *node) { last = p.next }
func Link(p, q *node) { p.next = q }
func Self(p *node) { p.next = p }
func Grow(p *node) { p.b = append(p.b, 1) }
func Insert(p *node) { p.next = &node{next: p} }
func Add(p *node) { p.next = &node{n: 1} }
func Take(p *node) { p.next = last }
func TakeWrite(p *node) { p.next = last; p.next.n = 1 }
func New() *node { return &node{n: 1} }
func Around(p *node) *node { return &node{next: p} }
func Same(p *node) *node { return p }
func Inner(p *node) *node { return p.next }
func Either(p, q *node) *node { if p.n > 0 { return p }; return q }
func Append(b []byte, c byte) []byte { return append(b, c) }
func Copy(b, c []byte) int { return copy(b, c) }
func Global() *node { return last }
func Stored() *node { n := &node{}; last = n; return n }
func Twice() (*node, *node) { n := &node{}; return n, n }
func Two() (*node, []byte) { return &node{}, make([]byte, 1) }
func Mixed(p *node) (*node, error) { return &node{}, nil }
func Send(c chan *node, p *node) { c <- p }
func Receive(c chan *node) *node { return <-c }
func Call(f func(*node), p *node) { f(p) }
func Invoke(l sort.Interface, p *node) int { return l.Len() + p.n }
func Go(p *node) { go Write(p) }
func Defer(p *node) { defer Write(p) }
func Literal(p *node) int { f := func() int { return p.n }; return f() }
func Iface(p *node) any { return p }
func Panics(p *node) { panic(p) }
func Recovers() any { return recover() }
func Foreign(b []int) { sort.Ints(b) }
func Locks(mu *sync.Mutex, p *node) { mu.Lock(); p.n++; mu.Unlock() }
func Calls(p *node) *node { Write(p); return Same(p) }
func Chain(p *node) { keepLater(p, 3) }
func keepLater(p *node, n int) { if n == 0 { last = p } else { keepLater(p, n-1) } }
func Odd(p *node, n int) int { if n > 0 { return Even(p, n-1) }; return p.n }
func Even(p *node, n int) int { if n > 0 { return Odd(p, n-1) }; p.n = 1; return 0 }
func LiteralKeeps(p *node) { func() { last = p }() }
func Turn(p *node) { p.next = p.next.next }
func Nil(p *node) { p.next = nil }
func Callback(p *node, f func(*node)) { f(p.next) }
func CallbackGiven(p *node, f func(*node)) { Callback(p, f) }
func CallbackIn(h *hooks) { h.run() }
func CallbackValue(h hooks) { h.run() }
func CallbackTask(f func()) { go f() }
func NewHooks(f func()) hooks { return hooks{run: f} }
func KeepOffset(p *node) { last = *(**node)(unsafe.Add(unsafe.Pointer(p), 8)) }
func Boxed(h *hooks) { h.any = *h.node }
func Pointed(h *hooks) { h.any = h.node }
func SetFunc(h *hooks) { h.run = func() {} }

type hooks struct {
	run  func()
	any  any
	node *node
}

func LiteralLater(p *node) { f := func() { p.n++ }; later = append(later, f); f() }
func Deferred(p *node) int { defer func() { p.n++ }(); return p.n }
func Captured(p *node, n int) *node { var q *node; set := func(x int) { q = &node{n: x}; p.next = q }; set(n); return q }
func Map(m map[*node]*node, p *node) { m[p] = p }
func Lookup(m map[int]*node) *node { return m[1] }
func Range(m map[int]*node) (n int) { for _, p := range m { n += p.n }; return n }
func String(b []byte) string { return string(b) }
func Bytes(s string) []byte { return []byte(s) }
func Elsewhere(p *node) { bytes[0] = p.b[0] }
func Array(p *[4]*node, q *node) { p[1] = q }
func Field(p *node) *int { return &p.n }
func Struct(p node) *node { return p.next }

type image struct {
	pix, mask []byte
	w         int
}

func Deep() *image { return &image{pix: make([]byte, 1)} }
func DeepRows() [][]int { x := make([][]int, 2); for i := range x { x[i] = make([]int, 1) }; return x }
func DeepCall() *image { x := Deep(); x.mask = make([]byte, 2); return x }
func DeepShared() *image { x := make([]byte, 1); return &image{pix: x, mask: x} }
func DeepArgument(b []byte) *image { return &image{pix: b} }
func DeepGlobal() *image { return &image{pix: bytes} }
func DeepKept() *image { x := Deep(); bytes = x.pix; return x }
func DeepTwo() (*image, []byte) { x := Deep(); return x, x.pix }
func DeepStored(p *image) *image { x := Deep(); p.pix = x.pix; return x }
func DeepUnknown(f func() []byte) *image { return &image{pix: f()} }
func DeepTask() *image { x := make([]byte, 1); go func() { x[0] = 1 }(); return &image{pix: x} }
`)
	s := a.prog.SSA.Package(a.prog.unit.list[0].Pkg)
	for name, want := range map[string]string{
		"Read": "(r) 0", "Write": "(w)", "WriteDeep": "(rw)", "Keep": "(k) elsewhere", "KeepInside": "(ri) elsewhere",
		"Link": "(ws k)", // the memory of p keeps q
		"Self": "(wl)", "Grow": "(rws)", "Insert": "(kw)", "Add": "(ws)", "Take": "(ws) elsewhere", "TakeWrite": "(rws) elsewhere",
		"New": "() fresh|0", "Around": "(k) fresh|0", "Same": "(-) 1", "Inner": "(r) 1", "Either": "(r -) 11",
		"Append": "(rw -) fresh|1", "Copy": "(w r) 0", "Global": "() ? elsewhere", "Stored": "() ? elsewhere", "Twice": "() ? ?", "Two": "() fresh|0 fresh|0",
		"Mixed": "(-) fresh|0 0", "Send": "(ws k)", "Receive": "(w) 1", "Call": "(c krw) elsewhere", "Invoke": "(krw r) 0 elsewhere", "Go": "(krw) elsewhere", "Defer": "(w)", "Literal": "(r) 0", "LiteralKeeps": "(krw) elsewhere", "Turn": "(rwm)", "Nil": "(w)", "Callback": "(rws c) elsewhere", "CallbackGiven": "(rws c) elsewhere", "CallbackIn": "(rc) elsewhere",
		"CallbackValue": "(c) elsewhere", "CallbackTask": "(krw) elsewhere", "NewHooks": "(-) 1", "KeepOffset": "(kr) elsewhere", "Boxed": "(rws)", "Pointed": "(rwm)", "SetFunc": "(ws)", "LiteralLater": "(krw) elsewhere", "Deferred": "(rw) 0", "Captured": "(rws -) ? elsewhere",
		"Iface": "(-) 1", "Panics": "(krw) elsewhere", "Recovers": "() ?", "Foreign": "(krw) elsewhere", "Locks": "(- rw)", "Calls": "(w) 1", "Chain": "(krw) elsewhere", "Odd": "(rw -) 0",
		"Even": "(rw -) 0", "Map": "(ws k)", "Lookup": "(r) 1", "Range": "(r) 0", "String": "(r) 0", "Bytes": "(-) fresh|0", "Elsewhere": "(r) elsewhere",
		"Deep": "() deep|0", "DeepRows": "() deep|0", "DeepCall": "() deep|0", "DeepShared": "() deep|0", "DeepArgument": "(k) fresh|0",
		"DeepGlobal": "() fresh|0 elsewhere", "DeepKept": "() fresh|0 elsewhere", "DeepTwo": "() fresh|0 ?", "DeepStored": "(ws) fresh|0", "DeepUnknown": "(c) fresh|0 elsewhere",
		"DeepTask": "() fresh|0 elsewhere",
		"Array":    "(ws k)", "Field": "(-) 1", "Struct": "(-) 1",
	} {
		f := s.Func(name)
		got := "none"
		if k := a.contracts[f]; k != nil {
			got = k.String()
			if k.elsewhere {
				got += " elsewhere"
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestContractsChain: memory that an importer passes to a function stays its own if the
// contract of the function says so.
func TestContractsChain(t *testing.T) {
	done := map[string]*chained{}
	analyzeChained(t, done, "a", `package a

import "unsafe"

type Node struct {
	Next *Node
	N    int
}

type Writer struct {
	b    []byte
	last *Node
}

func (w *Writer) Write(b []byte) { w.b = append(w.b, b...) }

func (w *Writer) Hold(n *Node) { w.last = n }

func Sum(n *Node) (s int) {
	for ; n != nil; n = n.Next {
		s += n.N
	}
	return s
}

var kept *Node

func Keep(n *Node) { kept = n }

func KeepDeep(n *Node) { kept = n.Next }

func Self(n *Node) { n.Next = n }

func Fill(n *Node) { n.Next = &Node{} }

func Back(n *Node) { n.Next.Next = n }

func BackTwo(n *Node) { n.Next.Next.Next = n }

func Turn(n *Node) { n.Next, n.Next.Next = n.Next.Next, nil }

func (w *Writer) Chunk(n int) Chunk { return Chunk{w.b[:n]} }

type Chunk struct{ Bytes []byte }

func (w *Writer) Drop() { KeepDeep(w.last); w.b = w.b[:0] }

func (w *Writer) Past() *Node { return *(**Node)(unsafe.Add(unsafe.Pointer(w), unsafe.Sizeof(*w))) }

func New() *Node { return &Node{} }

func Kept() *Node { return kept }

func Last(n *Node) *Node {
	for n.Next != nil {
		n = n.Next
	}
	return n
}

func Append(b []byte, c byte) []byte { return append(b, c) }

type Image struct{ Pix, Mask []byte }

func NewImage() *Image { return &Image{Pix: make([]byte, 1)} }

func Rows() [][]int { return [][]int{{1}} }

var some []byte

func Opened() *Image { return &Image{Pix: some} }

func Run(f func(*Node)) { f(kept) }

func Twice(f func(*Node)) { defer f(nil); Run(f) }

func Later(f func(*Node)) { func() { later = f }() }

var later func(*Node)

func Task(f func(*Node)) { go f(nil) }

func Iface(n *Node) any { return n }

type holder struct{ n *Node }

func Box(n *Node) any { return holder{n} }

func Func(n *Node) func() *Node { return func() *Node { return n } }

func Struct(n *Node) holder { return holder{n} }

func (h holder) Get() *Node { return h.n }

func Map(n *Node) map[int]*Node { return map[int]*Node{1: n} }

func Maybe(n *Node) *Node {
	if n.N > 0 {
		return n
	}
	return kept
}
`)
	src := `package b

import "a"

func Reads() int { n := &a.Node{}; n.N = 1; return a.Sum(n) } // want own
func Keeps() { n := &a.Node{}; a.Keep(n); n.N = 1 } // want shared
func KeepsDeep() { n := &a.Node{}; m := &a.Node{Next: n}; a.KeepDeep(m); n.N = 1 } // want shared
func KeepsNot() { n := &a.Node{}; m := &a.Node{}; a.KeepDeep(m); n.N = 1 } // want own
func Fresh() { n := a.New(); n.N = 1 } // want own
func Kept() { n := a.Kept(); n.N = 1 } // want shared
func FreshReturned() *a.Node { n := a.New(); n.N = 1; return n } // want own
func FreshKept() { n := a.New(); a.Keep(n); n.N = 1 } // want shared
func Last() { n := &a.Node{}; l := a.Last(n); l.N = 1 } // want own
func Appends() byte { b := make([]byte, 4); b = a.Append(b, 1); b[0] = 1; return b[0] } // want own
func Unknown(b []byte) byte { b = a.Append(b, 1); b[0] = 1; return b[0] } // want shared
func Runs() {
	n := &a.Node{}
	a.Run(func(m *a.Node) {
		q := n // want own
		m.Next = q // want shared
	})
	p := n // want own
	p.N = 1 // want shared
}
func RunsNot() int { n := 0; a.Run(func(*a.Node) { n++ }); return n } // want own
func RunsGiven(f func(*a.Node)) int { n := 0; g := func(m *a.Node) { n++ }; if f == nil { f = g }; a.Run(f); return n } // want own
func RunsKept() int { n := 0; f := func(m *a.Node) { n += 1 }; a.Run(f); kept = f; return n } // want shared
var kept func(*a.Node)
func RunsLater() int { n := 0; a.Later(func(m *a.Node) { n += 1 }); return n } // want shared
func RunsTask() int { n := 0; a.Task(func(m *a.Node) { n += 1 }); return n } // want shared
func RunsOther() int { n := 0; a.Twice(func(m *a.Node) { n += 1 }); return n } // want own
func Task() { n := &a.Node{}; go a.Sum(n); n.N = 1 } // want shared
func Value(ok bool) {
	n := &a.Node{}
	f := a.Sum
	if ok { f = other }
	f(n)
	n.N = 1 // want own
}
func other(*a.Node) int { return 0 }
func Method() { var w a.Writer; b := make([]byte, 1); w.Write(b); b[0] = 1 } // want own
func Holds() { var w a.Writer; n := &a.Node{}; w.Hold(n); n.N = 1 } // want shared
func Iface() { n := &a.Node{}; a.Iface(n).(*a.Node).N++; n.N = 1 } // want own
func Box() { n := &a.Node{}; a.Box(n); n.N = 1 } // want shared
func Func() { n := &a.Node{}; a.Func(n)().N++; n.N = 1 } // want shared
func Struct() { n := &a.Node{}; a.Struct(n).Get().N++; n.N = 1 } // want own
func Map() { n := &a.Node{}; m := a.Map(n); _ = m; n.N = 1 } // want shared
func Maybe() { n := &a.Node{}; m := a.Maybe(n); _ = m; n.N = 1 } // want shared
func Self() {
	n := &a.Node{}
	a.Self(n)
	x := n.Next
	x.N = 1 // want own
}
func Back(m *a.Node) { n := &a.Node{Next: m}; a.Back(n); n.N = 1 } // want shared
func BackTwo() { n := &a.Node{Next: &a.Node{Next: a.Kept()}}; a.BackTwo(n); n.N = 1 } // want shared
func BackOwn() { n := &a.Node{Next: &a.Node{}}; a.Back(n); n.N = 1 } // want own
func Turn(m *a.Node) { n := &a.Node{Next: m}; a.Turn(n); n.N = 1 } // want own
func Ring() { n := &a.Node{}; n.Next = n; a.KeepDeep(n); n.N = 1 } // want shared

type outer struct {
	n int
	w a.Writer
	m *a.Node
}

func Chunk() { o := &outer{m: &a.Node{}}; c := o.w.Chunk(1); _ = c; o.n = 1 } // want own
func ChunkBeside() { m := &a.Node{}; o := &outer{m: m}; c := o.w.Chunk(1); _ = c; m.N = 1 } // want own
func Drop() { o := &outer{m: &a.Node{}}; o.w.Hold(o.m); o.w.Drop(); o.n = 1 } // want own
func Dropped() { n := &a.Node{}; o := &outer{m: n}; o.w.Drop(); n.N = 1 } // want own
func Past() { m := &a.Node{}; o := &outer{m: m}; o.w.Past().N++; m.N = 1 } // want own
func Deep() { x := a.NewImage().Pix; x[0] = 1 } // want own
func DeepRows() { x := a.Rows()[0]; x[0] = 1 } // want own
func Opened() {
	x := a.Opened().Pix
	x[0] = 1 // want shared
}
func DeepGiven() *a.Image { m := a.NewImage(); x := m.Pix; x[0] = 1; return m } // want own
func DeepPart() []byte {
	m := a.NewImage()
	x := m.Pix
	x[0] = 1 // want own
	return m.Mask
}
func Fill() {
	n := &a.Node{}
	a.Fill(n)
	x := n.Next
	x.N = 1 // want shared
}
`
	b := analyzeChained(t, done, "b", src).analysis
	for _, w := range shares(b, src) {
		t.Error(w)
	}
	for i, src := range []string{`package c0

import "a"

type pair struct {
	first int
	node  a.Node
	last  *a.Node
	rows  [2]a.Node
}

func Field() { p := &pair{}; a.Keep(&p.node); p.first = 1 } // want own
func FieldItself() { p := &pair{}; a.Keep(&p.node); p.node.N = 1 } // want shared
func FieldBeside() { m := &a.Node{}; p := &pair{last: m}; a.Keep(&p.node); m.N = 1 } // want own
func FieldLeads() { m := &a.Node{}; p := &pair{}; p.node.Next = m; a.Keep(&p.node); m.N = 1 } // want shared
func FieldCopied() { p := &pair{}; a.Keep(&p.node); *p = pair{first: 1} } // want shared
func FieldLater() { p := &pair{}; a.Keep(&p.node); keep(p); p.first = 1 } // want shared
func Element() { p := &pair{}; a.Keep(&p.rows[1]); p.first = 1 } // want own
func ElementItself() { p := &pair{}; a.Keep(&p.rows[1]); p.rows[0].N = 1 } // want shared
var Pair *pair
func keep(p *pair) { Pair = p }
`, `package c1

import ("a"; "unsafe")

type pair struct {
	first int
	node  a.Node
}

func Offset() { p := &pair{}; u := unsafe.Add(unsafe.Pointer(&p.node), -8); *(*int)(u) = 1; p.first = 1 } // want shared
func Number() uintptr { p := &pair{}; p.first = 1; return uintptr(unsafe.Pointer(&p.node)) } // want shared
func Pointer() unsafe.Pointer { p := &pair{}; p.first = 1; return unsafe.Pointer(&p.node) } // want shared
`, `package c2

import ("a"; "unsafe")

type pair struct {
	first int
	node  a.Node
}

func Outer(n *a.Node) *pair { return (*pair)(unsafe.Add(unsafe.Pointer(n), -8)) }
func Field() { p := &pair{}; a.Keep(&p.node); p.first = 1 } // want shared
`} {
		for _, w := range shares(analyzeChained(t, done, fmt.Sprint("c", i), src).analysis, src) {
			t.Error("c", i, ": ", w)
		}
	}
	// What Self stores may lead to the argument itself.
	var node, next ssa.Value
	for _, in := range b.prog.SSA.Package(b.prog.unit.list[0].Pkg).Func("Self").Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.Alloc:
			node = in
		case *ssa.UnOp:
			next = in
		}
	}
	if !b.Points.Overlap(b.Points.Points(node), b.Points.Points(next)) {
		t.Error("the pointer that Self stores does not lead to the argument")
	}
}

// TestContractsMemory: what a call reads and writes through its arguments counts.
func TestContractsMemory(t *testing.T) {
	done := map[string]*chained{}
	analyzeChained(t, done, "a", `package a

type Node struct {
	Next *Node
	N    int
}

func Read(n *Node) int { return n.Next.N }

func Write(n *Node) { n.N = 1 }

func WriteDeep(n *Node) { n.Next.N = 1 }

func Nothing(n *Node) {}
`)
	a := analyzeChained(t, done, "b", `package b

import "a"

func Do() {
	n := &a.Node{}
	m := &a.Node{Next: n}
	a.Nothing(m)
	a.Read(m)
	a.Write(m)
	a.WriteDeep(m)
	_ = n.N
}
`).analysis
	f := a.prog.SSA.Package(a.prog.unit.list[0].Pkg).Func("Do")
	var inner *ssa.Alloc
	got := map[string]bool{}
	for _, in := range f.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.Alloc:
			if inner == nil {
				inner = in
			}
		case *ssa.Call:
			got[in.Call.StaticCallee().Name()] = a.MayWrite(in, a.Points.Points(inner))
		}
	}
	// The cells of a parameter are not told apart, so Write may write all that it leads to.
	for name, want := range map[string]bool{"Nothing": false, "Read": false, "Write": true, "WriteDeep": true} {
		if got[name] != want {
			t.Errorf("%s may write the inner node: %v, want %v", name, got[name], want)
		}
	}
}

// TestSlicesContract: functions of package slices keep no slice whose elements hold no pointers,
// nor do the functions of sort that compare by index. Of the functions that call back, and of slices
// with pointers, models know the same.
func TestSlicesContract(t *testing.T) {
	for _, c := range []struct {
		use    string
		shared bool
	}{
		{"slices.Sort(x)", false},
		{"slices.Reverse(x)", false},
		{"y := slices.Insert(x, 1, 2, 3); y[0] = 2", false},
		{"_ = slices.Max(x) + slices.Index(x, 3)", false},
		{"slices.SortFunc(x, func(a, b int) int { return b - a })", false},
		{"sort.Slice(x, less)", false},
		{"for range slices.Values(x) {}", true},
		{"p := []*int{&x[0]}; slices.Reverse(p)", false},
		{"q := [][]int{x}; slices.SortFunc(q, func(a, b []int) int { return a[0] - b[0] })", false},
	} {
		src := `package p

import ("slices"; "sort")

var _ = slices.Sort[[]int]
var _ = sort.Ints

func less(i, j int) bool { return i < j }

func Do() {
	x := []int{1, 2, 3}
	` + c.use + `
	x[1] = 5
}
`
		a := unitOf(t, src)
		found := false
		for _, s := range a.Sites.List {
			if s.Key.Line == 13 && s.Key.Write {
				found = true
				if got := a.SharedAt(a.Where(s, s.Accesses[0])); got != c.shared {
					t.Errorf("%s: shared %v, want %v", c.use, got, c.shared)
				}
			}
		}
		if !found {
			t.Errorf("%s: no site", c.use)
		}
	}
}

// TestBytealg: the functions of package internal/bytealg write none of their arguments.
func TestBytealg(t *testing.T) {
	a := unitOf(t, `package unit

import "internal/bytealg"

var table = []byte("0123456789abcdef")

func Find(b []byte, c byte) int { return bytealg.IndexByte(b, c) }
func Same(b, c []byte) bool { return bytealg.Equal(b, c) }
func Compare(b, c []byte) int { return bytealg.Compare(b, c) }
func Text(s string) int { return bytealg.IndexByteString(s, 'x') }
func Make(n int) []byte { return bytealg.MakeNoZero(n) }
func Set(b []byte, c byte) { b[bytealg.IndexByte(b, c)] = c }
func Digit(i int) byte { return table[i] }
func Value(c byte) int { return bytealg.IndexByte(table, c) }
`)
	s := a.prog.SSA.Package(a.prog.unit.list[0].Pkg)
	for name, want := range map[string]string{
		"Find": "(r -) 0", "Same": "(r r) 0", "Compare": "(r r) 0", "Text": "(-) 0", "Make": "(-) fresh|0", "Set": "(rw -)",
	} {
		k := a.contracts[s.Func(name)]
		if k == nil || k.String() != want {
			t.Errorf("%s: %v, want %s", name, k, want)
		}
	}
	for _, x := range a.Sites.List {
		if x.Key.Expr != "table[i]" {
			continue
		}
		for _, c := range x.Accesses {
			if a.WrittenBeside(c.Instr, a.Where(x, c)) {
				t.Error("a table that functions of package bytealg read may be written")
			}
		}
	}
}

// TestContractOfBuilder: the address that a strings.Builder keeps of itself leads nowhere.
func TestContractOfBuilder(t *testing.T) {
	const src = `package strings

type Builder struct {
	addr *Builder
	buf  []byte
}

func hidden(b *Builder) *Builder

func (b *Builder) copyCheck() {
	if b.addr == nil {
		b.addr = hidden(b)
	} else if b.addr != b {
		panic("copied")
	}
}

func (b *Builder) WriteByte(c byte) {
	b.copyCheck()
	b.buf = append(b.buf, c)
}
`
	for path, want := range map[string]string{"strings": "(rws -)", "other": "(krw -)"} {
		a := analyzeUnits(t, checkUnit(t, unitFset, unitImporter, path, src))
		for f, k := range a.contracts {
			if f.Name() == "WriteByte" && k.String() != want {
				t.Errorf("package %s: %v, want %s", path, k, want)
			}
		}
	}
}

package ssapass

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shares returns the accesses of a unit in lines with the comment "want shared" and "want
// own" that are not as the comment says. An access without instructions is kept, and counts
// as shared.
func shares(a *Analysis, src string) (wrong []string) {
	fresh := func(s *Site) bool { return s.Fresh }
	unlike := unlikeSites(a, src, "shared", "own", fresh, func(s *Site) bool {
		if len(s.Accesses) == 0 && !strings.Contains(src, "[E ") { // accesses in exposed generic functions have no instructions
			wrong = append(wrong, fmt.Sprintf("line %d: %s: never runs", s.Key.Line, s.Key.Expr))
		}
		return len(s.Accesses) == 0 || slices.ContainsFunc(s.Accesses, func(c Access) bool { return a.SharedAt(a.Where(s, c)) })
	})
	return append(wrong, unlike...)
}

// unlikeSites returns the sites for which the comment of their line, "want YES" or "want NO",
// contradicts the answer, and the lines with such a comment that have no site. It omits sites.
func unlikeSites(a *Analysis, src, yes, no string, omit, answer func(*Site) bool) (wrong []string) {
	lines := strings.Split(src, "\n")
	seen := map[int]bool{}
	for _, s := range a.Sites.List {
		l := lines[s.Key.Line-1]
		want := strings.Contains(l, "// want "+yes)
		if !want && !strings.Contains(l, "// want "+no) || omit(s) {
			continue
		}
		seen[s.Key.Line] = true
		if got := answer(s); got != want {
			wrong = append(wrong, fmt.Sprintf("line %d: %s: %s %v, want %v", s.Key.Line, s.Key.Expr, yes, got, want))
		}
	}
	for i, l := range lines {
		if strings.Contains(l, "// want ") && !seen[i+1] {
			wrong = append(wrong, fmt.Sprintf("line %d: no access", i+1))
		}
	}
	return wrong
}

// TestEntries: memory that only functions with callers in sight know is the caller's own.
// Each other case is a way by which another package calls a function or reaches memory.
func TestEntries(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"unexported function", `
func Do() int { n := new(int); set(n); return *n } // want own
func set(p *int) { *p = 1 } // want own
`},
		{"exported method, in an interface of the package", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want own
func Do() { var s shape = &ball{}; s.Set() }
`},
		{"the same, in a field and through a second interface", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want own
type other interface{ Set() }
type scene struct{ list []shape }
func Do() { s := scene{[]shape{&ball{}}}; other(s.list[0]).Set() }
`},
		{"an interface of the package as a parameter", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
func Do(s shape) { s = &ball{}; s.Set() }
`},
		{"an interface of the package in an exported type", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
type Scene struct{ list []shape }
func Do() { s := Scene{[]shape{&ball{}}}; s.list[0].Set() }
`},
		{"an interface of the package that becomes another one", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
var Last any
func Do() { var s shape = &ball{}; Last = s }
`},
		{"the same, by an assertion", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
var Last interface{ Set() }
func Do() { var s shape = &ball{}; Last = s.(interface{ Set() }) }
`},
		{"the same, by way of a second one", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
type other interface{ Set() }
func Give(o other) {}
func Do() { var s shape = &ball{}; Give(s) }
`},
		{"an interface of the package in a value that reflection sees", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
type scene struct{ list []shape }
var Last any
func Do() { Last = &scene{[]shape{&ball{}}} }
`},
		{"an interface of the package as a result of a function value", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
var Last any
func Do() { Last = func() shape { return &ball{} } }
`},
		{"an interface of the package as a type argument", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
var last atomic.Pointer[shape]
func Do() { var s shape = &ball{}; last.Store(&s) }
`},
		{"an interface of the package in a panic", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
func Do() { var s shape = &ball{}; panic(s) }
`},
		{"an interface of the package beside a generic function", `
type shape interface{ Set() }
type ball struct{ n int }
func (b *ball) Set() { b.n = 1 } // want shared
func Do() { var s shape = &ball{}; s.Set() }
func Keep[T any](x T) { var s shape = &ball{}; any(s).(interface{ Keep(T) }).Keep(x) }
`},
		{"unexported method of a type that stays inside", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want own
func Do() { b := new(box); b.Set() }
`},
		{"unexported function, recursive", `
func Do() { n := new(int); set(n, 3) }
func set(p *int, k int) {
	*p = k // want own
	if k > 0 { set(p, k-1) }
}
`},
		{"exported function", `
func Do() { n := new(int); Set(n) }
func Set(p *int) { *p = 1 } // want shared
`},
		{"exported method of a type that a function returns", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
func New() *box { return new(box) }
func Inside() { b := new(box); b.Set() }
`},
		{"exported method of a type in an unexported field", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
type T struct{ inner map[string][]*box }
func Do() { b := new(box); b.Set() }
`},
		{"exported method of a type that only an interface holds", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
func Do() any { return new(box) }
func Inside() { b := new(box); b.Set() }
`},
		{"exported method of an element of a type that only an interface holds", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
func Do() any { return []box{} }
func Inside() { b := new(box); b.Set() }
`},
		{"exported method of a type that a method of a held type returns", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
type maker struct{}
func (maker) Make() *box { return nil }
func Do() any { return maker{} }
func Inside() { b := new(box); b.Set() }
`},
		{"promoted method of an unexported embedded type", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
type T struct{ box }
func Inside() { b := new(box); b.Set() }
`},
		{"alias of an unexported type", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
type T = box
func Inside() { b := new(box); b.Set() }
`},
		{"unexported method that an importer promotes", `
type I interface{ set() }
type T struct{ n int }
func (t *T) set() { t.n = 1 } // want shared
func Do(i I) { i.set(); t := new(T); t.set() }
`},
		{"unexported method that no interface has", `
type T struct{ n int }
func (t *T) set() { t.n = 1 } // want own
func Do() { t := new(T); t.set() }
`},
		{"unexported method that a generic function calls", `
type T struct{ n int }
func (t *T) set() { t.n = 1 } // want shared
func Do[E interface{ set() }](e E) { e.set() }
func Use() { t := new(T); t.set() }
`},
		{"type argument of foreign code", `
type box struct{ n int }
func (b *box) Set() { b.n = 1 } // want shared
func Do() { _ = reflect.TypeFor[*box](); b := new(box); b.Set() }
`},
		{"instance of a generic type", `
type gen[E any] struct{ e E }
func (g *gen[E]) Set(e E) { g.e = e } // want shared
var X gen[int]
func Do() { x := new(gen[int]); x.Set(1) }
`},
		{"exported generic function", `
type Node[E any] struct{ e E }
func Set[E any](n *Node[E], e E) { n.e = e } // want shared
func Do() { n := &Node[int]{}; Set(n, 1) }
`},
		{"generic function whose type argument keeps memory elsewhere", `
type toucher interface{ Touch(*int) }
func Do[E toucher](e E) int {
	n := new(int)
	e.Touch(n)
	return *n // want shared
}
type quiet struct{}
func (quiet) Touch(*int) {}
func Use() int { return Do(quiet{}) }
`},
		{"generic function inside", `
func Do() int { n := new(int); set(n, 1); return *n } // want own
func set[E any](p *E, e E) { *p = e } // want own
`},
		{"generic function inside that an exported one calls", `
func Do() { n := new(int); Set(n, 1) }
func Set[E any](p *E, e E) { set(p, e) }
func set[E any](p *E, e E) { *p = e } // want shared
`},
		{"function that a generic one names", `
func Do() { n := new(int); set(n) }
func set(p *int) { *p = 1 } // want shared
func Each[E any](e E) { f := set; f(nil) }
`},
		{"variable that a generic function names", `
var hidden int
func init() { hidden = 1 } // want shared
func Each[E any](e E) { hidden++ }
`},
		{"function value in an exported variable", `
var Hook = set
func Do() { n := new(int); set(n) }
func set(p *int) { *p = 1 } // want shared
`},
		{"function value in a field", `
type T struct{ hook func(*int) }
func New() *T { return &T{set} }
func set(p *int) { *p = 1 } // want shared
func Run(t *T) { t.hook(new(int)) }
`},
		{"method value", `
type box struct{ n int }
func (b *box) set(p *int) { *p = b.n } // want shared
func Do() func(*int) { b := new(box); return b.set }
`},
		{"function literal", `
func Do() func(*int) { return func(p *int) { *p = 1 } } // want shared
`},
		{"function literal inside", `
func Do() { each(func(p *int) { *p = 1 }) } // want own
func each(f func(*int)) { n := new(int); f(n) }
`},
		{"go:linkname of a function", `
//go:linkname set
func set(p *int) { *p = 1 } // want shared
func Do() { n := new(int); set(n) }
`},
		{"go:linkname of a method", `
//go:linkname other unit.(*box).set
func other(*box)
type box struct{ n int }
func (b *box) set() { b.n = 1 } // want shared
func Do() { b := new(box); b.set() }
`},
		{"export for C", `
//export set
func set(p *int) { *p = 1 } // want shared
func Do() { n := new(int); set(n) }
`},
		{"argument of an unknown function", `
func Do(f func(*int)) int {
	n := new(int)
	f(n)
	return *n // want shared
}
`},
		{"value of a panic", `
type box struct{ n int }
func Do() (n int) {
	b := new(box)
	defer func(b *box) { b.n = 2 }(b) // want shared
	panic(b)
}
`},
		{"result of a function inside", `
type box struct{ n int }
func Do() int { b := make1(); b.n = 1; return b.n } // want own
func make1() *box { return &box{} }
`},
		{"result of an exported function", `
type box struct{ n int }
func Do() *box { b := make1(); b.n = 1; return b } // want own
func make1() *box { return &box{} }
`},
		{"result, and what it leads to", `
type box struct{ n int; next *box; list []int }
func Do() (any, error) {
	b := &box{next: &box{}, list: make([]int, 1)}
	b.next.n = 1 // want own
	b.list = append(b.list, 1) // want own
	b.list[0] = 2 // want own
	return b, nil
}
`},
		{"result that comes back as an argument", `
type box struct{ n int }
func New() *box { return &box{} }
func Set(b *box) *box { b.n = 1; return b } // want shared
`},
		{"result that the package keeps", `
type box struct{ n int }
var all = map[int]*box{}
func Do() *box { b := &box{}; all[1] = b; b.n = 1; return b } // want shared
`},
		{"result that a method of the result knows", `
type box struct{ n int }
func Do() *box { b := &box{}; b.n = 1; return b } // want own
func (b *box) Set() { b.n = 2 } // want shared
`},
		{"result of which a part is kept", `
type box struct{ n int; next *box }
var last *box
func Do() *box {
	b := &box{next: &box{}}
	c := b.next
	last = c
	c.n = 1 // want shared
	b.n = 1 // want own
	return b
}
`},
		{"result, and a closure that knows it", `
type box struct{ n int }
func Do() (*box, func()) {
	b := &box{}
	b.n = 1 // want shared
	return b, func() { b.n = 2 } // want shared
}
`},
		{"result, and a task that knows it", `
type box struct{ n int }
func Do() *box {
	b := &box{}
	go func() { b.n = 2 }() // want shared
	return b
}
`},
		{"result of a callback", `
type box struct{ n int }
type maker interface{ Run(f func() *box) }
func Do(m maker) {
	b := &box{}
	m.Run(func() *box { return b })
	b.n = 1 // want shared
}
`},
		{"result in memory of the caller", `
type box struct{ n int; next *box }
func Do(p *box) *box {
	b := &box{}
	p.next = b
	b.n = 1 // want shared
	return b
}
`},
		{"result of an exported function, which is called here and elsewhere", `
func Grow(s []int) []int { return append(s, 1) }
func Do() []int {
	s := Grow(make([]int, 1))
	s[0] = 2 // want own
	return Grow(s)
}
func Other(s []int) []int {
	s = Grow(s)
	s[0] = 3 // want shared
	return s
}
`},
		{"result as an integer", `
func Do() uintptr { n := new(int); *n = 1; return reflect.ValueOf(n).Pointer() } // want shared
`},
		{"started as a task", `
func Do() { n := new(int); go set(n) }
func set(p *int) { *p = 1 } // want shared
`},
		{"unexported variable", `
var n int
func Do() { set(&n) }
func set(p *int) { *p = 1 } // want shared
`},
		{"iterator of an importer", `
func Do(seq func(func(int) bool)) (n int) {
	m := new(int)
	for x := range seq { *m += x } // want shared
	return *m // want shared
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "package unit\n\nimport (\n\t\"reflect\"\n\t\"sync/atomic\"\n\t_ \"unsafe\"\n)\n\nvar _ reflect.Kind\nvar _ atomic.Bool\n" + c.src
			for _, w := range shares(unitOf(t, src), src) {
				t.Error(w)
			}
		})
	}
}

// TestUnitCallers: all callers of an unexported function are in sight, those of an entry are
// not.
func TestUnitCallers(t *testing.T) {
	a := unitOf(t, `package unit

func Open() { inner() }

func inner() {}

func taken() {}

var hook = taken

func started() {}

func Start() { go started(); hook() }

type box struct{}

func (box) String() string { return "" }

func (box) Len() int { return 0 }

func (box) quiet() {}

func Box() (int, any) { var b box; b.quiet(); return b.Len(), b }
`)
	got := map[string]bool{}
	var calls []string
	for _, f := range a.Program().Functions() {
		if f.Synthetic != "" {
			continue
		}
		list, all := a.Callers(f)
		got[f.Name()] = all
		for _, c := range list {
			calls = append(calls, c.Parent().Name()+" "+f.Name())
		}
	}
	for name, all := range map[string]bool{"Open": false, "inner": true, "taken": false, "started": true, "Start": false, "String": false, "Len": false, "quiet": true, "Box": false} {
		if got[name] != all {
			t.Errorf("%s: all callers known %v, want %v", name, got[name], all)
		}
	}
	for _, c := range []string{"Open inner", "Start started", "Box quiet", "Start taken"} {
		if !slices.Contains(calls, c) {
			t.Errorf("no call %s in %v", c, calls)
		}
	}
}

// TestUnitTasks: functions that other packages may call, and all that these call, run in
// tasks; functions that init alone calls do not.
func TestUnitTasks(t *testing.T) {
	a := unitOf(t, `package unit

var table = fill()

func init() { once(); both() }

func fill() []int { return []int{1} }

func once() {}

func both() {}

func Open() { both(); inner() }

func inner() { deep() }

func deep() {}

var hook func()

func init() { hook = registered }

func registered() { late() }

func late() {}

func Run() { hook() }
`)
	for _, f := range a.Program().Functions() {
		want := map[string]bool{"both": true, "Open": true, "inner": true, "deep": true, "registered": true, "late": true, "Run": true}[f.Name()]
		if f.Synthetic == "" && !strings.HasPrefix(f.Name(), "init#") && a.InTask(f) != want {
			t.Errorf("%s: runs in tasks %v, want %v", f.Name(), a.InTask(f), want)
		}
	}
}

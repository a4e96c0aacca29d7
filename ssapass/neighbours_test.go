package ssapass

import (
	"strings"
	"testing"
)

// TestNeighbours: what package sync and sync/atomic do with one field of a struct is no write of
// another field, in both scopes.
func TestNeighbours(t *testing.T) {
	for _, c := range []struct{ field, use string }{
		{"sync.Mutex", "t.f.Lock(); t.f.Unlock()"},
		{"sync.RWMutex", "t.f.RLock(); t.f.RUnlock(); t.f.Lock(); t.f.Unlock()"},
		{"sync.WaitGroup", "t.f.Add(1); t.f.Done(); t.f.Wait()"},
		{"sync.WaitGroup", "t.f.Go(func() {}); t.f.Wait()"},
		{"sync.Once", "t.f.Do(func() {})"},
		{"sync.Map", "t.f.Store(1, 2); t.f.Load(1)"},
		{"int32", "atomic.AddInt32(&t.f, 1); atomic.LoadInt32(&t.f)"},
		{"atomic.Int64", "t.f.Add(1); t.f.Load()"},
		{"atomic.Pointer[int]", "t.f.Store(new(int)); t.f.Load()"},
		{"atomic.Value", "t.f.Store(1); t.f.Load()"},
	} {
		src := strings.NewReplacer("FIELD", c.field, "USE", c.use).Replace(`package main

import ("sync"; "sync/atomic")

var _ atomic.Int32

type T struct {
	f       FIELD
	a, b, c int
	next    *T
	mu      sync.Mutex
}

func (t *T) run() {
	USE
	t.mu.Lock()
	t.b = t.a      // want fixed
	t.c += t.b     // want changing
	_ = t.next.a   // want fixed
	t.mu.Unlock()
}

func main() {
	t := &T{a: 1, next: &T{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() { defer wg.Done(); t.run() }()
	}
	wg.Wait()
}
`)
		program := load(t, module(t, map[string]string{"main.go": src}), false, ".").Analyze()
		for scope, a := range map[string]*Analysis{"package": unitIn(t, true, src), "program": program} {
			changing := map[int]bool{}
			for _, s := range a.Sites.List {
				for _, x := range s.Accesses {
					mem := a.Where(s, x)
					changing[s.Key.Line] = changing[s.Key.Line] || !s.Key.Write && (a.WrittenBeside(x.Instr, mem) || a.Outside(mem))
				}
			}
			for i, l := range strings.Split(src, "\n") {
				if _, want, ok := strings.Cut(l, "// want "); ok && changing[i+1] != (want == "changing") {
					t.Errorf("%s, %s, %s scope: line %d: want %s", c.field, c.use, scope, i+1, want)
				}
			}
		}
	}
}

// TestSlicesContract: functions of package slices keep no slice whose elements hold no pointers,
// nor do the functions of sort that compare by index.
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
		{"p := []*int{&x[0]}; slices.Reverse(p)", true},
		{"q := [][]int{x}; slices.SortFunc(q, func(a, b []int) int { return a[0] - b[0] })", true},
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

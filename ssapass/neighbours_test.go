package ssapass

import (
	"strings"
	"testing"
)

// TestNeighbours: an operation of package sync or sync/atomic on one field of a struct is no write
// of another field, in both scopes.
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
				if s.Key.Write {
					continue
				}
				beside := changing[s.Key.Line]
				for _, x := range s.Accesses {
					mem := a.Where(s, x)
					beside = beside || a.WrittenBeside(x.Instr, mem) || a.Outside(mem)
				}
				changing[s.Key.Line] = beside
			}
			for _, w := range unlike(src, "changing", changing) {
				t.Errorf("%s, %s, %s scope: %s", c.field, c.use, scope, w)
			}
		}
	}
}

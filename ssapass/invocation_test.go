package ssapass

import (
	"strings"
	"testing"
)

// ordered returns the lines of a unit with the comments "want ordered" and "want racy" that
// are not as the comment says. A line is ordered if no access of it can race: its invocation
// has no other task, or it reads what no task of the invocation writes meanwhile.
func ordered(a *Analysis, src string) []string {
	racy := map[int]bool{}
	for _, s := range a.Sites.List {
		if s.Fresh {
			continue
		}
		is := len(s.Accesses) == 0
		for _, c := range s.Accesses {
			mem := a.Where(s, c)
			is = is || !a.AloneWithin(c.Instr, mem) && (s.Key.Write || a.WrittenBeside(c.Instr, mem)) && a.SharedAt(mem)
		}
		racy[s.Key.Line] = racy[s.Key.Line] || is
	}
	return unlike(src, "racy", racy)
}

// TestInvocations: tasks of other calls do not matter for memory that a call keeps to itself.
func TestInvocations(t *testing.T) {
	const imports = `
import ("os"; "runtime"; "sort"; "strings"; "sync"; "time")
var _ = os.Args
var _ = runtime.GC
var _ = sort.Ints
var _ = strings.Fields
var _ sync.Mutex
var _ time.Time
type point struct{ x, y int; next *point }
func each(ps []*point, f func(*point)) {
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() { f(p) })
	}
	wg.Wait()
}
func (p *point) set() { p.x = 1 }
func make2() []*point { return []*point{{}, {}} }
`
	for _, c := range []struct{ name, src string }{
		{"phases of an exported function", `
func Do() int {
	ps := make2()
	ps[0].x = 1 // want ordered
	each(ps, func(p *point) { p.y = ps[0].x }) // want racy
	each(ps, func(p *point) { _ = ps[0].x }) // want ordered
	ps[0].x = 2 // want ordered
	return ps[0].y // want ordered
}
`},
		{"a write in the same phase", `
func Do() {
	ps := make2()
	each(ps, func(p *point) {
		p.x = 1 // want racy
		_ = ps[0].x // want racy
		_ = ps[0].y // want ordered
	})
}
`},
		{"a variable of the package", `
var last []*point
func Do() {
	last = make2()
	ps := last
	each(ps, func(p *point) {})
	ps[0].x = 2 // want racy
}
`},
		{"a variable of a main package", `
var last []*point
func main() {
	last = make2() // want ordered
	ps := last // want ordered
	each(ps, func(p *point) { _ = last }) // want ordered
	last[0].x = 2 // want ordered
	each(ps, func(p *point) { p.x = last[0].y }) // want racy
	each(ps, func(p *point) { _ = last[0].x }) // want ordered
}
`},
		{"a variable of a main package, and tasks of its initializer", `
var last int
func init() { go func() { last = 1 }() } // want racy
func main() { last = 2 } // want racy
`},
		{"a variable of a main package, and a timer", `
var last int
var other int
func main() {
	time.AfterFunc(1, tick)
	last = 2 // want racy
	other = 3 // want ordered
	each(make2(), func(p *point) {})
}
func tick() { last++ } // want racy
`},
		{"a variable of a main package, and a method that external code calls", `
type lister struct{}
func (lister) Len() int { last++; return 0 } // want racy
func (lister) Less(i, j int) bool { return false }
func (lister) Swap(i, j int) {}
var last int
func main() {
	sort.Sort(lister{})
	last = 2 // want racy
	go main()
}
`},
		{"a variable of a main package, exported", `
var Last int
func Set() { Last = 1 } // want ordered
func main() {
	Set()
	Last = 2 // want ordered
	each(make2(), func(p *point) { _ = Last }) // want ordered
}
`},
		{"main runs twice", `
var last int
func main() {
	last = 2 // want racy
	go main()
}
`},
		{"exported function of a package that is not main", `
var last int
func Main() {
	last = 2 // want racy
	each(make2(), func(p *point) {})
}
`},
		{"a result", `
func Do() *point {
	p := new(point)
	each(make2(), func(*point) {})
	p.x = 1 // want ordered
	return p
}
`},
		{"a result that a task may still know", `
func Do() *point {
	p := new(point)
	go func() { p.y = 1 }() // want racy
	p.x = 1 // want racy
	return p
}
`},
		{"a parameter", `
func Do(p *point) {
	each(make2(), func(*point) {})
	p.x = 1 // want racy
}
`},
		{"what a parameter leads to", `
func Do(p *point) {
	q := new(point)
	p.next = q
	each(make2(), func(*point) {})
	q.x = 1 // want racy
}
`},
		{"a channel of the package", `
var queue = make(chan *point)
func Do() {
	p := new(point)
	queue <- p
	each(make2(), func(*point) {})
	p.x = 1 // want racy
}
func Take() { p := <-queue; p.x = 2 } // want racy
`},
		{"a channel of the invocation", `
func Do() {
	queue := make(chan *point, 1)
	p := new(point)
	p.x = 1 // want ordered
	queue <- p
	q := <-queue
	q.x = 2 // want ordered
	each(make2(), func(p *point) {})
	q.y = q.x // want ordered
}
`},
		{"a task that nothing waits for", `
func Do() {
	p := new(point)
	p.x = 1 // want ordered
	go p.set()
	p.y = 1 // want racy
}
`},
		{"a task of a callee that nothing waits for", `
func Do() {
	p := new(point)
	start(p)
	p.y = 1 // want racy
}
func start(p *point) { go p.set() }
`},
		{"a task of a task that nothing waits for", `
func Do() {
	p := new(point)
	each([]*point{p}, func(p *point) { go p.set() })
	p.y = 1 // want racy
}
`},
		{"a task that WaitGroup.Go starts and nothing waits for", `
func Do() {
	p := new(point)
	var wg sync.WaitGroup
	wg.Go(func() { p.x = 1 }) // want racy
	p.y = 1 // want racy
	wg.Wait()
	p.y = 1 // want ordered
}
`},
		{"a WaitGroup of the caller", `
func Do(wg *sync.WaitGroup) {
	p := new(point)
	wg.Go(func() { p.x = 1 }) // want racy
	wg.Wait()
	p.y = 1 // want racy
}
`},
		{"a closure with two uses", `
func Do() {
	p := new(point)
	f := func() { p.x = 1 } // want racy
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
	time.AfterFunc(1, f)
	p.x = 2 // want racy
}
`},
		{"a closure for external code", `
func Do() {
	p, q := new(point), new(point)
	time.AfterFunc(1, func() { p.x = 1 }) // want racy
	each(make2(), func(*point) {})
	p.x = 2 // want racy
	q.next = new(point) // want ordered
	q.next.x = 1 // want ordered
	each(make2(), func(*point) { _ = q.next.x }) // want ordered
}
`},
		{"a closure for external code that calls a function", `
func Do() {
	p := new(point)
	time.AfterFunc(1, func() { help(p) })
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
func help(p *point) { p.x = 1 } // want racy
`},
		{"a closure for external code that starts a task", `
func Do() {
	p := new(point)
	strings.Map(func(r rune) rune { go p.set(); return r }, "x")
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"a closure for external code that starts a task by WaitGroup.Go", `
func Do() {
	p := new(point)
	time.AfterFunc(1, func() {
		var wg sync.WaitGroup
		wg.Go(func() { p.x = 1 }) // want racy
		wg.Wait()
	})
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"a task of external code that starts tasks", `
var last int
func main() {
	time.AfterFunc(1, func() { go set(); each(make2(), func(*point) { last = 3 }) }) // want racy
	each(make2(), func(*point) {})
	last = 2 // want racy
}
func set() { last = 1 } // want racy
`},
		{"a method value for external code", `
func Do() {
	p := new(point)
	time.AfterFunc(1, p.set)
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"a closure as a result", `
func Do() func() {
	p := new(point)
	each(make2(), func(*point) {})
	p.x = 2 // want racy
	return func() { p.x = 1 } // want racy
}
`},
		{"a closure in a variable of the package", `
var hook func()
func Do() {
	p := new(point)
	hook = func() { p.x = 1 } // want racy
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
func Call() { hook() }
`},
		{"a method of a value in an interface", `
type box struct{ p *point }
func (b box) Write(d []byte) (int, error) { b.p.x = 1; return 0, nil } // want racy
func Do() {
	p := new(point)
	strings.NewReplacer().WriteString(box{p}, "x")
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"a finalizer", `
func Do() {
	p := new(point)
	runtime.SetFinalizer(p, (*point).set)
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"an entry that an invocation calls beside its tasks", `
func Do() {
	ps := make2()
	Fill(ps)
	go Fill(ps)
}
func Fill(ps []*point) { ps[0].x = 1 } // want racy
`},
		{"an unexported function that is called beside tasks", `
func Do() {
	ps := make2()
	fill(ps)
	each(ps, func(p *point) { fill(ps) })
}
func fill(ps []*point) { ps[0].x = 1 } // want racy
`},
		{"an unexported function that is called between tasks", `
func Do() {
	ps := make2()
	each(ps, func(p *point) { p.y = 1 }) // want racy
	fill(ps)
	each(ps, func(p *point) { _ = p.x }) // want ordered
	fill(ps)
}
func fill(ps []*point) { ps[0].x = 1 } // want ordered
`},
		{"a function that recovers", `
func Do() {
	p := new(point)
	try(p)
	p.x = 2 // want racy
}
func try(p *point) {
	defer func() { recover() }()
	var wg sync.WaitGroup
	wg.Go(func() { p.x = 1 }) // want racy
	if len(os.Args) > 1 { panic("x") }
	wg.Wait()
}
`},
		{"a loop whose body runs in external code", `
func Do() {
	p := new(point)
	for range strings.SplitSeq("a b", " ") {
		p.x = 1 // want racy
	}
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"a function value that is unknown", `
func Do(f func(func())) {
	p := new(point)
	f(func() { p.x = 1 }) // want racy
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"an argument of an unknown function", `
func Do(f func(*point)) {
	p := new(point)
	f(p)
	each(make2(), func(*point) {})
	p.x = 2 // want racy
}
`},
		{"Goexit between the tasks and Wait", `
func Do() {
	p := new(point)
	var wg sync.WaitGroup
	wg.Go(func() {
		var in sync.WaitGroup
		in.Go(p.set)
		if len(os.Args) > 1 { runtime.Goexit() }
		in.Wait()
	})
	wg.Wait()
	p.x = 2 // want racy
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			main := strings.Contains(c.src, "func main()")
			name := "unit"
			if main {
				name = "main"
			}
			src := "package " + name + imports + c.src
			for _, w := range ordered(unitIn(t, main, src), src) {
				t.Error(w)
			}
		})
	}
}

// TestMainPackage: what a main package exports is its own, unless a test may import it.
func TestMainPackage(t *testing.T) {
	const src = `package main
import "sync"
var Last int
func Set() { Last = 1 }
func main() {
	Last = 2 // want %s
	var wg sync.WaitGroup
	wg.Go(Set)
	wg.Wait()
	Last = 3 // want %s
}
`
	for main, want := range map[bool]string{true: "ordered", false: "racy"} {
		src := strings.ReplaceAll(src, "%s", want)
		for _, w := range ordered(unitIn(t, main, src), src) {
			t.Errorf("main %v: %s", main, w)
		}
	}
}

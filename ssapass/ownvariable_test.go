package ssapass

import "testing"

// TestByMaker: a read of a captured variable in the call that made it needs no look at other
// tasks if only that call writes it. Lines say "own" or "foreign" about their reads.
func TestByMaker(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"other tasks read", `
func Do() {
	n := 0
	for n < 3 { // want own
		n++
		go func() { println(n) }() // want foreign
	}
}
`},
		{"a task writes", `
func Do() {
	n := 0
	go func() { n++ }() // want foreign
	println(n) // want foreign
}
`},
		{"a closure that the call itself runs", `
func Do() {
	n := 0
	f := func() { n = 1 }
	f()
	go func() { println(n) }() // want foreign
	println(n) // want foreign
}
`},
		{"calls that run at once", `
func Do(depth int) {
	n := depth
	if depth > 0 {
		go Do(depth - 1)
	}
	n++
	go func() { println(n) }() // want foreign
	println(n) // want own
}
`},
		{"a pointer from another call", `
func Do(last *int) {
	n := 1
	go func() { Do(&n) }()
	if last != nil {
		*last = 2
	}
	println(n) // want foreign
}
`},
		{"instances of a loop variable", `
func Do() {
	for i := 0; i < 3; i++ { // want own
		go func() { println(i) }() // want foreign
	}
}
`},
		{"the body of a loop over a function", `
func Do(all func(yield func() bool)) {
	n := 0
	for range all {
		n++ // want foreign
	}
	println(n) // want foreign
	go func() { println(n) }() // want foreign
}
`},
		{"fields and elements", `
func Do(k int) {
	var p struct{ a [4]int; b int }
	go func() { println(p.a[0], p.b) }() // want foreign
	p.b = k
	p.a[k&3]++ // want own
	println(p.b) // want own
}
`},
		{"an element by a slice", `
func Do(k int) {
	var a [4]int
	s := a[:]
	go func() { s[k] = 1 }()
	println(a[1]) // want foreign
}
`},
		{"external code knows the address", `
import "sync/atomic"
func Do() {
	var n int32
	go func() { atomic.AddInt32(&n, 1) }()
	println(n) // want foreign
}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "package p\n" + c.src
			a := unitOf(t, src)
			got := map[int]bool{}
			for _, s := range a.Sites.List {
				if s.Key.Write || s.Fresh {
					continue
				}
				own, seen := got[s.Key.Line]
				own = own || !seen
				for _, x := range s.Accesses {
					own = own && a.ByMaker(x.Addr, a.Where(s, x))
				}
				got[s.Key.Line] = own
			}
			for _, w := range unlike(src, "own", got) {
				t.Error(w)
			}
		})
	}
}

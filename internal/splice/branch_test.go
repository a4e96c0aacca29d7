package splice

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskinstr/internal/golist"
)

// TestFormulas compares the formulas of branches and writes, as the site table has them.
func TestFormulas(t *testing.T) {
	const src = `package main

var (
	flag, other bool
	count int
	small uint8
	word string
	ratio float64
)

func set() {
	flag, other, small, word, ratio = true, flag, 1, "y", 2
}

func main() {
	c := count
	d := c + 1
	e := 0
	e++
	if flag { count = 1 }
	if !flag && other { count = 1 }
	if c > 3 { count = 1 }
	if d*2 <= count { count = 1 }
	if e == 0 { count = 1 }
	if small == 7 { count = 1 }
	if word == "x" { count = 1 }
	if ratio > 1 || flag { count = 1 }
	if f := small; f&1 != 0 { count = 1 }
	count += c
	count--
	count = d - 2
	count /= 2
	other = c < 3
	var g, h = 5, c
	i, j := true, word
	go func() { g, h, i, j = h+g, 1, !i, j }()
	if count%4 == 0 { count = 1 }
	if count%4 == 1 { count = 1 }
	if once(g > 1, 5, small) { count = 1 }
	often(1)
	often(2)
	var k uint8 = 255
	if k++; k == 0 { count = 1 }
	for range 2 {
		if e > 1 { count = 1 }
		e++
	}
	if ptr == nil { count = 1 }
	if ptr == &count { count = 1 }
	m := 7
	if flag { m = 8 } else { m *= c }
	if m > 7 { count = 1 }
	ptr = new(int)
	own, n := &count, 1
	go func() { own, n = nil, n }()
	own = &[]int{1}[0]
	_ = own
	own = new(int)
	n *= 3
	n++
}

var ptr *int

func once(a bool, n int, s uint8) bool {
	if a { count = 1 }
	if n > 3 { count = 1 }
	if s%2 == 1 { count = 1 }
	return a
}

func often(n int) {
	if n > 3 { count = 1 }
}
`
	got, text := formulasOf(t, src)
	want := []string{
		"#1", "@:b1", "#1", "#1", // in set; the length of word
		"(+ @:i8 @:i8)", "#1", "(! @:b1)", "@:i8", // in the function literals; the length of j
		"#0", "@:i8",
		"@:b1",
		"(&& (! @:b1) @:b1)",
		"(> @:i8 #3)",
		"(<= (* (+ @:i8 #1) #2) @:i8)",
		"(== (+ #0 #1) #0)",
		"(== @:u1 #7)",
		"?",
		"(|| ? @:b1)",
		"(!= (& @:u1 #1) #0)",
		"(== (& @:i8 #3) #0)",
		"(== ? #1)",   // of a negative number, bits are not the remainder
		"(> @:i8 #1)", // a call: its function returns the argument
		"(== ? #0)",   // a byte overflows
		"(== @:u8 #0)",
		"?",                                                  // which address an object has is chance
		"@:b1",                                               // the decision alone
		"(> ? #7)",                                           // assigned in a branch
		"#1", "#1", "#1", "#1", "#1", "#1", "#1", "#1", "#1", // the stores in the branches
		"(+ @:i8 @:i8)",
		"(- @:i8 #1)",
		"(- (+ @:i8 #1) #2)",
		"(< @:i8 #3)",
		"#5", "@:i8", "#1", "@:i8", // g, h, i and j, captured by reference; c was read
		"#1", "#1", "#1", "#1", "#1", "#1", "#1", "#1",
		"?", "#1", // own and n
		"?",
		"*",
		"(* @:i8 #3)", "(+ @:i8 #1)", // whose checks stand before the stores
		"(> @:i8 #1)", "(> #5 #3)", "(== (& @:u1 #1) #1)", "#1", "#1", "#1", // in once
		"(> ? #3)", "#1", // in often, which is called twice
	}
	if !slices.Equal(got, want) {
		t.Errorf("formulas\n%q, want\n%q\n%s", got, want, text)
	}
}

// TestLengthFormulas compares the formulas of the lengths of slices and strings.
func TestLengthFormulas(t *testing.T) {
	const src = `package main

var (
	q, r []int
	s string
	b []byte
	a [4]int
	n int
	m map[int]int
	runes []rune
)

func grow(x []int, y ...int) {
	q = append(q, 1, 2)
	q = append(q, r...)
	q = nil
	q = make([]int, n, 9)
	q = []int{5: 1, 2}
	q = q[1:n]
	q = r[:]
	q = x
	s = s + "ab"
	s += "abc"
	s = string(b)
	b = []byte(s)
	runes = []rune(s)
	own := append(r, 1)
	if len(own) > 1 { n = 1 }
}

func main() {
	grow(nil)
	r = nil
	if len(q) > 2 { n = 1 }
	if cap(q) > 2 { n = 1 }
	if len(a) > n { n = 1 }
	if len(m) > 2 { n = 1 }
	if s == "" { n = 1 }
	if s != "x" { n = 1 }
	if q == nil { n = 1 }
}
`
	got, text := formulasOf(t, src)
	want := []string{
		"(> (+ @:i8 #1) #1)", // own
		"(+ @:i8 #2)", "(+ @:i8 @:i8)", "#0", "@:i8", "#7", "(- @:i8 #1)", "(- @:i8 #0)",
		"?", // a parameter of a variadic function
		"(+ @:i8 #2)", "(+ @:i8 #3)", "@:i8", "@:i8",
		"?", // characters
		"#1",
		"(> @:i8 #2)", "(> @:i8 #2)", "(> #4 @:i8)", "(> ? #2)", "(== @:i8 #0)", "?", "?",
		"#0", "#1", "#1", "#1", "#1", "#1", "#1", "#1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("formulas\n%q, want\n%q\n%s", got, want, text[strings.Index(text, "func grow"):])
	}
}

// TestResultFormulas compares the formulas of conditions that call functions.
func TestResultFormulas(t *testing.T) {
	const src = `package main

import "sync"

type queue struct {
	mu sync.Mutex
	items []int
}

func (q *queue) over(n int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items) > n
}

func (q *queue) size() int {
	q.mu.Lock()
	n := len(q.items)
	q.mu.Unlock()
	return n
}

func (q *queue) twice() bool {
	if q.items == nil { return false }
	return len(q.items) > 2
}

func (q *queue) deep() int { return q.size() }

func (q *queue) self(n int) int {
	defer func() { q.self(n - 1) }()
	return len(q.items)
}

var x, limit int

func main() {
	q := &queue{}
	limit = 2
	if q.over(limit) { println() }
	if q.size() > q.size() { println() }
	n := q.size()
	if n > 1 { println() }
	if q.size() > n { println() }
	if m := q.size(); m > 2 && limit > 3 { println() }
	k := q.size()
	q.over(1)
	if k > 4 { println() }
	if q.twice() { println() }
	if q.deep() > 5 { println() }
	if q.self(1) > 6 { println() }
	x = q.size()
	x, limit = q.size(), q.size()
	j := q.size()
	for limit < 7 {
		if j > 8 { println() }
	}
	push := func(v int) int { return len(q.items) + v }
	if push(1) > 9 { println() }
}
`
	got, text := formulasOf(t, src)
	var calls []string
	for _, x := range got {
		if strings.Contains(x, " in @") || strings.Contains(x, "(> ? ") {
			calls = append(calls, x)
		}
	}
	want := []string{
		"(> @:i8 @:i8) in @",
		"(> @:i8 #1) in @",
		"(&& (> @:i8 #2) (> @:i8 #3)) in @",
		"(> (+ @:i8 #1) #9) in @",
		"@:i8 in @", // x
	}
	if !slices.Equal(calls, want) {
		t.Errorf("formulas with calls\n%q, want\n%q\n%q\n%s", calls, want, got, text[strings.Index(text, "func main"):])
	}
}

// formulasOf instruments a program and returns its formulas, without the numbers of sites.
func formulasOf(t *testing.T, src string) (got []string, text string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "", "runtime", "sync")
	c, err := w.check(&golist.Package{ImportPath: "main", Name: "main", Dir: dir, GoFiles: []string{"main.go"}})
	if err != nil {
		t.Fatal(err)
	}
	c.Branches = true
	r, err := Package(c)
	if err != nil {
		t.Fatal(err)
	}

	for _, m := range regexp.MustCompile(`\\t([^\\]*)\\t=\d+\\n`).FindAllSubmatch(r.Files[0], -1) {
		got = append(got, regexp.MustCompile(`@\d+`).ReplaceAllString(string(m[1]), "@"))
	}
	return got, string(r.Files[0])
}

// TestNosplitBranches checks that functions marked go:nosplit get no records, for which their
// stack has no room, and that the reason is listed.
func TestNosplitBranches(t *testing.T) {
	const src = `package main

var a, b int

//go:nosplit
func small() {
	if a == 1 { b = 1 }
	if b == 2 { a = 2 } else { b = 3 }
	for a < 4 { b++ }
	switch a { case 5: b = 5 }
	func() { if a == 6 { b = 6 } }()
}

func main() { small(); a, b = 1, 2 }
`
	_, text := formulasOf(t, src)
	_, body, _ := strings.Cut(text, "func small()")
	body, literal, _ := strings.Cut(body, "func()")
	for _, helper := range []string{"_ti_branch", "_ti_possible"} {
		if strings.Contains(body, helper) {
			t.Errorf("%s in a function marked go:nosplit:\n%s", helper, body)
		}
		if !strings.Contains(literal, helper) {
			t.Errorf("no %s in the literal, which may grow its stack:\n%s", helper, literal)
		}
	}
}

// TestDecisions compares the records of statements that are not simple: a formula for each
// decision, and a record on both sides.
func TestDecisions(t *testing.T) {
	const src = `package main

import "sync"

var (
	mu sync.Mutex
	a, b, c int
	p *[2]int
	q []int
)

func chain() {
	if a == 1 {
		println()
	} else if b == 2 {
		println()
	}
	for a < 3 {
		println()
	}
	for b < 4 {
		if c == 5 { println() }
		break
	}
	for i := 0; i < 6; i++ {
		println()
	}
}

func early() {
	if a == 7 {
		println()
		return
	}
	println(b)
}

func choose() {
	switch a {
	case 1:
		println(b)
	case 2:
		println()
	}
}

func release() {
	mu.Lock()
	if a == 8 {
		mu.Unlock()
		println(b)
	} else {
		mu.Unlock()
	}
}

func reach() {
	x := p
	y := q[1:]
	println(x[1], y[2])
}

func main() { a, b, c, p, q = 1, 2, 3, nil, nil }
`
	got, text := formulasOf(t, src)
	want := []string{
		"(== @:i8 #1)", "(== @:i8 #2)", "(< @:i8 #3)",
		"(== @:i8 #5)", // in a loop; the loop itself is left by break
		"(== @:i8 #7)",
		"?", // a switch has no formula
		"(== @:i8 #8)",
		"? from @", "? from @",
		"#1", "#2", "#3", "#0", "#0", // in main
	}
	if !slices.Equal(got, want) {
		t.Errorf("formulas\n%q, want\n%q\n%s", got, want, text)
	}
	for what, n := range map[string]int{
		`_ti_branch\(`:       2*6 + 3, // both ways; the clauses of the switch statement and none of them
		`_ti_possible\(`:     4,       // b behind the return, for the second clause, for none, behind the release
		`,_ti_lock\(&mu,2\)`: 1,
	} {
		if found := regexp.MustCompile(what).FindAllString(text[:strings.Index(text, "func main()")], -1); len(found) != n {
			t.Errorf("%s: %d times, want %d\n%s", what, len(found), n, text)
		}
	}
}

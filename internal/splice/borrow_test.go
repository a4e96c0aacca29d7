package splice

import (
	"strings"
	"testing"

	"taskinstr/internal/site"
)

const borrowedSource = `package main

import "fmt"

type part struct{ n int }

func (p *part) add(n int) *part { p.n += n; return p }

type whole struct {
	part
	*other
	total int
	to    *int
}

type other struct{ n int }

func (o *other) more() { o.n++ }

// count has several lines.
func (w *whole) count(xs ...int) (n int) {
	for _, x := range xs {
		w.total += x
	}
	*w.to++
	w.add(2)
	return w.total
}

func (w *whole) both() (a, b int) { return w.total, *w.to }

func (w *whole) pair(a, b int) { w.total = a + b }

func (*whole) none(a int) {}

func (w *whole) literal() func() int { return func() int { return w.total } }

func reset(w *whole, n int) { w.total = n }

func main() {
	w := whole{other: new(other), to: new(int)}
	fmt.Println("sum", w.count(1, 2), w.count([]int{3, 4}...), w.count())
	w.add(1).add(2)
	w.pair(w.both())
	w.
		add(3).
		add(4)
	w.more()
	(&w).none(1)
	reset(&w, w.part.n)
	fmt.Println("sum", w.total, w.part.n, *w.to, w.literal()(), w.other.n)
}
`

// TestBorrowers: calls that a plan names go to copies, which lack the checks that it names.
func TestBorrowers(t *testing.T) {
	src := borrowedSource
	place := func(text string) site.Pos { return placeIn(t, src, text, strings.LastIndexAny(text, ". \t\n")+1) }
	key := func(text string) site.Key {
		at := strings.LastIndexAny(text, " \t*") + 1
		p := placeIn(t, src, text, at)
		return site.Key{File: p.File, Line: p.Line, Col: p.Col, Expr: text[at:], Write: true}
	}
	plan := &Plan{
		Files: map[string]string{"p.go": site.Digest([]byte(src))}, Fates: map[site.Key]Fate{},
		Borrowers: []Borrower{
			{Func: place("(p *part) add"), Omit: []site.Key{key("{ p.n")}},
			{Func: place("(w *whole) count"), Omit: []site.Key{key("\tw.total")}, Lent: []site.Pos{place("w.add")}},
			{Func: place("(w *whole) pair"), Omit: []site.Key{key("b int) { w.total")}},
			{Func: place("(o *other) more"), Omit: []site.Key{key("{ o.n")}},
			{Func: place("(*whole) none")},
			{Func: place("(w *whole) literal")},
			{Func: place("func reset"), Omit: []site.Key{key("n int) { w.total")}},
		},
		Lent: []site.Pos{
			place(`"sum", w.count`), place("3, 4}...), w.count"), place("w.add(1).add"), place("w.pair"), place("w.\n\t\tadd"), place("add(3).\n\t\tadd"),
			place("\n\tw.more"), place("(&w).none"), place("\treset"), place("*w.to, w.literal"),
		},
	}
	r := spliceText(t, src, plan)
	got := string(r.Files[0])
	functions, body, _ := strings.Cut(got, "func main()")
	counts(t, functions, map[string]int{
		"func _ti_bꞏpartꞏadd(p *part, /*line :7:20*/n int) *part { p.n += n; return p }": 1,
		"func _ti_bꞏwholeꞏcount(w *whole, ":                                              1, "\t_ti_bꞏpartꞏadd(&w.part,2)": 1, "\tw.add(2)": 1, "\tw.total += x": 1,
		"func _ti_bꞏwholeꞏnone(_ *whole, ": 1, "func _ti_bꞏreset(w *whole, n int) { w.total = n }": 1, "_ti_bꞏwholeꞏliteral": 0,
	})
	counts(t, body, map[string]int{
		"_ti_bꞏwholeꞏcount(&w,": 1, "_ti_bꞏwholeꞏcount(&w)": 1, "w.count(": 1, "_ti_bꞏpartꞏadd(w.add(1),2)": 1, "w.pair(w.both())": 1,
		"_ti_bꞏpartꞏadd/*line :47:6*/(/*line :45:2*/_ti_bꞏpartꞏadd/*line :46:6*/(&/*line :45:2*/w.part,/*line :46:7*/3),/*line :47:7*/4)": 1,
		".more()": 1, "_ti_bꞏwholeꞏnone((&w),1)": 1, "_ti_bꞏreset(&w, w.part.n)": 1, "w.literal()": 1,
	})
	counts(t, string(r.Generated), map[string]int{
		"\n//go:linkname _ti_bꞏwholeꞏcount main.(*whole).countꞏcopy\n": 1, "\n//go:linkname _ti_bꞏreset main.resetꞏcopy\n": 1, "ꞏcopy\n": 6,
	})
	plainSites := len(spliceText(t, src, nil).Sites)
	if len(r.Sites) != plainSites {
		t.Errorf("the table has %d rows, without copies %d", len(r.Sites), plainSites)
	}
	dir := t.TempDir()
	plain := goRun(t, dir, "plain.go", src, nil)
	host(r)
	if a, b := results(plain), results(goRun(t, dir, "p.go", string(r.Files[0]), r.Generated)); a != b || a == "" {
		t.Errorf("prints\n%swant\n%s", b, a)
	}
}

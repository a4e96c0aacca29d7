package optimize_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/optimize"
	"taskinstr/optimize/passtest"
)

var opaques = flag.Int("optimize.opaques", 15, "random generic packages of TestOpaque")

// TestOpaque: what the passes decide about generic functions of a package that others import holds
// for each instance. Random generic functions get type arguments by replacing their parameters in
// the text. A check that is removed in the generic text is one that the passes remove there as well,
// or one on which they let others rely.
func TestOpaque(t *testing.T) {
	removed := 0
	for seed := range *opaques {
		g := &generic{rand: rand.New(rand.NewPCG(uint64(seed), 45))}
		body := g.program()
		for _, pass := range []string{"dominate", "all"} {
			abstract := opaqueFates(t, pass, g.text(body, ""))
			for _, arg := range map[string][]string{
				"any":            {"int", "string", "still", "*locks", "struct{ still; p *int }", "any"},
				"Doer":           {"still", "*locks", "number"},
				"~int8 | ~uint8": {"int8", "uint8", "number"},
				"~string":        {"string", "text"},
			}[g.constraint] {
				concrete := opaqueFates(t, pass, g.text(body, arg))
				for k, gone := range abstract {
					if gone != "removed" && gone != "guarded" {
						continue
					}
					removed++
					if got := concrete[k]; got == "kept" {
						t.Errorf("seed %d, %s, %s: removed in the generic text, kept with %s\n%s", seed, pass, k, arg, numbered(g.text(body, "")))
						return
					}
				}
			}
		}
	}
	if removed < *opaques {
		t.Errorf("%d removed checks in %d packages: too few to tell", removed, *opaques)
	}
}

// opaqueFates returns the fate of each access of a package, by line, expression and kind: "kept",
// "removed", "merged" with a neighbour, "guarded", or "cover" for a kept check that covers others.
// TestOpaque does not compare the merged ones: where more is known, the neighbour may be removed, and
// the access be checked by itself.
func opaqueFates(t *testing.T, pass, text string) map[string]string {
	a := passtest.Unit(t, "p.go", text)
	p := passtest.Plan(t, a, pass)
	out := map[string]string{}
	covers := map[int]bool{}
	for _, f := range p.Fates {
		for _, c := range f.Covers() {
			covers[c] = true
		}
	}
	for i, s := range a.Sites.List {
		if filepath.Base(s.Key.File) != "p.go" {
			continue
		}
		k := fmt.Sprintf("line %d: %s, write %v, elements %v", s.Key.Line, s.Key.Expr, s.Key.Write, s.Key.Elems)
		fate := "removed"
		if strings.HasPrefix(p.Fates[i].Reason, "checked with its neighbour") {
			fate = "merged"
		}
		switch p.Fates[i].Kind {
		case optimize.Guarded:
			fate = "guarded"
		case optimize.Kept:
			fate = "kept"
			if covers[i] || p.Fates[i].Len > 0 {
				fate = "cover"
			}
		}
		if old, ok := out[k]; !ok || old == "removed" || old == "guarded" || old == "merged" {
			out[k] = fate
		}
	}
	return out
}

// A generic makes random packages.
type generic struct {
	rand       *rand.Rand
	constraint string
	depth      int
}

// program returns the bodies of some functions.
func (g *generic) program() []string {
	// Each has one opaque type: dominate visits the instances of a function one after the other, and
	// finds more with several.
	g.constraint = []string{"any", "any", "Doer", "~int8 | ~uint8", "~string"}[g.rand.IntN(5)]
	var list []string
	for range 4 {
		g.depth = 0
		list = append(list, g.block(6+g.rand.IntN(6)))
	}
	return list
}

func (g *generic) block(n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(g.statement())
	}
	return b.String()
}

func (g *generic) statement() string {
	if g.depth < 2 && g.rand.IntN(6) == 0 {
		g.depth++
		defer func() { g.depth-- }()
		head := []string{"if x > 3 {\n", "for k := 0; k < x; k++ {\n", "if b == c {\n", "if any(v) == any(zero) {\n", "func() {\n"}[g.rand.IntN(5)]
		tail := "}\n"
		if head == "func() {\n" {
			tail = "}()\n"
		}
		return head + g.block(1+g.rand.IntN(3)) + tail
	}
	list := []string{
		"x += b.n\n", "x += b.n\n", "b.n = x\n", "x += b.m\n", "b.m = x\n", "b.k = x\n", "x += b.k\n", "b.l = 1\n",
		"b.val = v\n", "v = b.val\n", "c.val = v\n", "x += c.n\n", "c.n = 1\n",
		"b.next = c\n", "x += b.next.n\n", "b = b.next\n", "c = b\n",
		"mu.Lock()\n", "mu.Unlock()\n", "call(v)\n", "call(zero)\n", "f(v)\n", "x += helper(b)\n", "x += helper(c)\n",
		"if d, ok := any(v).(Doer); ok {\nd.Do()\n}\n", "if d, ok := any(zero).(Doer); ok {\nd.Do()\n}\n",
		"s = append(s, v)\n", "v = s[0]\n", "m[x] = v\n", "v = m[x]\n", "p = &b.val\n", "*p = v\n", "v = *p\n",
		"b = made(v)\n", "c = made(zero)\n", "i = v\n", "if d, ok := i.(Doer); ok {\nd.Do()\n}\n",
	}
	switch g.constraint {
	case "Doer":
		list = append(list, "v.Do()\n", "zero.Do()\n", "b.val.Do()\n")
	case "any":
	default:
		list = append(list, "if v < zero {\nx += b.n\n}\n", "v += b.val\n", "b.val += v\n", "if b.val > c.val {\nb.n = x\n}\n")
	}
	return list[g.rand.IntN(len(list))]
}

// text returns the package, generic if arg is "". Lines have the same numbers in both.
func (g *generic) text(bodies []string, arg string) string {
	params, args, alias := "[T "+g.constraint+"]", "[T]", ""
	if arg != "" {
		params, args, alias = "", "", "type T = "+arg
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package m

import "sync"

%[3]s

var mu sync.Mutex

type Doer interface{ Do() }

type Box%[1]s struct {
	n, m int
	val  T
	k, l int
	next *Box%[2]s
}

type still struct{ n int }

func (still) Do() {}

type locks struct{ n int }

func (*locks) Do() { mu.Lock(); mu.Unlock() }

type number int8

func (number) Do() { mu.Lock(); mu.Unlock() }

type text string

func (text) Do() { mu.Lock(); mu.Unlock() }

func call(i any) {
	if d, ok := i.(Doer); ok {
		d.Do()
	}
}

func helper%[1]s(b *Box%[2]s) int {
	return b.n + b.m
}

func made%[1]s(v T) *Box%[2]s {
	b := &Box%[2]s{val: v}
	b.n = 1
	b.n = 2
	return b
}
`, params, args, alias)
	for i, body := range bodies {
		fmt.Fprintf(&b, "\nfunc F%d%s(b, c *Box%s, v T, f func(T), s []T, m map[int]T, x int) int {\nvar zero T\nvar i any\np := &v\n", i, params, args)
		b.WriteString(body)
		b.WriteString("_, _, _, _ = zero, i, p, s\nreturn x\n}\n")
	}
	return b.String()
}

func numbered(text string) string {
	var b strings.Builder
	for i, l := range strings.Split(text, "\n") {
		fmt.Fprintf(&b, "%d\t%s\n", i+1, l)
	}
	return b.String()
}

package splice

import (
	"strings"
	"testing"

	"taskinstr/internal/site"
)

const renewedSource = `package main

func see(p *int) int { return *p }

func two(yield func(int) bool) { _ = yield(1) && yield(2) }

func sum(rows []int, n int) (s int) {
outer:
	for i := 0; see(&i) < n; i++ {
		s += rows[i]
		if i == 1 {
			continue
		}
		for j := 0; j < n; j++ {
			switch see(&j) {
			case 0:
				continue
			case 2:
				continue outer
			}
			s += j
		}
		i := 0 // not the loop variable
		for k := range two {
			if k == 2 {
				continue outer
			}
			s += i + k
		}
	}
	return s
}

func main() {
	for n := 1; n < 5; n++ {
		println("sum", n, sum([]int{10, 20, 30, 40}, n))
	}
}
`

// TestRenewals runs a program with continue statements in loops with variables that have a check at the
// end of each iteration, once with two versions of the outer loop. The check is in the text once a version.
func TestRenewals(t *testing.T) {
	config := checkText(t, renewedSource)
	config.GoVersion = "go1.23"
	listsSites(t, config, splice(t, config))
	want := results(goRun(t, t.TempDir(), "plain.go", renewedSource, nil))

	line := strings.Count(renewedSource[:strings.Index(renewedSource, "outer:")], "\n") + 1
	two := &Plan{Files: map[string]string{"p.go": site.Digest([]byte(renewedSource))},
		Fates:   map[site.Key]Fate{{File: "p.go", Line: line + 2, Col: 8, Expr: "rows[i]"}: {Flag: "_ti_a1"}},
		Inserts: []Insert{{File: "p.go", Line: line + 1, Col: 2, Flags: []string{"_ti_a1"}, Text: "_ti_a1 := n == 2"}}}
	for i, plan := range []*Plan{nil, two} {
		versions := i + 1
		config.Plan = plan
		r := splice(t, config)
		got := string(r.Files[0])
		if r.Stats.Unplanned != 0 {
			t.Errorf("%d entries of the plan fit nothing", r.Stats.Unplanned)
		}
		counts(t, got, map[string]int{"goto _ti_": 4 * versions, "func(": 1, "if _ti_a1 {": versions - 1})
		host(r)
		if s := results(goRun(t, t.TempDir(), "p.go", string(r.Files[0]), r.Generated)); s != want {
			t.Errorf("prints\n%swant\n%s\n%s", s, want, got)
		}
	}
}

package lint

import (
	"fmt"
	"strings"
	"testing"

	"taskinstr/internal/executed"
	"taskinstr/optimize/builder"
)

func TestDigest(t *testing.T) {
	site := func(fn string, line int, fate Fate, estimate float64, advice string) *Site {
		return &Site{Place: Place{"x.go", line, 1}, Access: "read", Expr: "s.n", Func: fn, Package: "m/p", Fate: fate, Reason: "other tasks may reach it", Estimate: estimate, Advice: advice}
	}
	never := site("cold", 90, Kept, 1e6, "")
	never.Reason = builder.NeverRuns
	ignored := site("hot", 12, Kept, 1e6, "")
	ignored.Ignored = "why not"
	r := &Report{Sites: []*Site{
		site("cold", 80, Kept, 1, ""), never,
		site("hot", 10, Kept, 100, "move the call"), site("hot", 11, Kept, 100, "move the call"), ignored,
		site("hot", 13, Kept, 1234567, ""), site("hot", 14, Removed, 1e6, ""), site("hot", 15, Guarded, 1e6, ""),
	}}
	var b strings.Builder
	if err := r.writeDigest(&b, false); err != nil {
		t.Fatal(err)
	}
	want := `hot (x.go:10): 4 of 6 accesses checked each time, about 1,200,000 checks (100 %)
  x.go:13:1: read of s.n, about 1,200,000 times: other tasks may reach it
  x.go:10:1: read of s.n, about 100 times: other tasks may reach it
  x.go:11:1: read of s.n, about 100 times: other tasks may reach it
    change for these 2: move the call

1 function more with 1 check left, 0.0 % together

  accesses  checked each time  guarded  ignored  functions with checks  share  package
         8                  5        1        1                 2 of 2  100 %  m/p
`
	if got, _, _ := strings.Cut(b.String(), "The numbers are"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	r.Profile = &Profile{Unit: unitTime}
	r.Sites[0].Time = 3e6
	b.Reset()
	if err := r.writeDigest(&b, false); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "cold (x.go:80): 1 of 2 accesses checked each time, 100 % of the time in checks\n  x.go:80:1: read of s.n, 3 ms: ") || strings.Contains(got, "x.go:10:1") {
		t.Errorf("with a profile:\n%s", got)
	}
}

// Counts of executed checks take the place of estimates.
func TestExecuted(t *testing.T) {
	r := &Report{Sites: []*Site{
		{Place: Place{"x.go", 3, 2}, Access: "read", Expr: "s.n", Func: "f", Package: "m/p", Fate: Kept, Estimate: 1, abs: "/m/p/x.go"},
		{Place: Place{"x.go", 4, 2}, Access: "read", Expr: "s.m", Func: "f", Package: "m/p", Fate: Guarded, Pass: "hoist", Reason: "r", Estimate: 1, abs: "/m/p/x.go"},
		{Place: Place{"x.go", 5, 2}, Access: "read", Expr: "s.k", Func: "f", Package: "m/p", Fate: Kept, Estimate: 100, abs: "/m/p/x.go"},
	}}
	check := func(position, expr string, n uint64) *executed.Check {
		return &executed.Check{Position: position, Expr: expr, Count: executed.Count{Executed: n}}
	}
	p := &Profile{Unit: unitChecks, Checks: 1500, executed: &executed.Profile{Checks: []*executed.Check{
		check("/m/p/x.go:3:2", "s.n", 1234), check("m/p/x.go:4:2", "s.m", 66), check("/m/q/y.go:1:1", "z", 200),
	}}}
	p.apply(r)
	var b strings.Builder
	if err := r.writeDigest(&b, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"f (x.go:3): 2 of 3 accesses checked each time, 1,300 checks (100 %)\n",
		"  x.go:3:2: read of s.n, 1,234 times: \n  x.go:4:2: read of s.m, 66 times: check guarded (hoist: r)\n  and 1 more\n",
		"Of the 1,500 executed checks, 0 by lone tasks, 1,300 are listed here",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

func TestTimesText(t *testing.T) {
	for n, want := range map[float64]string{1: "about 1 time", 4: "about 4 times", 99: "about 99 times", 1234: "about 1,200 times", 999999: "about 1,000,000 times", 2e12: "about 2e+12 times"} {
		if got := timesText(n, "time", "times"); got != want {
			t.Errorf("%v: %s", n, got)
		}
	}
	if got := fmt.Sprint(grouped("1"), grouped("123"), grouped("1234")); got != "11231,234" {
		t.Errorf("grouped: %s", got)
	}
}

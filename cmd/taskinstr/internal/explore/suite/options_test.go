package suite

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/option"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args  string
		check func(o *options) bool
	}{
		{"-explore=200", func(o *options) bool {
			return o.count == 200 && o.budget == 0 && o.confirm && o.seed == 1 && reflect.DeepEqual(o.packages, []string{"."})
		}},
		{"-explore 30s ./...", func(o *options) bool {
			return o.count == 0 && o.budget == 30*time.Second && reflect.DeepEqual(o.packages, []string{"./..."})
		}},
		{"-explore=5 ./a -run=X/y ./b", func(o *options) bool { return o.run == "X/y" && len(o.packages) == 2 }},
		{"-explore=5 -strategy=random,pct:d=3 -seed=9 -confirm=false", func(o *options) bool {
			return reflect.DeepEqual(o.strategies, []string{"random", "pct:d=3"}) && o.seed == 9 && !o.confirm
		}},
		{"-explore=5", func(o *options) bool { return o.access == accessAuto }},
		{"-explore=5 -explore-access=a.go:12,p.f", func(o *options) bool { return o.access == "a.go:12,p.f" }},
		{"-explore=5 -short -tags=a -pkgs=./... -mod=mod", func(o *options) bool {
			return reflect.DeepEqual(o.args, []string{"-test.short"}) && reflect.DeepEqual(o.build, []string{"-tags=a", "-pkgs=./...", "-mod=mod"})
		}},
		{"-explore=5 ./a -mine x -args -y", func(o *options) bool {
			return reflect.DeepEqual(o.args, []string{"-mine", "x", "-args", "-y"}) && len(o.packages) == 1
		}},
		{"-explore=5 -C=/x -timeout=3s -json", func(o *options) bool { return o.chdir == "/x" || o.timeout == 3*time.Second && o.json }},
	} {
		o, err := parse(option.Default(), strings.Fields(test.args))
		if err != nil || !test.check(o) {
			t.Errorf("%s: %+v, %v", test.args, o, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"-explore=0":                     "neither a number of schedules",
		"-explore=-3s":                   "neither a number of schedules",
		"-explore":                       "needs a value",
		"-strategy=random":               "-explore=N|DURATION is missing",
		"-explore=5 -strategy=replay:x":  "chooses no schedules",
		"-explore=5 -strategy=":          "needs a value",
		"-explore=5 -seed=x":             "no number",
		"-explore=5 -explore-access=a,":  "has no site",
		"-explore=5 -explore-access=":    "needs a value",
		"-explore=5 -bench=.":            "benchmarks are not explored",
		"-explore=5 -count=2":            "how often a test runs",
		"-explore=5 -stratgy=random":     "did you mean -strategy",
		"-explore=5 -timeout=x":          "no duration",
		"-explore=5 -explore-whole=what": "invalid syntax",
		"-explore=5 -baseline-update":    "without -explore",
	} {
		if _, err := parse(option.Default(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	if Asked(strings.Fields("-run=explore ./...")) || !Asked(strings.Fields("./... -explore=3")) {
		t.Error("the flag is recognized where it is none, or is not")
	}
}

// A pattern of -run for one test selects what the whole pattern selects of it.
func TestOnly(t *testing.T) {
	for _, test := range []struct{ pattern, name, want string }{
		{"", "TestA", "^TestA$"},
		{"TestA", "TestA", "^TestA$"},
		{"A/x", "TestA", "^TestA$/x"},
		{"A/x|B/y", "TestB", "^TestB$/y"},
		{"A/x|A/y/z", "TestA", "^TestA$/x|^TestA$/y/z"},
		{"A/x|Test", "TestA", "^TestA$"},
		{"Test(A|B)/[x/|]", "TestB", "^TestB$/[x/|]"},
	} {
		if got := only(test.name, test.pattern); got != test.want {
			t.Errorf("-run=%s of %s: %s, want %s", test.pattern, test.name, got, test.want)
		}
		if ok, err := regexp.MatchString(topLevel(test.pattern), test.name); err != nil || !ok {
			t.Errorf("-run=%s does not list %s", test.pattern, test.name)
		}
	}
}

// Tests take turns, and none gets more schedules than it may.
func TestNext(t *testing.T) {
	o := &options{count: 25, strategies: []string{"random", "pct"}}
	var units []*unit
	for _, name := range []string{"A", "B", "C"} {
		units = append(units, &unit{target: &target{}, test: name, ready: name != "C"})
	}
	seeds := map[string]bool{}
	lead := 0
	for u, b := next(o, units); u != nil; u, b = next(o, units) {
		if u.test == "C" {
			t.Fatal("a test whose run without a schedule is not over has got a batch")
		}
		lead = max(lead, units[0].planned-units[1].planned, units[1].planned-units[0].planned)
		for i := range b.Count {
			seeds[u.test+fmt.Sprint(b.Seed+uint64(i))] = true
		}
	}
	units[0].first, units[0].planned = "a graph", 1
	if _, b := next(o, units[:1]); b.Seed != o.seed || b.Count != 1 || units[0].planned != 1 {
		t.Errorf("the first schedule does not run again: %+v", b)
	}
	units[0].planned = 25
	if units[0].planned != 25 || units[1].planned != 25 || lead > batchSize || len(seeds) != 50 {
		t.Errorf("%d and %d schedules, a lead of %d, %d different ones", units[0].planned, units[1].planned, lead, len(seeds))
	}
}

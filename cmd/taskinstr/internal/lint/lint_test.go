package lint

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/frequency"
)

func TestFilter(t *testing.T) {
	kept := &Site{Fate: Kept, Func: "(*T).f"}
	escape := &Site{Fate: Removed, Pass: "escape", Func: "g"}
	hoist := &Site{Fate: Guarded, Pass: "hoist"}
	f := regexp.MustCompile(`\(\*T\)`)
	for _, test := range []struct {
		name   string
		filter filter
		want   []bool
	}{
		{"all", filter{}, []bool{true, true, true}},
		{"kept", filter{kept: true}, []bool{true, false, false}},
		{"removed", filter{removed: true}, []bool{false, true, false}},
		{"removed and kept", filter{removed: true, kept: true}, []bool{true, true, false}},
		{"pass", filter{passes: []string{"hoist"}}, []bool{false, false, true}},
		{"pass and removed", filter{passes: []string{"hoist"}, removed: true}, []bool{false, false, false}},
		{"pass and kept", filter{passes: []string{"escape"}, kept: true}, []bool{true, true, false}},
		{"func", filter{fn: f}, []bool{true, false, false}},
	} {
		for i, s := range []*Site{kept, escape, hoist} {
			if got := test.filter.match(s); got != test.want[i] {
				t.Errorf("%s: match(%s) is %v", test.name, s.Fate, got)
			}
		}
	}
}

func TestParse(t *testing.T) {
	o, err := parse(option.Default(), strings.Fields("-tags a,b ./x -format=json -kept ./y -pass escape -passes=all,-hoist -ldflags=-s -C d -func=^f"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(o.patterns, " "); got != "./x ./y" {
		t.Errorf("patterns %s", got)
	}
	if got := strings.Join(o.build, " "); got != "-tags a,b" {
		t.Errorf("build flags %s", got)
	}
	if o.format != "json" || !o.kept || o.removed || o.dir != "d" || o.set.Has("hoist") || !o.set.Has("escape") || o.fn == nil {
		t.Errorf("%+v", o)
	}
	for args, want := range map[string]string{
		"-format=yaml":            "there are text, json, sarif, checkstyle, html",
		"-pass=x":                 `"x" is no pass; there are `,
		"-passes=x":               "unknown pass",
		"-func=(":                 "missing closing",
		"-kepd":                   "unknown flag -kepd (did you mean -kept?); the flags are -all",
		"-run=x":                  "unknown flag -run=x",
		"-format":                 "needs a value",
		"./x -bench=.":            "unknown flag -bench=.",
		"-fail-on=x":              `"x" is none of advice, kept, loop`,
		"-new-from":               "needs a value",
		"-branches -fail-on=kept": "no place beside -branches",
		"-toolexec=x .":           "unknown flag -toolexec=x",
	} {
		if _, err := parse(option.Default(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	if _, err := parse(option.Set{Pkgs: []string{"x"}}, nil); err == nil {
		t.Error("-pkgs in front of lint is accepted and means nothing")
	}
}

// The name of a method stands for itself in -func, and other text is a regular expression.
func TestFuncPattern(t *testing.T) {
	for _, test := range []struct {
		text, name string
		want       bool
	}{
		{"(*Account).Deposit", "(*Account).Deposit", true},
		{"(*Account).Deposit", "Account.Deposit", false},
		{`^\(\*Account\)`, "(*Account).Deposit", true},
		{"^(parse|read)", "readAll", true},
		{"^(parse|read)", "spread", false},
	} {
		re, err := funcPattern(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
		} else if re.MatchString(test.name) != test.want {
			t.Errorf("%s matches %s: want %v", test.text, test.name, test.want)
		}
	}
}

const ignoredText = `package p

// f is left out.
//
//taskinstr:ignore the whole function
func f(p *int) {
	*p = 1
}

func g(p *int) {
	*p = 2 //taskinstr:ignore the line
	//taskinstr:ignore the next line
	// and more words
	*p = 3
	*p = 4 //taskinstr:ignore
	*p = 5 //taskinstr:ignored is another word
	//taskinstr:ignore nothing

	_ = "//taskinstr:ignore a string"
}
`

func TestIgnore(t *testing.T) {
	src := excerpt.New([]byte(ignoredText))
	r := &Report{}
	span := func(first, last int) *frequency.Func {
		f := new(frequency.Func)
		f.Start.Line, f.End.Line = first, last
		return f
	}
	for _, line := range []int{7, 11, 14, 15, 16} {
		s := &Site{Place: Place{"p.go", line, 2}, Fate: Kept, source: src, function: span(10, 20)}
		if line == 7 {
			s.function = span(6, 8)
		}
		r.Sites = append(r.Sites, s)
	}
	r.ignore()
	var got []string
	for _, s := range r.Sites {
		got = append(got, s.Ignored)
	}
	if want := "the whole function|the line|the next line||"; strings.Join(got, "|") != want {
		t.Errorf("ignored: %q", got)
	}
	if len(r.Notes) != 2 || !strings.HasPrefix(r.Notes[0], "p.go:15: ") || !strings.HasPrefix(r.Notes[1], "p.go:17: ") {
		t.Errorf("notes %q", r.Notes)
	}
	o := &options{failOn: []string{"kept"}}
	if s, _ := o.fails(r.Sites[:3]); s != nil {
		t.Errorf("-fail-on=kept fails on line %d, which is ignored", s.Line)
	}
	if s, _ := o.fails(r.Sites); s == nil || s.Line != 15 {
		t.Errorf("-fail-on=kept does not fail on line 15: %v", s)
	}
}

func TestChanges(t *testing.T) {
	c := changes{}
	c.parse("/r", "diff --git a/d/x.go b/d/x.go\n--- a/d/x.go\n+++ b/d/x.go\n@@ -3 +3,2 @@ func f() {\n-a\n+b\n+c\n@@ -9,2 +10,0 @@\n-d\n-e\n@@ -20,0 +19 @@\n+g\n"+
		"diff --git a/old.go b/old.go\n--- a/old.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n")
	file := filepath.Join("/r", "d", "x.go")
	c["/r/new.go"] = nil
	for line, want := range map[int]bool{2: false, 3: true, 4: true, 5: false, 10: false, 19: true, 20: false} {
		if c.has(file, line) != want {
			t.Errorf("line %d: want %v", line, want)
		}
	}
	if !c.has("/r/new.go", 7) || c.has("/r/old.go", 1) || c.has("/r/other.go", 1) {
		t.Error("whole files: a new one has all lines, others none")
	}
}

// A profile's sample belongs to the line that called the helper of a check.
func TestProfile(t *testing.T) {
	fn := func(name, file string) *profile.Function { return &profile.Function{Name: name, Filename: file} }
	check := &profile.Location{Line: []profile.Line{{Function: fn("runtime.taskinstr_check1", "check.go"), Line: 1}}}
	inlined := &profile.Location{Line: []profile.Line{{Function: fn("m/p._ti_r1", "helpers.go"), Line: 2}, {Function: fn("m/p.f", "/m/p/x.go"), Line: 7}}}
	plain := &profile.Location{Line: []profile.Line{{Function: fn("m/p.f", "/m/p/x.go"), Line: 8}}}
	sample := func(ns int64, locs ...*profile.Location) *profile.Sample {
		return &profile.Sample{Value: []int64{1, ns}, Location: locs}
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample:     []*profile.Sample{sample(30, check, inlined), sample(10, inlined), sample(60, plain)},
	}
	r := &Report{Sites: []*Site{
		{Place: Place{"x.go", 7, 1}, Package: "m/p", Fate: Kept, abs: "/m/p/x.go"},
		{Place: Place{"x.go", 7, 5}, Package: "m/p", Fate: Kept, abs: "/m/p/x.go"},
		{Place: Place{"x.go", 7, 9}, Package: "m/p", Fate: Removed, abs: "/m/p/x.go"},
		{Place: Place{"x.go", 8, 1}, Package: "m/p", Fate: Kept, abs: "/m/p/x.go"},
	}}
	got, err := newProfile(p)
	if err != nil {
		t.Fatal(err)
	}
	got.apply(r)
	if got.Unit != unitTime || got.Total != 100 || got.Checks != 40 || got.Listed != 40 {
		t.Errorf("total %v, checks %v, listed %v", got.Total, got.Checks, got.Listed)
	}
	for i, want := range []float64{20, 20, 0, 0} {
		if r.Sites[i].Time != want {
			t.Errorf("site %d: %v ns, want %v", i, r.Sites[i].Time, want)
		}
	}
	if _, err := newProfile(&profile.Profile{SampleType: p.SampleType, Sample: p.Sample[2:]}); err == nil || !strings.Contains(err.Error(), "built with taskinstr") {
		t.Errorf("a profile without checks: %v", err)
	}
	if _, err := newProfile(&profile.Profile{SampleType: p.SampleType[:1]}); err == nil {
		t.Error("a profile of the heap is accepted")
	}
}

func TestWithoutFolders(t *testing.T) {
	for name, want := range map[string]string{
		"f": "f", "fmt.Println": "fmt.Println", "(*math/rand/v2.Rand).IntN": "(*rand.Rand).IntN", "example.com/m/v3.F": "m.F", "(*example.com/a/v2/b.T).M": "(*b.T).M",
		"example.com/a/b.F[example.com/a/c.T,int]": "b.F[c.T,int]",
	} {
		if got := withoutFolders(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for expr, want := range map[string]bool{"x": true, "*a.b.c": true, "a[i]": false, "f()": false, "a.f().b": false, "": false} {
		if isSelection(expr) != want {
			t.Errorf("%s is a selection: want %v", expr, want)
		}
	}
}

// Reasons of passes name files of their own package by the base name; lint shows them as it shows
// the access itself.
func TestLocated(t *testing.T) {
	c := &collector{files: map[string]string{"m/bank/main.go": "bank/main.go", "m/store/main.go": "store/main.go"}}
	for reason, want := range map[string]string{
		"may be written in parallel at main.go:30:4":         "may be written in parallel at bank/main.go:30:4",
		"covered by the write at m/store/main.go:38:2":       "covered by the write at store/main.go:38:2",
		"loops at main.go:3, main.go:9, whose elements":      "loops at bank/main.go:3, bank/main.go:9, whose elements",
		"covered by the read at other.go:1:2 or main.go:2:1": "covered by the read at other.go:1:2 or bank/main.go:2:1",
		"other tasks may reach it":                           "other tasks may reach it",
	} {
		if got := c.located("m/bank", reason); got != want {
			t.Errorf("%s\n is shown as %s\n want %s", reason, got, want)
		}
	}
}

// The reasons of all passes stand below a kept check if -func asks for a function.
func TestNotes(t *testing.T) {
	r := bankReport()
	r.Sites = r.Sites[1:2]
	r.Sites[0].Notes = []Note{{"escape", "other tasks may reach it"}, {"readonly", "may be written"}}
	for _, o := range []*options{{}, {filter: filter{fn: regexp.MustCompile("add")}}} {
		var b strings.Builder
		if err := r.writeText(&b, o, false); err != nil {
			t.Fatal(err)
		}
		want := o.fn != nil
		if got := strings.Contains(b.String(), "\n\tescape: other tasks may reach it\n\treadonly: may be written\n"); got != want {
			t.Errorf("with -func=%v the notes are shown: %v\n%s", o.fn, got, &b)
		}
	}
	var b strings.Builder
	if err := r.writeJSON(&b, &options{}); err != nil || !strings.Contains(b.String(), `"reason": "may be written"`) {
		t.Errorf("%v, JSON without the notes:\n%s", err, &b)
	}
}

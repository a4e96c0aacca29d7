package lint

import (
	"regexp"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
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
		"-format=yaml":  "there are text, json, sarif, checkstyle, html",
		"-pass=x":       `"x" is no pass; there are `,
		"-passes=x":     "unknown pass",
		"-func=(":       "missing closing",
		"-kepd":         "unknown flag -kepd (did you mean -kept?); the flags are -format=",
		"-run=x":        "unknown flag -run=x",
		"-format":       "needs a value",
		"./x -bench=.":  "unknown flag -bench=.",
		"-json ./x":     "unknown flag -json",
		"-toolexec=x .": "unknown flag -toolexec=x",
	} {
		if _, err := parse(option.Default(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
	if _, err := parse(option.Set{Pkgs: []string{"x"}}, nil); err == nil {
		t.Error("-pkgs in front of lint is accepted and means nothing")
	}
}

package selftest

import (
	"reflect"
	"testing"
)

func TestParseRecipe(t *testing.T) {
	tc := &toolchain{GOOS: "linux", GOARCH: "amd64", CGO_ENABLED: "1", tags: []string{"go1.1", "go1.26", "goexperiment.greenteagc"}}
	tags := buildTags(tc)
	for _, tt := range []struct {
		src  string
		ok   bool
		want recipe
	}{
		{"// run\n\npackage main", true, recipe{}},
		{"\n//go:build linux\n\n// run\n\npackage main", true, recipe{}},
		{"// runoutput\n\npackage main", false, recipe{}},
		{"// running is good\n\npackage main", false, recipe{}},
		{"package main\n\n// run\n", false, recipe{}},
		{"// run arg1 arg2\n\npackage main", true, recipe{args: []string{"arg1", "arg2"}}},
		{"// run more.go arg\n\npackage main", true, recipe{files: []string{"more.go"}, args: []string{"arg"}}},
		{"// run -gcflags='all=-N -l'\n\npackage main", true, recipe{flags: []string{"-gcflags=all=-N -l"}}},
		{"// run -gcflags -l=4\n\npackage main", true, recipe{flags: []string{"-gcflags", "-l=4"}}},
		{"// run -goexperiment fieldtrack\n\npackage main", true, recipe{env: []string{"GOEXPERIMENT=fieldtrack"}}},
		{"// run -race\n\n//go:build race && cgo\n\npackage main", true, recipe{race: true}},
		{"// run\n\n//go:build !race && gc && go1.26 && !go1.27\n\npackage main", true, recipe{}},
		{"// run\n\n//go:build race\n\npackage main", true, recipe{unmet: "//go:build race"}},
		{"// run\n\n//go:build windows\n\npackage main", true, recipe{unmet: "//go:build windows"}},
		{"// run\n\npackage main\n\n//go:build windows\n", true, recipe{}},
	} {
		got, ok, err := parseRecipe(tt.src, tags)
		if len(got.args) == 0 {
			got.args = nil
		}
		if err != nil || ok != tt.ok || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %+v, %v, %v; want %+v, %v", tt.src, got, ok, err, tt.want, tt.ok)
		}
	}
	if _, _, err := parseRecipe("// run -godebug\n\npackage main", tags); err == nil {
		t.Error("a flag without its value is no error")
	}
}

func TestSplitQuoted(t *testing.T) {
	for in, want := range map[string][]string{
		"":               nil,
		" a  b ":         {"a", "b"},
		`-x="a b" 'c d'`: {"-x=a b", "c d"},
		`'' x`:           {"", "x"},
	} {
		if got, err := splitQuoted(in); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if _, err := splitQuoted(`a "b`); err == nil {
		t.Error("an unclosed quote is no error")
	}
}

func TestQuoteField(t *testing.T) {
	for in, want := range map[string]string{
		"/bin/t":  "/bin/t",
		"/a b/t":  "'/a b/t'",
		"/it's/t": `"/it's/t"`,
		"/a\tb/t": "'/a\tb/t'",
		`/a"b/t`:  `'/a"b/t'`,
	} {
		if got, err := quoteField(in); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if _, err := quoteField(`/a'b"/t`); err == nil {
		t.Error("both kinds of quotes are no error")
	}
}

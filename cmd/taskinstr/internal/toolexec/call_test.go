package toolexec

import (
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

func TestParseCall(t *testing.T) {
	args := strings.Fields("-o $WORK/b1/_pkg_.a -trimpath $WORK/b1=> -p x -lang=go1.25 -complete -buildid a/a -goversion go1.26.8 -c=2 -m -nolocalimports -importcfg $WORK/b1/importcfg -pack /x/a.go /x/b.go")
	c := parseCall("/go/pkg/tool/linux_amd64/compile", args)
	if c.name != "compile" || !slices.Equal(c.files, []string{"/x/a.go", "/x/b.go"}) || len(c.flags) != len(args)-2 {
		t.Errorf("name %s, files %q, %d flags of %d arguments", c.name, c.files, len(c.flags), len(args))
	}
	for name, want := range map[string]string{
		"o": "$WORK/b1/_pkg_.a", "p": "x", "lang": "go1.25", "complete": "true",
		"goversion": "go1.26.8", "c": "2", "m": "true", "importcfg": "$WORK/b1/importcfg",
		"pack": "true", "trimpath": "$WORK/b1=>", "buildid": "a/a", "nolocalimports": "true", "race": "",
	} {
		if got := c.set[name]; got != want {
			t.Errorf("-%s is %q, want %q", name, got, want)
		}
	}
	if !c.on("complete") || c.on("race") {
		t.Error("on: -complete is given, -race is not")
	}
	flags := dropFlag(replaceFlag(replaceFlag(c.flags, "lang", "go1.21"), "trimpath", "new"), "complete")
	if got := strings.Join(flags, " "); strings.Contains(got, "complete") || !strings.Contains(got, "-lang=go1.21") || !strings.Contains(got, "-trimpath new -p") {
		t.Errorf("edited flags: %s", got)
	}
	c = parseCall("compile", []string{"-p", "x", "-N", option.Mark, "-l", "a.go"})
	if !c.marked || strings.Join(c.flags, " ") != "-p x -N -l" || c.set["p"] != "x" {
		t.Errorf("marked call: %+v", c)
	}
	// A cover configuration that ends in .go is a flag's value, not a file.
	c = parseCall("compile.exe", []string{"-p", "x", "-pgoprofile=a.go", "-race=false", "a.go"})
	if c.name != "compile" || len(c.files) != 1 || c.on("race") {
		t.Errorf("%+v", c)
	}
}

func TestLangLess(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"go1.13", "go1.21", true},
		{"go1.21", "go1.21", false},
		{"go1.26", "go1.21", false},
		{"1.9", "go1.21", true},
		{"", "go1.21", false},
		{"go1.13", "", false},
	} {
		if got := langLess(test.a, test.b); got != test.want {
			t.Errorf("langLess(%q, %q) = %v", test.a, test.b, got)
		}
	}
}

func TestCheckGo(t *testing.T) {
	for v, want := range map[string]string{
		"go1.24.3":            "too old",
		"go1.25":              "",
		"go1.99.1":            "install taskinstr again",
		"devel":               "",
		"go1.25.1 X:boringxx": "",
	} {
		err := CheckGo(v)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("CheckGo(%q) = %v, want %q", v, err, want)
		}
	}
}

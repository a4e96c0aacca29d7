package nearest

import (
	"flag"
	"io"
	"testing"
)

func TestWord(t *testing.T) {
	known := []string{"build", "install", "run", "test", "lint", "bench", "detect", "trace", "version", "passes", "pkgs"}
	for word, want := range map[string]string{
		"biuld": "build", "tset": "test", "tst": "test", "testt": "test", "dettect": "detect", "vresoin": "version",
		"pases": "passes", "pkg": "pkgs", "frob": "", "x": "", "": "", "build": "", "pass": "", "explode": "",
	} {
		if got := Word(word, known); got != want {
			t.Errorf("Word(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"ab", "", 2}, {"ab", "ba", 1}, {"abc", "abd", 1}, {"abc", "xabc", 1}, {"kitten", "sitting", 3}} {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

func TestFlagError(t *testing.T) {
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.String("format", "", "")
	for arg, want := range map[string]string{
		"-fromat=json": "unknown flag -fromat (did you mean -format?)",
		"--zzz":        "unknown flag -zzz",
	} {
		if err := FlagError(f, f.Parse([]string{arg})); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
	if err := FlagError(f, f.Parse([]string{"-h"})); err != flag.ErrHelp {
		t.Errorf("-h: %v", err)
	}
}

package gocmd

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	own := func(name string) (bool, bool) { return name == "pkgs", name == "pkgs" }
	for _, test := range []struct {
		args  string
		flags string // name=value of each flag
		rest  string
	}{
		{"", "", ""},
		{".", "", "."},
		{"-v ./...", "v=", "./..."},
		{"-o x -v .", "o=x v=", "."},
		{"-o=x --race=false .", "o=x race=false", "."},
		{"-pkgs ./... -race .", "pkgs=./... race=", "."},
		{"-race . -o x", "race=", ". -o x"},
		{"-test.run X -test.v .", "test.run=X test.v=", "."},
		{"-run X -mine=1 -mine 2 -race", "run=X mine=1", "-mine 2 -race"},
		{"-- -race", "", "-- -race"},
		{"-o", "o=", ""},
		{"- x", "", "- x"},
	} {
		flags, rest := Split(strings.Fields(test.args), own)
		var got, args []string
		for _, f := range flags {
			got = append(got, f.Name+"="+f.Value)
			args = append(args, f.Args...)
		}
		if g := strings.Join(got, " "); g != test.flags {
			t.Errorf("Split(%q): flags %q, want %q", test.args, g, test.flags)
		}
		if r := strings.Join(rest, " "); r != test.rest {
			t.Errorf("Split(%q): rest %q, want %q", test.args, r, test.rest)
		}
		if all := strings.Join(append(args, rest...), " "); all != test.args {
			t.Errorf("Split(%q) gives %q when put together", test.args, all)
		}
	}
}

// The flags of go test may stand behind the packages, until something may be the
// test binary's.
func TestSplitTest(t *testing.T) {
	for _, test := range []struct{ args, flags, rest string }{
		{"./a ./b", "", "./a ./b"},
		{"-v ./a ./b -run X -o=y", "v run o", "./a ./b"},
		{"./a -mine -v -run X", "v run", "./a -mine"},
		{"./a -mine 3 -v", "", "./a -mine 3 -v"},
		{"./a -v ./b -race", "v", "./a ./b -race"},
		{"-v ./a -mine=x", "v", "./a -mine=x"},
		{"-mine=x -v", "v", "-mine=x"},
		{"-mine ./a -race", "", "-mine ./a -race"},
		{"./a -run X -args -race", "run", "./a -args -race"},
		{"-- -race", "", "-- -race"},
		{"./a -- -race", "", "./a -- -race"},
	} {
		flags, rest := SplitTest(strings.Fields(test.args), None)
		var names []string
		for _, f := range flags {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != test.flags || strings.Join(rest, " ") != test.rest {
			t.Errorf("SplitTest(%q): flags %q, rest %q; want %q, %q", test.args, got, rest, test.flags, test.rest)
		}
	}
}

func TestAddTag(t *testing.T) {
	for list, want := range map[string]string{
		"":         "race",
		",":        "race",
		"a":        "a,race",
		"a,b":      "a,b,race",
		"a b":      "a b race",
		"'a' b":    "'a' b race",
		"'a'":      "'a' race",
		"race":     "race",
		"a,race,b": "a,race,b",
		"'race' b": "'race' b",
		"norace":   "norace,race",
	} {
		if got := AddTag(list, "race"); got != want {
			t.Errorf("AddTag(%q) = %q, want %q", list, got, want)
		}
	}
}

func TestWithTagArgs(t *testing.T) {
	for _, test := range []struct{ fixed, args, want string }{
		{"", "-v", "-v -tags=race"},
		{"-tags=a", "-v", "-v -tags=a,race"},
		{"-tags=a", "-tags= -v", "-v -tags=race"},
		{"-tags=a", "-tags b -v", "-v -tags=b,race"},
		{"", "-tags b -tags=c", "-tags=c,race"},
	} {
		if got := strings.Join(WithTagArgs(test.fixed, strings.Fields(test.args), "race"), " "); got != test.want {
			t.Errorf("WithTagArgs(%q, %q) = %q, want %q", test.fixed, test.args, got, test.want)
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, test := range []struct {
		args string
		want string // part of the error; "" for none
	}{
		{"-v -o x .", ""},
		{"-race=false .", ""},
		{". -race", ""},
		{"-race .", "-race (here) cannot be combined"},
		{"-race=true .", "-race (here) cannot be combined"},
		{"-v --msan .", "-msan (here)"},
		{"-buildmode pie .", ""},
		{"-buildmode plugin .", "-buildmode=plugin (here)"},
		{"-compiler=gccgo .", "-compiler=gccgo (here)"},
		{"-linkshared .", "-linkshared (here)"},
	} {
		flags, _ := Split(strings.Fields(test.args), None)
		err := Refuse(flags, "here")
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("Refuse(%q) = %v, want %q", test.args, err, test.want)
		}
	}
}

func TestFieldsAndQuote(t *testing.T) {
	for _, words := range [][]string{
		nil,
		{"taskinstr"},
		{"taskinstr", "-pkgs=./..."},
		{"/a b/taskinstr", ""},
		{`it's`, `say "x"`},
	} {
		text, ok := Quote(words)
		if got := Fields(text); !ok || !slices.Equal(got, words) {
			t.Errorf("Fields(Quote(%q)) = %q, %v", words, got, ok)
		}
	}
	if text, ok := Quote([]string{`both ' and "`}); ok {
		t.Errorf("both kinds of quotes were written as %s", text)
	}
	if got := Fields(" a\t'b c' \"d\"\n"); !slices.Equal(got, []string{"a", "b c", "d"}) {
		t.Errorf("Fields: %q", got)
	}
}

package toolexec

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

// TestKeepInlining asks which calls of the compiler get a profile.
func TestKeepInlining(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.go")
	if err := os.WriteFile(file, []byte("package x\n\nfunc F() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		flags  string
		inline string
		want   bool
	}{
		{flags: "-p x", want: true},
		{flags: "-p x -l=0", want: false},
		{flags: "-p x -l", want: false},
		{flags: "-p x -N", want: false},
		{flags: "-p x -+", want: false},
		{flags: "-p x -pgoprofile=user.pgo", want: false},
		{flags: "-p x -pgoprofile user.pgo", want: false},
		{flags: "-p x", inline: option.InlineOff, want: false},
	} {
		c := parseCall("compile", append(strings.Fields(test.flags), file))
		in, err := c.input()
		if err != nil {
			t.Fatal(err)
		}
		k, err := typeCheck(in, unchanged(c.files))
		if err != nil {
			t.Fatal(err)
		}
		r := keepInlining(c, option.Set{Inline: test.inline}, in, k)
		if r != nil != test.want {
			t.Errorf("%s -inline=%s: result %v", test.flags, test.inline, r)
		}
		var o output
		o.keep(r)
		flags, err := o.addProfile(t.TempDir(), c.flags)
		if err != nil || slices.Contains(flags, inlineFlags) != test.want || len(o.members) > 0 != test.want {
			t.Errorf("%s -inline=%s: flags %q, members %v, %v", test.flags, test.inline, flags, o.members, err)
		}
		if name := flagValue(flags, "pgoprofile"); test.want {
			if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), "x.F\nx.F\n0 1\n") {
				t.Errorf("%s: profile %q, %v", test.flags, text, err)
			}
		} else if name != "" && name != "user.pgo" {
			t.Errorf("%s: profile %s", test.flags, name)
		}
	}
}

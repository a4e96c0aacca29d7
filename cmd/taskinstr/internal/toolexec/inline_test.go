package toolexec

import (
	"os"
	"os/exec"
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
		r := keepInlining(c, option.Set{Inline: test.inline}, in, k, nil)
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

// TestInlineDetector compiles a package with the profile of its marked function.
func TestInlineDetector(t *testing.T) {
	const text = `package x

// Sum is too large for the compiler's own limit.
//
//taskinstr:inline
func Sum(a, b, c, d []int) (s int) {
	for i := range a {
		s += a[i]*a[i] + b[i]*b[i] + c[i]*c[i] + d[i]*d[i]
		s ^= a[i]<<1 + b[i]<<2 + c[i]<<3 + d[i]<<4
		s -= a[i]>>1 + b[i]>>2 + c[i]>>3 + d[i]>>4
	}
	return s
}

type T struct{ a []int }

func (t *T) Twice() int {
	return 2 * Sum(t.a, t.a, t.a, t.a)
}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "x.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		text string
		user bool // the user has a profile
		want bool
	}{
		{text, false, true},
		{text, true, true},
		{strings.Replace(text, "//taskinstr:inline", "//taskinstr:other", 1), false, false},
	} {
		var o output
		var err error
		if o.profile, err = inlineDetector("x", []source{{name: "x.go", data: []byte(test.text)}, {orig: "y.go"}}); err != nil {
			t.Fatal(err)
		}
		flags := []string{"-p", "x", "-m"}
		if test.user {
			user := filepath.Join(dir, "user.pgo")
			if err := os.WriteFile(user, []byte("GO PREPROFILE V1\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			flags = append(flags, "-pgoprofile="+user)
		}
		if flags, err = o.addProfile(dir, flags); err != nil {
			t.Fatal(err)
		}
		args := append([]string{"tool", "compile", "-o", filepath.Join(dir, "x.o")}, append(flags, file)...)
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got := strings.Contains(string(out), "inlining call to Sum"); got != test.want {
			t.Errorf("user's profile %v: inlined %v, want %v; flags %q, output:\n%s", test.user, got, test.want, flags, out)
		}
	}
}

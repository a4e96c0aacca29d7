package scope

import (
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true},
		{"a/b", "a/bc", false},
		{"a/...", "a", true},
		{"a/...", "a/b/c", true},
		{"a/...", "ab", false},
		{"a...", "ab/c", true},
		{".../c", "a/b/c", true},
		{"a/.../c", "a/b/c", true},
		{"a/.../c", "a/c", false},
		{"a/.../c/...", "a/b/c", true},
		{"a/b.../x", "a/bcd/x", true},
	} {
		if got := match(test.pattern, test.path); got != test.want {
			t.Errorf("match(%q, %q) = %v", test.pattern, test.path, got)
		}
	}
}

func TestSelection(t *testing.T) {
	root := t.TempDir()
	testfile.Tree(t, root, map[string]string{
		"go.mod":     "module example.com/m // the module\n\ngo 1.25\n",
		"sub/go.mod": "module (\n\t\"example.com/m/sub\"\n)\n",
		"cmd/x/x.go": "package main\n",
	})
	for _, test := range []struct {
		dir, patterns string
		key           string
		in, out       string // space-separated descriptions; ~ represents a space in them
	}{
		{".", "", "all", "fmt example.com/m", ""},
		{".", "./...", "example.com/m/...,command-line-arguments", "example.com/m example.com/m/cmd/x command-line-arguments", "fmt example.com/mm"},
		{"cmd/x", "./...", "example.com/m/cmd/x/...,command-line-arguments", "example.com/m/cmd/x", "example.com/m"},
		{"cmd", "../cmd/x", "example.com/m/cmd/x,command-line-arguments", "example.com/m/cmd/x", "example.com/m/cmd"},
		{"cmd", "./x...", "example.com/m/cmd/x...,command-line-arguments", "example.com/m/cmd/xy", "example.com/m/cmd"},
		{"sub", ".", "example.com/m/sub,command-line-arguments", "example.com/m/sub", "example.com/m"},
		{".", "a/b", "a/b", "a/b a/b.test a/b~[a/b.test] a/b_test~[a/b.test]", "a/b/c a/b_test"},
		{".", "std", "std", "fmt net/http", "example.com/m cmd/go command-line-arguments"},
		{".", "all", "all", "fmt", ""},
	} {
		t.Chdir(filepath.Join(root, test.dir))
		var patterns []string
		if test.patterns != "" {
			patterns = strings.Split(test.patterns, ",")
		}
		s, err := New("", patterns)
		if err != nil {
			t.Errorf("%s in %s: %v", test.patterns, test.dir, err)
			continue
		}
		if s.Key() != test.key {
			t.Errorf("%s in %s: key %q, want %q", test.patterns, test.dir, s.Key(), test.key)
		}
		for want, list := range map[bool]string{true: test.in, false: test.out} {
			for _, d := range strings.Fields(list) {
				d = strings.ReplaceAll(d, "~", " ")
				if s.Has(d) != want {
					t.Errorf("%s in %s: has(%q) = %v", test.patterns, test.dir, d, !want)
				}
			}
		}
	}
	t.Chdir(t.TempDir())
	if _, err := New("", []string{"./..."}); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("outside of a module: %v", err)
	}
}

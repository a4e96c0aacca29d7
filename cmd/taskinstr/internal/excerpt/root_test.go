package excerpt

import (
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// Files are found by absolute names, relative ones, and by import paths (-trimpath).
func TestFind(t *testing.T) {
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{"go.mod": "module example.com/m // the module\n", "a/b.go": "package a\n\nvar x = 1\n", "a/key.pem": "secret\n"})
	r, err := NewRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, inside := range map[string]bool{
		filepath.Join(dir, "a", "b.go"): true,
		"a/b.go":                        true,
		"example.com/m/a/b.go":          true,
		"example.com/other/a/b.go":      false,
		"../b.go":                       false,
		dir + "2/a/b.go":                false,
		"sync/mutex.go":                 false,
	} {
		p := r.Find(name, 3, 5, "x")
		if p.Inside != inside || inside && p.File != "a/b.go" || !inside && p.File != name {
			t.Errorf("%s: %+v", name, p)
		}
		if inside && p.Region != (Region{3, 5, 3, 6}) {
			t.Errorf("%s: region %+v", name, p.Region)
		}
	}
	if text, ok := r.Text(filepath.Join(dir, "a", "key.pem")).Line(1); ok {
		t.Errorf("a file that is no source is read: %s", text)
	}
	testfile.Write(t, filepath.Join(dir, "big.go"), strings.Repeat("\n", maxSource+1))
	if _, ok := r.Text("big.go").Line(1); ok {
		t.Error("a file beyond the limit is read")
	}
}

// Sentences name files below the root as places do; other files keep their names.
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	r, err := NewRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	other := dir + "2" + string(filepath.Separator) + "b.go:3"
	text := "goroutine 7 comes from " + filepath.Join(dir, "a", "b.go") + ":3, in " + other
	if got, want := r.Relative(text), "goroutine 7 comes from "+filepath.Join("a", "b.go")+":3, in "+other; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestSplitPosition(t *testing.T) {
	for position, want := range map[string]struct {
		file         string
		line, column int
	}{
		"a b.go:3:4":    {"a b.go", 3, 4},
		"a.go:3":        {"a.go", 3, 0},
		`C:\x\y.go:3:4`: {`C:\x\y.go`, 3, 4},
		"a.go":          {},
		"a.go:0":        {},
		"":              {},
	} {
		file, line, column := SplitPosition(position)
		if file != want.file || line != want.line || column != want.column {
			t.Errorf("%q: %q %d %d", position, file, line, column)
		}
	}
}

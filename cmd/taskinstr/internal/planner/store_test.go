package planner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

func TestStore(t *testing.T) {
	s := Open(t.TempDir())
	p := &splice.Plan{Files: map[string]string{"a.go": "1"}, Fates: map[site.Key]splice.Fate{{File: "a.go", Line: 1}: {Omit: true}}}
	d, err := s.put(p)
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.Plan(d)
	if err != nil || !q.Fates[site.Key{File: "a.go", Line: 1}].Omit {
		t.Fatalf("%+v, %v", q, err)
	}
	testfile.Write(t, s.planFile(d), "{}")
	if _, err := s.Plan(d); err == nil || !strings.Contains(err.Error(), "is damaged; remove this file") {
		t.Errorf("a damaged plan: %v", err)
	}
	if _, err := s.put(p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Plan(d); err != nil {
		t.Errorf("a plan that was stored anew: %v", err)
	}
	if _, err := s.Plan("00"); err == nil || !strings.Contains(err.Error(), "is missing") {
		t.Errorf("a plan that is not there: %v", err)
	}
	if list, _ := filepath.Glob(filepath.Join(s.dir, "plan", "*.new")); len(list) > 0 {
		t.Errorf("left over: %v", list)
	}
}

// TestIndex changes, adds, removes and touches files. A touched file leaves the index
// valid; the other changes make it useless.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	s := Open(t.TempDir())
	name := filepath.Join(dir, "a.go")
	write := func(text string, at time.Time) {
		t.Helper()
		testfile.Write(t, name, text)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Hour)
	write("one", old)
	i, _ := os.Stat(dir)
	x := &index{Made: time.Now(), Files: []fileState{{name, 3, old, site.Digest([]byte("one"))}}, Trees: []fileState{{Name: dir}}}
	names, err := sourceNames(dir)
	if err != nil {
		t.Fatal(err)
	}
	x.Dirs = []fileState{{Name: dir, Time: i.ModTime(), Digest: names}}
	if x.Trees[0].Digest, err = packageDirs(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.remember("r", x); err != nil {
		t.Fatal(err)
	}
	known := func(why string, want bool) {
		t.Helper()
		if (s.lookup("r") != nil) != want {
			t.Errorf("%s: known is %v", why, !want)
		}
	}
	known("nothing changed", true)
	write("one", time.Now())
	known("a file was touched", true)
	write("two", time.Now())
	known("a file was changed", false)
	write("one", old)
	known("and changed back", true)
	b := filepath.Join(dir, "b.go")
	if err := os.WriteFile(filepath.Join(dir, "program"), nil, 0o777); err != nil {
		t.Fatal(err)
	}
	known("a binary came", true)
	testfile.Write(t, b, "")
	known("a file came", false)
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	known("and went", true)
	if err := os.MkdirAll(filepath.Join(dir, "testdata", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	known("a folder of test data came", true)
	plan, err := s.put(&splice.Plan{Files: map[string]string{"a.go": "1"}})
	if err != nil {
		t.Fatal(err)
	}
	x.Plans = map[string]string{"p": plan}
	if err := s.remember("r", x); err != nil {
		t.Fatal(err)
	}
	known("a plan came", true)
	testfile.Write(t, s.planFile(plan), "damaged")
	known("the plan was damaged", false)
	x.Plans = nil
	if err := s.remember("r", x); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "c"), 0o777); err != nil {
		t.Fatal(err)
	}
	known("a folder came", false)
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		name, rest, want string
	}{
		{"build", "", "."},
		{"build", "./a ./b", "./a ./b"},
		{"run", "./a x y", "./a"},
		{"run", "a.go b.go x", "a.go b.go"},
		{"run", "", "."},
		{"test", "./... -args -v", "./..."},
	} {
		if got := strings.Join(patterns(c.name, strings.Fields(c.rest)), " "); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.rest, got, c.want)
		}
	}
}

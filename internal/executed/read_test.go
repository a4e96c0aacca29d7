package executed

import (
	"fmt"
	"strings"
	"testing"
)

// sample returns a file with two packages; the second has a site without a reason.
func sample() string {
	first := "/m/a.go:3:4\tx.f\tfield f of T\tread of x.f at a.go:9:1\n" +
		"/m/a.go:5:2\ts[i]\telement of []int\n" +
		"/m/a.go:7:2\tx.mu\tfield mu of T\tsync.Lock\n" +
		"\t0\tkept | escape: other tasks may reach it through the receiver: code knows it | dominate: a call may release since an earlier check: m.f\twhy\n" +
		"\t1\tguarded | gather: checked together\twhy\n"
	second := "/m/b/b.go:1:1\ty\tvariable y\n"
	return fmt.Sprintf("%s\npackage m %d\n%s1 10 2 3\n0 5 0 4\npackage m/b %d\n%s0 1 1 0\nother 7 0 0\n", header, len(first), first, len(second), second)
}

func TestRead(t *testing.T) {
	p, err := Read(strings.NewReader(sample()))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Total(); got != (Count{23, 3, 7}) || len(p.Checks) != 3 || p.Other != (Count{7, 0, 0}) {
		t.Fatalf("total %+v of %d checks, other %+v", got, len(p.Checks), p.Other)
	}
	c := p.Checks[1]
	if c.Package != "m" || c.Position != "/m/a.go:3:4" || c.Expr != "x.f" || c.What != "field f of T" || c.Fate != "kept" || c.New != 4 {
		t.Errorf("check %+v", c)
	}
	if n := c.Note("escape"); Class(n) != "other tasks may reach it through the receiver" {
		t.Errorf("note of escape %q, class %q", n, Class(n))
	}
	if n := c.Note("dominate"); Class(n) != "a call may release since an earlier check" || c.Note("readonly") != "" {
		t.Errorf("notes %+v", c.Notes)
	}
	if c := p.Checks[0]; c.Fate != "guarded" || len(c.Notes) != 1 || c.Notes[0] != (Note{"gather", "checked together"}) {
		t.Errorf("guarded check %+v", c)
	}
	if c := p.Checks[2]; c.Package != "m/b" || c.Fate != "" {
		t.Errorf("check without a reason %+v", c)
	}
}

func TestFind(t *testing.T) {
	p, err := Read(strings.NewReader(sample()))
	if err != nil {
		t.Fatal(err)
	}
	find := p.Find()
	if c, ok := find(Site{"/m/a.go", 3, 4, "x.f"}); !ok || c.Count != (Count{5, 0, 4}) || len(c.Notes) != 2 {
		t.Errorf("found %v, %+v", ok, c)
	}
	for _, s := range []Site{{"/m/a.go", 3, 5, "x.f"}, {"/m/a.go", 3, 4, "x.g"}, {"/n/a.go", 3, 4, "x.f"}, {"/m/a.go", 7, 2, "x.mu"}} {
		if c, ok := find(s); ok {
			t.Errorf("%v: found %+v", s, c)
		}
	}
}

func TestBadFiles(t *testing.T) {
	good := sample()
	for _, c := range []struct{ text, message string }{
		{"", "the first line is not"},
		{"taskinstr checks 2\n", "the first line is not"},
		{good[:len(good)-len("other 7 0 0\n")], "ends in the middle"},
		{good[:len(header)+40], "ends in the middle"},
		{header + "\npackage m x\n", "is no length"},
		{header + "\npackage m -1\n", "is no length"},
		{header + "\npackage m 0\n0 1 0 0\nother 0 0 0\n", "no such site"},
		{header + "\n0 1 0 0\n", "no such site"},
		{strings.Replace(good, "1 10 2 3", "1 10 2 x", 1), "is no counter"},
		{strings.Replace(good, "1 10 2 3", "some words", 1), "neither a package nor counters"},
	} {
		if _, err := Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%.60q: error %v, want one with %q", c.text, err, c.message)
		}
	}
	if _, err := ReadFile(t.TempDir() + "/none"); err == nil {
		t.Error("a missing file has no error")
	}
}

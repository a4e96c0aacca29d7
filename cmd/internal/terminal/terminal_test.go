package terminal

import (
	"bytes"
	"os"
	"slices"
	"testing"
)

// A file gets no colours, and no progress in the first minute.
func TestNoTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	if Is(f) || bool(Colors(f)) || Is(new(bytes.Buffer)) {
		t.Error("a file or buffer is taken for a terminal")
	}
	p := NewProgress(f)
	p.Show("x")
	p.Clear()
	if fi, err := f.Stat(); err != nil || fi.Size() != 0 {
		t.Errorf("progress was written to a file: %v, %v", fi, err)
	}
}

// The null device is no terminal, the master of a pseudo-terminal is one; NO_COLOR suppresses
// colours there.
func TestColors(t *testing.T) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if Is(null) {
		t.Errorf("%s is taken for a terminal", os.DevNull)
	}
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer f.Close()
	for _, test := range []struct {
		noColor, term string
		want          Style
	}{{"", "xterm", true}, {"1", "xterm", false}, {"", "dumb", false}} {
		t.Setenv("NO_COLOR", test.noColor)
		t.Setenv("TERM", test.term)
		if got := Colors(f); got != test.want {
			t.Errorf("NO_COLOR=%q TERM=%q: Colors is %v", test.noColor, test.term, got)
		}
	}
}

func TestPaint(t *testing.T) {
	if got, want := Style(true).Paint(Red, "x")+Style(true).Paint(Red, "")+Style(false).Paint(Red, "y"), "\x1b[31mx\x1b[0my"; got != want {
		t.Errorf("painted %q, want %q", got, want)
	}
}

// Each line replaces the one before, and Clear removes the last, once.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &Progress{w: &b}
	p.Clear()
	p.Show("%d of %d", 1, 2)
	p.Clear()
	p.Clear()
	if got, want := b.String(), clearLine+"1 of 2\r"+clearLine; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// Without a terminal there is a line a minute, and nothing to clear.
func TestPlainProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b)
	p.Show("run %d", 1)
	p.last = p.last.Add(-plainEvery)
	p.Show("run %d\nmore", 2)
	p.Show("run %d", 3)
	p.Clear()
	p.last = p.last.Add(-plainEvery)
	p.Show("run %d", 4)
	if got, want := b.String(), "run 2\nrun 4\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
	NewProgress(nil).Show("x")
}

func TestCut(t *testing.T) {
	for _, test := range []struct {
		line string
		n    int
		want string
	}{{"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"äöü", 3, "äöü"}, {"äöüx", 3, "äö…"}, {"one\ntwo", 80, "one"}, {"abc", 0, "abc"}} {
		if got := cut(test.line, test.n); got != test.want {
			t.Errorf("%q in %d columns: %q", test.line, test.n, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		text    string
		columns int
		want    []string
	}{
		{"", 10, nil},
		{"one two three", 7, []string{"one two", "three"}},
		{"één twee\n\tdrie", 8, []string{"één twee", "drie"}},
		{"a-very-long-word b", 4, []string{"a-very-long-word", "b"}},
	} {
		if got := Wrap(test.text, test.columns); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d columns: %q, want %q", test.text, test.columns, got, test.want)
		}
	}
}

package excerpt

import "testing"

func TestExtent(t *testing.T) {
	for _, test := range []struct{ text, expr, want string }{
		{"a.b+c", "a.b", "a.b"},
		{"f(x,\n\t\ty)[i] = 1", "f(x, y)[i]", "f(x,\n\t\ty)[i]"},
		{"p.q.m()", "*p.q", "p.q"},
		{"longName.field", "longNa…", "longNa"},
		{"other.text", "x[i]", "other"},
		{"+x", "y", "+"},
		{"x", "xy", "x"},
	} {
		s := New([]byte(test.text))
		if got := test.text[:s.Extent(0, test.expr)]; got != test.want {
			t.Errorf("extent of %q in %q is %q, want %q", test.expr, test.text, got, test.want)
		}
	}
}

// Columns count characters, of which some have several bytes. A region may go over lines.
func TestRegion(t *testing.T) {
	f := New([]byte("ä := a.b\nx = y.\n\tz\n"))
	for _, test := range []struct {
		line, col int
		expr      string
		want      Region
	}{
		{1, 7, "a.b", Region{1, 6, 1, 9}},
		{2, 5, "y. z", Region{2, 5, 3, 3}},
		{2, 50, "y", Region{Line: 2, Column: 50}},
		{9, 1, "y", Region{Line: 9, Column: 1}},
	} {
		if got := f.Region(test.line, test.col, test.expr); got != test.want {
			t.Errorf("%d:%d %s: %+v, want %+v", test.line, test.col, test.expr, got, test.want)
		}
	}
	if got := (*File)(nil).Region(3, 4, "x"); got != (Region{Line: 3, Column: 4}) {
		t.Errorf("without a file: %+v", got)
	}
}

func TestReads(t *testing.T) {
	f := New([]byte("x = a.b[i]\n\ty()\n"))
	for _, test := range []struct {
		line, col int
		expr      string
		want      bool
	}{
		{1, 5, "a.b[i]", true}, {1, 5, "*a.b", true}, {1, 5, "a.b[i]…", true},
		{1, 5, "a.c", false}, {1, 50, "a", false}, {9, 1, "a", false},
	} {
		if got := f.Reads(test.line, test.col, test.expr); got != test.want {
			t.Errorf("%d:%d %s: %v", test.line, test.col, test.expr, got)
		}
	}
}

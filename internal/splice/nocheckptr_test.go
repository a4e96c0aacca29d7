package splice

import (
	"go/ast"
	"strings"
	"testing"
)

// TestNoCheckptr asks where the directive stands: on the empty line in front of the declaration, else in
// its comment. No line moves.
func TestNoCheckptr(t *testing.T) {
	const src = `package p
// A comment of a line.
func commented(p *int) { *p = 1 }
func behind(p *int) { *p = 2 }

func apart(p *int) { *p = 3 }

// first has a comment and a directive.
//
//go:noinline
func first(p *int) { *p = 4 }
//go:noinline
func directive(p *int) { *p = 5 }

func other(p *int) { *p = 6 }
`
	c := checkText(t, src)
	c.NoCheckptr = func(d *ast.FuncDecl) bool { return d.Name.Name != "other" }
	lines := strings.Split(string(splice(t, c).Files[0]), "\n")[1:] // the first one is a line directive
	for i, line := range strings.Split(src, "\n") {
		want := i == 1 || i == 4 || i == 6
		if got := lines[i] == "//go:nocheckptr"; got != want {
			t.Errorf("line %d, %q, is %q", i+1, line, lines[i])
		}
		if !want && strings.HasPrefix(line, "func") && !strings.HasPrefix(lines[i], line[:strings.Index(line, "{")]) {
			t.Errorf("line %d, %q, is %q", i+1, line, lines[i])
		}
	}
}

package pointsto_test

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A program is a loaded program with its points-to sets.
type program struct {
	*ssapass.Program
	*pointsto.Result
}

// analyze loads the package of files in a new module and analyses it.
func analyze(t *testing.T, files map[string]string) program {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Patterns: []string{"."}, Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")})
	if err != nil {
		t.Fatal(err)
	}
	return program{p, p.PointsTo()}
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.25\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A line is a line of a source file of the program.
type line struct {
	file   string // base name
	number int
}

func (l line) String() string { return fmt.Sprintf("%s:%d", l.file, l.number) }

func (p program) line(v interface{ Pos() token.Pos }) line {
	pos := p.Fset.Position(v.Pos())
	return line{filepath.Base(pos.Filename), pos.Line}
}

// site returns the line that allocates the object; ok is false if it has no line.
func (p program) site(o *pointsto.Object) (at line, ok bool) {
	switch {
	case o.Kind == pointsto.Func: // a closure has the position of its literal
		return p.line(o.Fn), o.Fn.Pos().IsValid()
	case o.Site == nil || !o.Site.Pos().IsValid():
		return line{}, false
	}
	return p.line(o.Site), true
}

// marks calls visit for each call of a generic function of package main: points, alias and
// apart of testdata/constructs, use and made of the random programs.
func (p program) marks(visit func(name string, c *ssa.Call)) {
	for in := range instrs.All(p.Functions()) {
		c, ok := in.(*ssa.Call)
		if !ok {
			continue
		}
		if g := c.Call.StaticCallee(); g != nil && g.Origin() != nil && g.Origin().Pkg.Pkg.Name() == "main" {
			visit(g.Origin().Name(), c)
		}
	}
}

// TestConstructs compares the points-to sets, aliases and escapes of testdata/constructs
// with its comments.
func TestConstructs(t *testing.T) {
	names, err := filepath.Glob("testdata/constructs/*.go")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	labels := map[line]string{}
	escapes := map[line]string{} // "", " escapes" or " maybe"
	comments := map[line]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		base := filepath.Base(name)
		files[base] = string(text)
		for i, s := range strings.Split(string(text), "\n") {
			code, comment, ok := strings.Cut(s, "//")
			if !ok || strings.TrimSpace(code) == "" {
				continue
			}
			at := line{base, i + 1}
			comments[at] = strings.TrimSpace(comment)
			if m := allocComment.FindStringSubmatch(comment); m != nil {
				labels[at], escapes[at] = m[1], m[2]
			}
		}
	}
	p := analyze(t, files)
	label := func(o *pointsto.Object) string {
		at, ok := p.site(o)
		if !ok {
			return o.Kind.String()
		}
		if s := labels[at]; s != "" {
			return s
		}
		return fmt.Sprintf("%s@%s", o.Kind, at)
	}

	t.Run("points", func(t *testing.T) {
		got := map[line][]string{}
		p.marks(func(name string, c *ssa.Call) {
			if name != "points" {
				return
			}
			at := p.line(c)
			set := p.Points(c.Call.Args[0])
			list := got[at]
			if set.Unknown {
				list = append(list, "unknown")
			}
			for _, x := range set.Cells {
				list = append(list, label(p.Object(x)))
			}
			slices.Sort(list)
			got[at] = slices.Compact(list)
		})
		for at, list := range got {
			want := strings.Fields(comments[at])
			slices.Sort(want)
			if len(want) == 1 && want[0] == "nothing" {
				want = nil
			}
			if k := slices.Index(want, "..."); k >= 0 {
				want = slices.Delete(want, k, k+1)
				list = slices.DeleteFunc(list, func(s string) bool { return !slices.Contains(want, s) })
			}
			if !slices.Equal(list, want) {
				t.Errorf("%s: points to %q, want %q", at, list, want)
			}
		}
		if len(got) < 100 {
			t.Errorf("%d points-to sets compared", len(got))
		}
	})

	t.Run("escape", func(t *testing.T) {
		found := map[line]bool{}
		for i := range p.Objects {
			o := &p.Objects[i]
			at, _ := p.site(o)
			if labels[at] == "" {
				continue
			}
			found[at] = true
			if want := escapes[at]; want != " maybe" && o.Escaped != (want == " escapes") {
				t.Errorf("%s: %s %s: escaped %v, want%s", at, o.Kind, labels[at], o.Escaped, cmp.Or(want, " not"))
			}
		}
		for at, s := range labels {
			if !found[at] {
				t.Errorf("%s: no object %s", at, s)
			}
		}
	})

	t.Run("alias", func(t *testing.T) {
		n := 0
		p.marks(func(name string, c *ssa.Call) {
			if name != "alias" && name != "apart" {
				return
			}
			n++
			x, y := p.Points(c.Call.Args[0]), p.Points(c.Call.Args[1])
			if got := p.Overlap(x, y); got != (name == "alias") {
				t.Errorf("%s: may alias: %v\n%+v\n%+v", p.line(c), got, x, y)
			}
		})
		if n < 30 {
			t.Errorf("%d pairs compared", n)
		}
	})
}

var allocComment = regexp.MustCompile(`alloc (\w+)( escapes| maybe)?$`)

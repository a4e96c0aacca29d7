package optimize

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/ssapass"
)

// analyze loads and analyses the package in dir.
func analyze(t testing.TB, dir string, patterns ...string) *ssapass.Analysis {
	t.Helper()
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Patterns: patterns, Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")})
	if err != nil {
		t.Fatal(err)
	}
	return p.Analyze()
}

// program writes a main package of one file and analyses it.
func programOf(t testing.TB, name, text string) *ssapass.Analysis {
	t.Helper()
	dir := t.TempDir()
	for n, s := range map[string]string{"go.mod": "module m\n\ngo 1.25\n", name: text} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return analyze(t, dir, ".")
}

// outcome says in a word what became of site i: kept, proof, or the kind of the
// cover with its line relative to the site's.
func outcome(p *Plan, i int) string {
	f, s := p.Fates[i], p.Analysis.Sites.List[i]
	switch {
	case f.Kind == Kept:
		return "kept"
	case f.Kind == Guarded:
		return "guarded"
	case f.By < 0:
		return "proof"
	}
	var list []string
	for _, by := range f.standing() {
		c := p.Analysis.Sites.List[by]
		mode := "r"
		if c.Key.Write {
			mode = "w"
		}
		list = append(list, fmt.Sprintf("%s%+d", mode, c.Key.Line-s.Key.Line))
	}
	return strings.Join(list, "|")
}

// wants is what comments say of a line: "want EXPR r|w[e]: OUTCOME", several
// separated by slashes, and a dash before the reason.
var wants = regexp.MustCompile(`^(.*) (r|w|re|we): (\S+)$`)

// TestPasses runs each pass alone and compares what becomes of accesses with the
// comments beside them.
func TestPasses(t *testing.T) {
	for name, pass := range map[string]string{"maintask": "maintask", "escape": "escape", "readonly": "readonly", "phases": "readonly", "dominate": "dominate", "calls": "dominate"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name+".go"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Make(programOf(t, name+".go", string(text)), Set{}.With(pass), Options{Check: true})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for i, s := range p.Analysis.Sites.List {
				mode := "r"
				if s.Key.Write {
					mode = "w"
				}
				if s.Key.Elems {
					mode += "e"
				}
				if filepath.Base(s.Key.File) == name+".go" {
					k := fmt.Sprintf("%d %s %s", s.Key.Line, s.Key.Expr, mode)
					if old, ok := got[k]; ok {
						got[k] = old + "," + outcome(p, i)
					} else {
						got[k] = outcome(p, i)
					}
				}
			}
			kept, removed := 0, 0
			for i, l := range strings.Split(string(text), "\n") {
				_, want, ok := strings.Cut(l, "// want ")
				if !ok {
					continue
				}
				want, _, _ = strings.Cut(want, " — ")
				for w := range strings.SplitSeq(want, " / ") {
					m := wants.FindStringSubmatch(w)
					if m == nil {
						t.Fatalf("%s.go:%d: %q is no expectation", name, i+1, w)
					}
					g, ok := got[fmt.Sprintf("%d %s %s", i+1, m[1], m[2])]
					if !ok {
						t.Errorf("%s.go:%d: no site %s %s", name, i+1, m[1], m[2])
					} else if g != m[3] {
						t.Errorf("%s.go:%d: %s %s: got %s, want %s", name, i+1, m[1], m[2], g, m[3])
					}
					if m[3] == "kept" {
						kept++
					} else {
						removed++
					}
				}
			}
			if kept < 5 || removed < 3 {
				t.Errorf("%d checks expected to stay, %d to go: too few to tell", kept, removed)
			}
		})
	}
}

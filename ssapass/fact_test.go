package ssapass

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// analyzeFile analyses one program of testdata.
func analyzeFile(t *testing.T, name string) (*Program, *Analysis, []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, module(t, map[string]string{name: string(text)}), strings.HasSuffix(name, "_test.go"), ".")
	return p, p.Analyze(), strings.Split(string(text), "\n")
}

// facts returns the names of the facts of a site.
func facts(a *Analysis, s *Site) string {
	if s.Dead {
		return "dead"
	}
	words := []string{"local", "sequential", "readonly", "locked"}
	for _, c := range s.Accesses {
		w := a.Where(s, c)
		words = slices.DeleteFunc(words, func(x string) bool {
			switch x {
			case "local":
				return a.SharedAt(w)
			case "sequential":
				return a.Parallel(c.Instr) || a.Outside(w)
			case "readonly":
				return a.WrittenInParallel(w)
			}
			return len(a.Held(c.Instr)) == 0
		})
	}
	return strings.Join(words, " ")
}

// TestFacts compares the facts of sites with the comments beside them:
// "want EXPR r|w[e]: FACTS", several separated by slashes.
func TestFacts(t *testing.T) {
	for _, name := range []string{"livetasks.go", "leave.go", "sequential_test.go", "quits_test.go", "parallel_test.go", "left_test.go", "over.go"} {
		t.Run(name, func(t *testing.T) {
			_, a, lines := analyzeFile(t, name)
			n := 0
			for i, l := range lines {
				_, want, ok := strings.Cut(l, "// want ")
				if !ok {
					continue
				}
				for w := range strings.SplitSeq(want, " / ") {
					n++
					what, facts1, _ := strings.Cut(w, ":")
					k := strings.LastIndexByte(what, ' ')
					expr, mode := what[:k], what[k+1:]
					var got []string
					for _, s := range a.Sites.List {
						if filepath.Base(s.Key.File) == name && s.Key.Line == i+1 && s.Key.Expr == expr && s.Key.Write == strings.Contains(mode, "w") && s.Key.Elems == strings.Contains(mode, "e") {
							got = append(got, facts(a, s))
						}
					}
					if len(got) != 1 || got[0] != strings.TrimSpace(facts1) {
						t.Errorf("%s:%d: %s: got %q, want %q", name, i+1, what, got, strings.TrimSpace(facts1))
					}
				}
			}
			if n < 6 {
				t.Errorf("%d facts tested", n)
			}
		})
	}
}

// TestSummaries compares summaries with the comment above each function.
func TestSummaries(t *testing.T) {
	p, a, lines := analyzeFile(t, "summary.go")
	n := 0
	for _, f := range p.Functions() {
		if pkg := packageOf(f); pkg == nil || pkg.Name() != "main" || f.Parent() != nil || f.Syntax() == nil {
			continue
		}
		_, want, ok := strings.Cut(lines[p.Fset.Position(f.Syntax().Pos()).Line-2], "// sum:")
		if !ok {
			want, ok = strings.CutPrefix(lines[p.Fset.Position(f.Pos()).Line-2], "// sum:")
		}
		if !ok {
			continue
		}
		n++
		s := a.Summary(f)
		var got []string
		for _, w := range []struct {
			bit  Sync
			name string
		}{{MayAcquire, "acquire"}, {MayRelease, "release"}, {MaySpawn, "spawn"}, {MayBlock, "block"}, {MayLock, "lock"}, {MayRecover, "recover"}, {MayGoexit, "goexit"}, {MayExit, "exit"}, {CallsUnseen, "unseen"}} {
			if s.Sync&w.bit != 0 {
				got = append(got, w.name)
			}
		}
		if s.NeverReturns {
			got = append(got, "noreturn")
		}
		if g := strings.Join(got, " "); g != strings.TrimSpace(want) {
			t.Errorf("%s: got %q, want %q", f, g, strings.TrimSpace(want))
		}
	}
	if n < 15 {
		t.Errorf("%d functions tested", n)
	}
}

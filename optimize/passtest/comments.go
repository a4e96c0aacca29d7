package passtest

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// wants matches one expectation of a comment.
var wants = regexp.MustCompile(`^(.*) (r|w|re|we): (\S+)$`)

// Comments runs the pass alone on each file of testdata and compares the fates of
// accesses with the comments beside them. A comment is "want EXPR MODE: FATE", with
// several expectations separated by slashes, and a reason for people behind a dash. MODE
// is r or w, with an e for the elements of a slice. FATE is kept, guarded, proof, or the
// covers, separated by bars: for each its mode, and its line relative to the access, such
// as w-2.
func Comments(t *testing.T, pass string, files ...string) {
	comments(t, pass, files, Program)
}

// UnitComments is Comments for files that are packages which other packages may import, and are
// analysed by themselves.
func UnitComments(t *testing.T, pass string, files ...string) { comments(t, pass, files, Unit) }

func comments(t *testing.T, pass string, files []string, analyze func(t testing.TB, name, text string) *ssapass.Analysis) {
	for _, name := range files {
		t.Run(strings.TrimSuffix(name, ".go"), func(t *testing.T) {
			text := read(t, filepath.Join("testdata", name))
			p := Plan(t, analyze(t, name, text), pass)
			got := fates(p, name)
			kept, removed := 0, 0
			for i, l := range strings.Split(text, "\n") {
				_, want, ok := strings.Cut(l, "// want ")
				if !ok {
					continue
				}
				want, _, _ = strings.Cut(want, " — ")
				for w := range strings.SplitSeq(want, " / ") {
					m := wants.FindStringSubmatch(w)
					if m == nil {
						t.Fatalf("%s:%d: %q is no expectation", name, i+1, w)
					}
					g, ok := got[fmt.Sprintf("%d %s %s", i+1, m[1], m[2])]
					if !ok {
						t.Errorf("%s:%d: no site %s %s", name, i+1, m[1], m[2])
					} else if g != m[3] {
						t.Errorf("%s:%d: %s %s: got %s, want %s", name, i+1, m[1], m[2], g, m[3])
					}
					switch m[3] {
					case "kept":
						kept++
					case "guarded": // of a pass that removes, too, or of one that only guards
						kept++
						removed++
					default:
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

// fates returns the fates of the accesses in a file, by line, expression and mode.
func fates(p *optimize.Plan, file string) map[string]string {
	got := map[string]string{}
	for i, s := range p.Analysis.Sites.List {
		if filepath.Base(s.Key.File) != file {
			continue
		}
		k := fmt.Sprintf("%d %s %s", s.Key.Line, s.Key.Expr, mode(p, i))
		if old, ok := got[k]; ok {
			got[k] = old + "," + fate(p, i)
		} else {
			got[k] = fate(p, i)
		}
	}
	return got
}

// mode returns the mode of site i, as in comments.
func mode(p *optimize.Plan, i int) string {
	k := p.Analysis.Sites.List[i].Key
	mode := "r"
	if k.Write {
		mode = "w"
	}
	if k.Elems {
		mode += "e"
	}
	return mode
}

// fate returns the fate of site i, as in comments.
func fate(p *optimize.Plan, i int) string {
	f := p.Fates[i]
	switch {
	case f.Kind == optimize.Kept:
		return "kept"
	case f.Kind == optimize.Guarded:
		return "guarded"
	case f.By < 0:
		return "proof"
	}
	var list []string
	for _, c := range f.Covers() {
		k := p.Analysis.Sites.List[c].Key
		list = append(list, fmt.Sprintf("%.1s%+d", mode(p, c), k.Line-p.Analysis.Sites.List[i].Key.Line))
	}
	return strings.Join(list, "|")
}

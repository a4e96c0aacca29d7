package optimize

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"taskinstr/ssapass"
)

var (
	updateLoops = flag.Bool("optimize.update", false, "rewrite what testdata/{affine,hoist}*.txtar expect")
	loopsOf     = flag.String("optimize.loops", "", "print what the passes on loops do to these packages")
)

// loopPlan makes the plan of the packages in dir.
func loopPlan(t testing.TB, dir, passes string, patterns ...string) *Plan {
	t.Helper()
	p, err := ssapass.Load(ssapass.Config{Dir: dir, Patterns: patterns, Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod")})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(passes)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := Make(p.Analyze(), s, Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// describe lists the inserts of a plan with the accesses that depend on each, and
// then the accesses that keep their check. Lines without a site are left out.
func describe(p *Plan, in func(*ssapass.Site) bool) string {
	var b strings.Builder
	name := func(i int) string {
		k := p.Analysis.Sites.List[i].Key
		kind := "read"
		if k.Write {
			kind = "write"
		}
		if k.Elems {
			kind += " of elements"
		}
		return fmt.Sprintf("%d:%d %s of %s", k.Line, k.Col, kind, k.Expr)
	}
	for _, x := range p.Inserts {
		fmt.Fprintf(&b, "%s:%d %s\n", filepath.Base(x.File), x.Line, x.Pass)
		if len(x.Gathers) > 0 {
			fmt.Fprintf(&b, "    gathers %s\n", strings.Join(x.Gathers, ", "))
		}
		if x.Text == "" {
			x.Text = "nothing in front"
		}
		for _, line := range strings.Split(strings.NewReplacer(" { ", " {\n", "; ", "\n").Replace(x.Text), "\n") {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
		for k, list := range x.Sites {
			fmt.Fprintf(&b, "    $%d: %s\n", k, name(list[0]))
		}
		for _, i := range p.guarded(&x) {
			fmt.Fprintf(&b, "    %s: %s\n", p.Fates[i].Flag, name(i))
		}
		for _, c := range x.Calls {
			fmt.Fprintf(&b, "    calls without checks at %d:%d the function at %d:%d\n", c.At.Line, c.At.Col, c.Func.Line, c.Func.Col)
		}
	}
	b.WriteString("kept\n")
	var kept []int
	for i, s := range p.Analysis.Sites.List {
		if p.Fates[i].Kind == Kept && in(s) && len(s.Accesses) > 0 {
			kept = append(kept, i)
		}
	}
	slices.SortFunc(kept, func(i, j int) int {
		a, b := p.Analysis.Sites.List[i].Key, p.Analysis.Sites.List[j].Key
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	for _, i := range kept {
		fmt.Fprintf(&b, "    %s\n", name(i))
	}
	return b.String()
}

// TestLoops runs the pass that each archive is named after, and compares what it
// does with the archive's file "want".
func TestLoops(t *testing.T) {
	files, _ := filepath.Glob("testdata/loops/*.txtar")
	if len(files) == 0 {
		t.Fatal("no archives")
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n\ngo 1.25\n"), 0o666)
			want, at := "", -1
			for i, f := range ar.Files {
				if f.Name == "want" {
					want, at = string(f.Data), i
					continue
				}
				if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(f.Name)), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			pass, _, _ := strings.Cut(filepath.Base(name), "_")
			var refused []string
			if pass == "affine" {
				defer func() { traceNests = nil }()
				traceNests = func(s string) { refused = append(refused, filepath.Base(s)+"\n") }
			}
			got := describe(loopPlan(t, dir, pass, "."), func(s *ssapass.Site) bool { return s.Pkg.Path() == "m" })
			if refused != nil {
				got += "refused\n    " + strings.Join(refused, "    ")
			}
			if *updateLoops {
				if at < 0 {
					ar.Files = append(ar.Files, txtar.File{Name: "want"})
					at = len(ar.Files) - 1
				}
				ar.Files[at].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s(rewrite with -optimize.update)", got, want)
			}
		})
	}
}

// TestLoopsOf prints what happens in packages of choice.
func TestLoopsOf(t *testing.T) {
	// The entry, then what to print, then the passes.
	if *loopsOf == "" {
		t.Skip("no -optimize.loops")
	}
	words := strings.Fields(*loopsOf)
	traceNests = func(s string) { t.Log("refused: ", s) }
	p := loopPlan(t, "..", words[2], words[0])
	t.Logf("guarded %v of %d sites, %v", p.Stats.Guarded, p.Stats.Sites, p.Stats.Time)
	t.Log(describe(p, func(s *ssapass.Site) bool { return strings.Contains(s.Pkg.Path(), words[1]) }))
}

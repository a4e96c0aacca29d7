package passtest

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"taskinstr/optimize"
	"taskinstr/ssapass"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// Archives runs the pass alone on the package in each archive testdata/*.txtar, and
// compares the plan with the archive's file "want". If trace is not nil, it installs a
// function that is called with each refusal of a loop; nil removes that function.
func Archives(t *testing.T, pass string, trace func(func(string))) {
	files, _ := filepath.Glob("testdata/*.txtar")
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
			write(t, dir, "go.mod", "module m\n\ngo 1.25\n")
			golden := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "want" })
			if golden < 0 {
				golden = len(ar.Files)
				ar.Files = append(ar.Files, txtar.File{Name: "want"})
			}
			for i, f := range ar.Files {
				if i != golden {
					write(t, dir, f.Name, string(f.Data))
				}
			}
			var refused []string
			if trace != nil {
				defer trace(nil)
				trace(func(s string) { refused = append(refused, filepath.Base(s)+"\n") })
			}
			got := describe(Plan(t, Analyze(t, dir, "."), pass))
			if refused != nil {
				got += "refused\n    " + strings.Join(refused, "    ")
			}
			if *update {
				ar.Files[golden].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(ar.Files[golden].Data); got != want {
				t.Errorf("got\n%s\nwant\n%s(rewrite with -update)", got, want)
			}
		})
	}
}

// describe lists the inserts of a plan with the accesses that depend on each, and then
// the accesses of package m that keep their check.
func describe(p *optimize.Plan) string {
	var b strings.Builder
	name := func(i int) string { return nameOf(p.Analysis.Sites.List[i].Key) }
	for _, x := range p.Inserts {
		fmt.Fprintf(&b, "%s:%d %s\n", filepath.Base(x.File), x.Line, x.Pass)
		if len(x.Gathers) > 0 {
			fmt.Fprintf(&b, "    gathers %s\n", strings.Join(x.Gathers, ", "))
			for i, a := range x.Arrays {
				fmt.Fprintf(&b, "    %s: elements of %q\n", x.Gathers[i], a)
			}
		}
		text := cmp.Or(x.Text, "nothing in front")
		for line := range strings.SplitSeq(strings.NewReplacer(" { ", " {\n", "; ", "\n").Replace(text), "\n") {
			fmt.Fprintf(&b, "\t%s\n", line)
		}
		for k, list := range x.Sites {
			if len(list) > 0 {
				fmt.Fprintf(&b, "    $%d: %s\n", k, name(list[0]))
			}
			if x.Loads != nil {
				for _, l := range x.Loads[k] {
					fmt.Fprintf(&b, "    $%d: %s by a call\n", k, nameOf(l.Key))
				}
			}
		}
		for _, i := range guarded(p, &x) {
			fmt.Fprintf(&b, "    %s: %s\n", p.Fates[i].Flag, name(i))
		}
		for _, c := range x.Calls {
			of := fmt.Sprintf("the function at %d:%d", c.Func.Line, c.Func.Col)
			if c.Accessor != "" {
				of = c.Accessor
			}
			fmt.Fprintf(&b, "    calls without checks at %d:%d %s\n", c.At.Line, c.At.Col, of)
		}
	}
	b.WriteString("kept\n")
	for _, i := range sites(p, func(i int) bool {
		s := p.Analysis.Sites.List[i]
		return p.Fates[i].Kind == optimize.Kept && s.Pkg.Path() == "m" && len(s.Accesses) > 0
	}) {
		fmt.Fprintf(&b, "    %s\n", name(i))
	}
	return b.String()
}

func nameOf(k ssapass.Key) string {
	kind := "read"
	if k.Write {
		kind = "write"
	}
	if k.Elems {
		kind += " of elements"
	}
	return fmt.Sprintf("%d:%d %s of %s", k.Line, k.Col, kind, k.Expr)
}

// guarded returns the sites that depend on the variables of an insert.
func guarded(p *optimize.Plan, in *optimize.Insert) []int {
	return sites(p, func(i int) bool {
		f, s := p.Fates[i], p.Analysis.Sites.List[i]
		return f.Kind == optimize.Guarded && s.Pkg.Path() == in.Pkg && s.Key.File == in.File && (slices.Contains(in.Flags, f.Flag) || slices.Contains(in.Gathers, f.Flag))
	})
}

// sites returns the sites for which in holds, by line and column.
func sites(p *optimize.Plan, in func(i int) bool) (list []int) {
	for i := range p.Fates {
		if in(i) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(i, j int) int {
		a, b := p.Analysis.Sites.List[i].Key, p.Analysis.Sites.List[j].Key
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return list
}

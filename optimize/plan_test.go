package optimize_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/optimize/passtest"
)

// testProgram returns a program of the tests of the pass dominate.
func testProgram(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("dominate", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMake makes plans with every set and order of passes. Each plan must hold and have
// fates of the chosen passes only, and no order may keep a check that the table's order
// removes.
func TestMake(t *testing.T) {
	a := passtest.Program(t, "p.go", testProgram(t, "dominate.go"))
	none, err := optimize.Make(a, optimize.Set{}, optimize.Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	if none.Package("m") != nil {
		t.Error("no pass, but a plan")
	}
	for i, f := range none.Fates {
		if f.Kind != optimize.Kept || f.Reason == "" {
			t.Errorf("%v: %+v without passes", a.Sites.List[i].Key, f)
		}
	}
	all, err := optimize.Make(a, optimize.All(), optimize.Options{Check: true})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(8) {
		p, err := optimize.Make(a, optimize.All(), optimize.Options{Check: true, Shuffle: seed})
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		for i := range p.Fates {
			if p.Fates[i].Kind != all.Fates[i].Kind && p.Fates[i].Kind == optimize.Kept {
				t.Errorf("seed %d: %v: %+v, in the table's order %+v", seed, a.Sites.List[i].Key, p.Fates[i], all.Fates[i])
			}
		}
	}
	for _, name := range optimize.Names() {
		for _, s := range []optimize.Set{optimize.Set{}.With(name), optimize.All().Without(name)} {
			p, err := optimize.Make(a, s, optimize.Options{Check: true})
			if err != nil {
				t.Errorf("%s: %v", s, err)
				continue
			}
			for i, f := range p.Fates {
				if f.Pass != "" && !s.Has(f.Pass) {
					t.Errorf("%s: %v: %+v", s, a.Sites.List[i].Key, f)
				}
				if f.Kind != optimize.Kept && a.Sites.List[i].Pkg.Path() != "m" {
					t.Errorf("%s: %v of the standard library: %+v", s, a.Sites.List[i].Key, f)
				}
			}
		}
	}
}

// TestCheck breaks a plan in each way that Check detects.
func TestCheck(t *testing.T) {
	a := passtest.Program(t, "p.go", testProgram(t, "dominate.go"))
	fresh := func() (*optimize.Plan, int, int) { // with a covered site and its cover
		p, err := optimize.Make(a, optimize.All(), optimize.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range p.Fates {
			if f.Pass == "dominate" && !a.Sites.List[i].Key.Write && a.Sites.List[f.By].Key.Write {
				return p, i, f.By
			}
		}
		t.Fatal("no covered read")
		return nil, 0, 0
	}
	for _, c := range []struct {
		name  string
		spoil func(p *optimize.Plan, i, by int)
		want  string
	}{
		{"nothing", func(*optimize.Plan, int, int) {}, ""},
		{"dead cover", func(p *optimize.Plan, i, by int) {
			p.Fates[by] = optimize.Fate{Kind: optimize.Removed, Pass: "escape", Reason: "x", By: -1}
		}, "its cover"},
		{"itself as a second cover", func(p *optimize.Plan, i, by int) { p.Fates[i].More = []int{i} }, "covered by site"},
		{"second cover is no write", func(p *optimize.Plan, i, by int) {
			for j, f := range p.Fates {
				if f.Pass == "dominate" && a.Sites.List[j].Key.Write {
					for k, s := range a.Sites.List {
						if p.Fates[k].Kind == optimize.Kept && !s.Key.Write {
							p.Fates[j].More = []int{k}
							return
						}
					}
				}
			}
		}, "a write covered by the read"},
		{"kept with a second cover", func(p *optimize.Plan, i, by int) { p.Fates[by].More = []int{i} }, "a kept check depends"},
		{"no cover", func(p *optimize.Plan, i, by int) { p.Fates[i].By = -1 }, "neither cover nor proof"},
		{"itself", func(p *optimize.Plan, i, by int) { p.Fates[i].By = i }, "covered by site"},
		{"outside", func(p *optimize.Plan, i, by int) { p.Fates[i].By = len(p.Fates) }, "covered by site"},
		{"read for write", func(p *optimize.Plan, i, by int) {
			p.Fates[i] = optimize.Fate{By: -1}
			for j := range p.Fates { // the sites that it covered are checked again
				if p.Fates[j].By == by {
					p.Fates[j] = optimize.Fate{By: -1}
				}
			}
			p.Fates[by] = optimize.Fate{Kind: optimize.Removed, Pass: "dominate", Reason: "x", By: i}
		}, "a write covered by the read"},
		{"not chosen", func(p *optimize.Plan, i, by int) { p.Set = p.Set.Without("dominate") }, "not chosen"},
		{"no reason", func(p *optimize.Plan, i, by int) { p.Fates[i].Reason = "" }, "no reason"},
		{"flag of nobody", func(p *optimize.Plan, i, by int) {
			p.Fates[i] = optimize.Fate{Kind: optimize.Guarded, Pass: "hoist", Reason: "x", By: -1, Flag: "_ti_no"}
		}, "no insert declares"},
		{"flag of a pass without", func(p *optimize.Plan, i, by int) {
			p.Fates[i] = optimize.Fate{Kind: optimize.Guarded, Pass: "escape", Reason: "x", By: -1, Flag: "_ti_no"}
		}, "no flags"},
		{"calls without a flag", func(p *optimize.Plan, i, by int) {
			p.Inserts = append(p.Inserts, optimize.Insert{Pass: "affine", Pkg: "m", Calls: []splice.Call{{}}})
		}, "no flag of the loop"},
		{"call without checks", func(p *optimize.Plan, i, by int) {
			p.Redirects = append(p.Redirects, optimize.Redirect{Pass: "dominate", Pkg: "m", Wide: -1, With: -1})
		}, "makes no checks"},
		{"call without a cover", func(p *optimize.Plan, i, by int) {
			p.Redirects = append(p.Redirects, optimize.Redirect{Pass: "dominate", Pkg: "m", Sites: []int{i}, Wide: -1, With: -1})
		}, "neither cover nor proof"},
		{"call with a removed cover", func(p *optimize.Plan, i, by int) {
			p.Redirects = append(p.Redirects, optimize.Redirect{Pass: "dominate", Pkg: "m", Sites: []int{by}, By: [][]int{{i}}, Wide: -1, With: -1})
		}, "is removed"},
		{"copy of a pass without proofs", func(p *optimize.Plan, i, by int) {
			p.Borrowers = append(p.Borrowers, optimize.Borrower{Pass: "dominate", Pkg: "m", Sites: []int{i}})
		}, "no proofs"},
		{"copy with all checks", func(p *optimize.Plan, i, by int) {
			p.Borrowers = append(p.Borrowers, optimize.Borrower{Pass: "escape", Pkg: "m"})
		}, "makes the checks"},
		{"copy of another package", func(p *optimize.Plan, i, by int) {
			p.Borrowers = append(p.Borrowers, optimize.Borrower{Pass: "escape", Pkg: "n", Sites: []int{i}})
		}, "is in package m"},
		{"kept with a flag", func(p *optimize.Plan, i, by int) { p.Fates[by].Flag = "x" }, "a kept check depends"},
		{"too few", func(p *optimize.Plan, i, by int) { p.Fates = p.Fates[1:] }, "fates for"},
	} {
		p, i, by := fresh()
		c.spoil(p, i, by)
		err := p.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestPackage has the rewriter carry out plans and compares its counts with the plans.
func TestPackage(t *testing.T) {
	for _, name := range []string{"dominate.go", "calls.go"} {
		t.Run(name, func(t *testing.T) { testPackage(t, testProgram(t, name)) })
	}
}

func testPackage(t *testing.T, text string) {
	a := passtest.Program(t, "p.go", text)
	p, err := optimize.Make(a, optimize.All(), optimize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan := p.Package("m")
	if plan == nil {
		t.Fatal("no plan")
	}
	if got := plan.Files["p.go"]; got != site.Digest([]byte(text)) {
		t.Errorf("digest %s", got)
	}
	omitted, guarded, stands := 0, 0, 0
	for i, f := range p.Fates {
		if a.Sites.List[i].Pkg.Path() == "m" && f.Kind == optimize.Removed {
			omitted++
		}
		stands += len(f.Covers())
	}
	for _, r := range p.Redirects {
		for _, by := range r.By {
			stands += len(by)
		}
	}
	for _, f := range plan.Fates {
		stands -= len(f.For)
		if f.Flag != "" {
			guarded++
		}
	}
	if stands != 0 {
		t.Errorf("%d covered accesses that no cover names", stands)
	}
	for _, pkg := range a.Program().Packages {
		if pkg.PkgPath != "m" {
			continue
		}
		r, err := splice.Package(splice.Config{Plan: plan, Source: site.Source{
			Fset: a.Program().Fset, Files: pkg.Syntax, Src: [][]byte{[]byte(text)}, Path: "m", Pkg: pkg.Types, Info: pkg.TypesInfo, GoVersion: "go1.25",
		}})
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Stats; s.Unplanned != 0 || s.Omitted != omitted || s.Guarded != guarded || omitted == 0 {
			t.Errorf("omitted %d of %d, guarded %d of %d, %d entries fit nothing", s.Omitted, omitted, s.Guarded, guarded, s.Unplanned)
		}
	}
}

// TestTypes: making a plan leaves the types of the packages as they are, though affine
// copies the statements of callees.
func TestTypes(t *testing.T) {
	a := passtest.Program(t, "p.go", `package main

type matrix struct {
	data []int
	cols int
}

func (m *matrix) at(i, j int) int { return m.data[i*m.cols+j] }

func sum(m *matrix, n int) (s int) {
	for i := 0; i < n; i++ {
		for j := 0; j < m.cols; j++ {
			s += m.at(i, j)
		}
	}
	return s
}

func main() {
	m := &matrix{make([]int, 100), 10}
	done := make(chan int)
	go func() { done <- sum(m, 10) }()
	m.data[0] = <-done
	m.cols = sum(m, 5)
}
`)
	size := func() (n int) {
		for _, p := range a.Program().Packages {
			if i := p.TypesInfo; i != nil {
				n += len(i.Types) + len(i.Defs) + len(i.Uses) + len(i.Selections) + len(i.Implicits)
			}
		}
		return n
	}
	before := size()
	p := passtest.Plan(t, a, "affine")
	calls := 0
	for _, in := range p.Inserts {
		calls += len(in.Calls)
	}
	if calls == 0 {
		t.Error("no call is looked into")
	}
	if after := size(); after != before {
		t.Errorf("the packages' types had %d entries, and have %d", before, after)
	}
}

// Two accesses to which line directives give files of one name and one position keep their own checks unless the plan decides the same
// about both.
func TestPackageClash(t *testing.T) {
	a := passtest.Program(t, "p.go", `package m

type pair struct{ a, b int }

//line a/x.go:10:1
func F(p *pair) { p.b = 1 }
//line b/x.go:10:1
func G(p *pair) { p.b = 1 }
`)
	p, err := optimize.Make(a, optimize.Set{}, optimize.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fates [2]optimize.Fate
		ok    bool
	}{
		{[2]optimize.Fate{{Len: 16}, {Len: 16}}, true},
		{[2]optimize.Fate{{Len: 16}, {Len: 24}}, false},
		{[2]optimize.Fate{{Len: 16}, {Len: 16, Back: 8}}, false},
		{[2]optimize.Fate{{Len: 16}, {}}, false},
	} {
		n := 0
		for i, s := range a.Sites.List {
			if s.Pkg.Path() == "m" && s.Key.Write {
				p.Fates[i].Len, p.Fates[i].Back = c.fates[n].Len, c.fates[n].Back
				n++
			}
		}
		if n != 2 {
			t.Fatalf("%d sites", n)
		}
		ok := false
		if plan := p.Package("m"); plan != nil {
			for _, f := range plan.Fates {
				ok = ok || f.Len != 0
			}
		}
		if ok != c.ok {
			t.Errorf("%v: a wide check: %v", c.fates, ok)
		}
	}
}

package callers

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var (
	flags = random.Define(programs.DefaultSets, 25, "of each")
	only  = flag.Int("case", -1, "number of the only case to run")
	scope = flag.String("scope", "", "the part of the program that the optimizations see: package or program")
)

// TestPrograms compares the stacks of reports with the stacks that Callers returned.
func TestPrograms(t *testing.T) {
	exe := tooltest.Tool(t, flags.Tool)
	flags.Each(func(seed uint64, set string) { testProgram(t, exe, seed, set) })
}

func testProgram(t *testing.T, tool string, seed uint64, passes string) {
	p, err := New(seed, flags.Cases)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	defer os.RemoveAll(out)
	dir := flags.Folder(filepath.Join(out, "program"))
	if err := random.Write(dir, p.Files); err != nil {
		t.Fatal(err)
	}
	chosen := p.Cases
	if *only >= 0 {
		chosen = chosen[*only : *only+1]
	}
	pkgs := WithStd
	if seed%2 == 0 {
		pkgs = Alone
	}
	exe, err := Build(t.Context(), programs.Toolchain{Tool: tool, Scope: *scope}.With(passes), pkgs, dir, out)
	if err != nil {
		t.Fatalf("-seed=%d -cases=%d: %v", seed, flags.Cases, err)
	}
	var sum Counts
	err = Run(t.Context(), exe, chosen, func(c *Case, faults []string, n Counts) {
		sum.add(n)
		if len(faults) > 0 {
			t.Errorf("-seed=%d -cases=%d -case=%d -passes=%s: %s", seed, flags.Cases, c.Number, passes, strings.Join(faults, "\n"))
		}
	})
	if err != nil {
		t.Errorf("-seed=%d -cases=%d -passes=%s: %v", seed, flags.Cases, passes, err)
	}
	t.Logf("seed %d, -passes=%s, -pkgs=%s: %d cases, %s", seed, passes, pkgs, len(chosen), sum)
}

func TestDeterministic(t *testing.T) {
	a, err := New(7, 60)
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(7, 60)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.EqualFunc(a.Files, b.Files, bytes.Equal) {
		t.Error("the same seed gave two programs")
	}
}

// TestEverything keeps the generator from losing a form silently.
func TestEverything(t *testing.T) {
	p, err := New(1, 500)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, c := range p.Cases {
		for f, k := range c.Forms {
			n[f] += k
		}
	}
	var all []string
	for _, k := range nodeKinds {
		all = append(all, "node "+k.name)
		for _, c := range k.calls {
			all = append(all, "call "+c)
		}
	}
	for _, f := range forms {
		all = append(all, "form "+f.name)
	}
	for _, f := range fillers {
		all = append(all, "filler "+f.name)
	}
	for _, k := range variableKinds {
		for _, a := range append(k.writes, k.reads...) {
			all = append(all, "access "+k.name+": "+a.text)
		}
	}
	for _, f := range all {
		if n[f] < 3 {
			t.Errorf("%s occurs %d times", f, n[f])
		}
	}
}

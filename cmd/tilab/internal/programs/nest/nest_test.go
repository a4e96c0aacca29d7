package nest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var (
	flags = random.Define(programs.DefaultSets, 40, "of each")
	units = flag.String("scope", "", "the part of the program that the optimizations see: package or program")
	tests = flag.Bool("tests", false, "run the cases in tests and benchmarks")
	lib   = flag.Bool("library", false, "have the cases in a package that the main package imports")
)

// TestPrograms runs random programs with and without static optimizations.
func TestPrograms(t *testing.T) {
	exe := tooltest.Tool(t, flags.Tool)
	flags.Each(func(seed uint64, set string) {
		p, err := New(seed, flags.Cases)
		if err != nil {
			t.Fatal(err)
		}
		if *lib {
			p.Library()
		}
		dir := flags.Folder(t.TempDir())
		if err := random.Write(dir, p.Files); err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		defer os.RemoveAll(out)
		exe, err := Build(t.Context(), programs.Toolchain{Tool: exe, Scope: *units}.With(set), *tests, dir, out)
		if err != nil {
			t.Fatal(err)
		}
		racy := 0
		RunAll(t.Context(), p.Cases, exe, 2, func(c *Case, faults []string) {
			if c.Racy() {
				racy++
			}
			if len(faults) > 0 {
				t.Errorf("-seed=%d -cases=%d: case %d with -passes=%s: %s", seed, flags.Cases, c.Number, set, strings.Join(faults, "\n"))
			}
		})
		t.Logf("seed %d, -passes=%s: %d cases, %d of them racy", seed, set, len(p.Cases), racy)
	})
}

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
	tool   = flag.String("tool", "", "the taskinstr command; built from the tree by default")
	seed   = flag.Uint64("seed", 1, "of the first program")
	count  = flag.Int("programs", 1, "how many, with seeds that follow each other")
	cases  = flag.Int("cases", 40, "of each")
	passes = flag.String("passes", programs.DefaultSets, "choices of static optimizations, separated by ;")
	units  = flag.String("scope", "", "the part of the program that the optimizations see: package or program")
	tests  = flag.Bool("tests", false, "run the cases in tests and benchmarks")
	lib    = flag.Bool("library", false, "have the cases in a package that the main package imports")
	keep   = flag.String("keep", "", "folder to keep the programs in")
)

// TestPrograms runs random programs with and without static optimizations.
func TestPrograms(t *testing.T) {
	exe := tooltest.Tool(t, *tool)
	for k := range *count {
		p, err := New(*seed+uint64(k), *cases)
		if err != nil {
			t.Fatal(err)
		}
		if *lib {
			p.Library()
		}
		dir := t.TempDir()
		if *keep != "" {
			dir = *keep
		}
		if err := random.Write(dir, p.Files); err != nil {
			t.Fatal(err)
		}
		for s := range strings.SplitSeq(*passes, ";") {
			out := t.TempDir()
			exe, err := Build(t.Context(), programs.Toolchain{Tool: exe, Scope: *units}.With(s), *tests, dir, out)
			if err != nil {
				t.Fatal(err)
			}
			racy := 0
			RunAll(t.Context(), p.Cases, exe, 2, func(c *Case, faults []string) {
				if c.Racy() {
					racy++
				}
				if len(faults) > 0 {
					t.Errorf("-seed=%d -cases=%d: case %d with -passes=%s: %s", *seed+uint64(k), *cases, c.Number, s, strings.Join(faults, "\n"))
				}
			})
			t.Logf("seed %d, -passes=%s: %d cases, %d of them racy", *seed+uint64(k), s, len(p.Cases), racy)
			os.RemoveAll(out)
		}
	}
}

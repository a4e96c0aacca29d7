package ssapass

import (
	"flag"
	"go/token"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

var every = flag.Int("ssapass.every", 50, "show one missing site in so many")

// TestSitesFound compares the sites of package site with the sites that the analysis
// knows, except atomic operations and uses of methods.
func TestSitesFound(t *testing.T) {
	if testing.Short() {
		t.Skip("loads programs")
	}
	for _, c := range []struct {
		dir      string
		patterns []string
		tests    bool
		owed     float64
	}{
		{"..", []string{"./examples/...", "./testdata/patterns", "./benchmarks/..."}, true, 0.99},
		{"..", []string{"encoding/json", "text/template", "sort", "slices", "strings", "bytes", "go/types", "bufio", "container/heap", "compress/flate", "math/big"}, false, 0.95},
	} {
		p := load(t, c.dir, c.tests, c.patterns...)
		sites := p.Sites()
		total, found, dead := 0, 0, 0
		missing := 0
		for _, pkg := range p.Packages {
			if !Instrumented(pkg.PkgPath) || len(pkg.Syntax) == 0 || strings.HasSuffix(pkg.ID, ".test") {
				continue
			}
			list, err := site.Find(p.Source(pkg))
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				if s.Kind == site.Atomic || strings.HasPrefix(s.What, "method ") {
					continue
				}
				total++
				key := Key(s.Key)
				key.File = p.Fset.PositionFor(s.Pos, true).Filename
				switch k := sites.Lookup(key); {
				case k == nil:
					if missing++; missing%max(1, *every) == 0 && missing < 40**every {
						t.Logf("missing: %+v %s", key, s.What)
					}
				default:
					if k.Dead {
						dead++
					}
					found++
				}
			}
		}
		share := float64(found) / float64(total)
		t.Logf("%v: %d of %d sites found (%.2f%%), %d of them in functions that never run; %d stray instructions", c.patterns, found, total, 100*share, dead, stray(p, sites))
		if share < c.owed {
			t.Errorf("%v: found %.4f of the sites, want %.2f", c.patterns, share, c.owed)
		}
	}
}

// stray counts loads and stores of instrumented functions that have no site: initial values of
// locals, results, temporaries.
func stray(p *Program, sites *Sites) (n int) {
	for _, f := range p.Functions() {
		if pkg := packageOf(f); pkg == nil || !Instrumented(pkg.Path()) {
			continue
		}
		for in := range instrs.Of(f) {
			u, load := in.(*ssa.UnOp)
			_, store := in.(*ssa.Store)
			if (store || load && u.Op == token.MUL) && len(sites.Of(in)) == 0 {
				n++
			}
		}
	}
	return n
}

package inline

import (
	"flag"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
)

var (
	showFlag = flag.Bool("inline.show", false, "list the functions whose price differs from the compiler's")
	pkgsFlag = flag.String("inline.pkgs", "bufio,container/heap,encoding/json,go/ast,net/url,strings", "packages of the standard library whose prices are compared")
)

// The compiler's lines about the price of a function, with -m=2.
var (
	canLine    = regexp.MustCompile(`: can inline (\S+) with cost (\d+) as: `)
	cannotLine = regexp.MustCompile(`: cannot inline ([^:]+): (.*)`)
	exceeds    = regexp.MustCompile(`cost (\d+) exceeds`)
)

// compilerPrices returns the prices of a package's functions, by their symbols. A function that
// cannot be inlined at any price costs never.
func compilerPrices(t *testing.T, path string) map[string]int {
	t.Helper()
	out, err := exec.Command("go", "build", "-gcflags="+path+"=-m=2", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	prices := map[string]int{}
	for line := range strings.Lines(string(out)) {
		if m := canLine.FindStringSubmatch(line); m != nil {
			prices[m[1]], _ = strconv.Atoi(m[2])
		} else if m := cannotLine.FindStringSubmatch(line); m != nil {
			prices[m[1]] = never
			if c := exceeds.FindStringSubmatch(m[2]); c != nil {
				prices[m[1]], _ = strconv.Atoi(c[1])
			}
		}
	}
	return prices
}

// TestCosts compares prices with those that the compiler prints. At most one decision of 50 may
// differ, and one price of ten.
func TestCosts(t *testing.T) {
	paths := strings.Split(*pkgsFlag, ",")
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	facts := Facts{}
	prices := map[string]map[string]int{}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if _, skip := site.Skip(p.PkgPath); skip {
			return
		}
		a := newAnalysis(Package{Fset: p.Fset, Files: p.Syntax, Path: p.PkgPath, Types: p.Types, Info: p.TypesInfo}, facts)
		prices[p.PkgPath] = map[string]int{}
		for f := range a.bodies {
			cost, ok := a.cost(f)
			if ok {
				facts[site.LinkName(f, p.PkgPath)] = Func{Cost: cost}
			}
			prices[p.PkgPath][strings.TrimPrefix(site.LinkName(f, ""), ".")] = cost
		}
	})
	all, differ, wrong := 0, 0, 0
	for _, path := range paths {
		for name, want := range compilerPrices(t, path) {
			got, ok := prices[path][name]
			if !ok {
				continue // of a literal or an instance
			}
			all++
			if got == want || got > 3*budget && want > 3*budget {
				continue
			}
			differ++
			decided := (got <= budget) == (want <= budget)
			if !decided {
				wrong++
			}
			if *showFlag {
				t.Logf("%s.%s: price %d, the compiler's %d, same decision: %v", path, name, got, want, decided)
			}
		}
	}
	t.Logf("of %d functions %d have another price, %d another decision", all, differ, wrong)
	if all < 500 && len(paths) > 3 || wrong*50 > all || differ*10 > all {
		t.Errorf("of %d functions %d have another price, %d another decision; -inline.show lists them", all, differ, wrong)
	}
}

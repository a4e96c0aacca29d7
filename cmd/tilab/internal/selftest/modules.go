package selftest

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// modulesSuite runs parallel tests of well-known modules, and the recipes of
// benchmarks/modules.
var modulesSuite = suite{
	name:  "modules",
	about: "tests and programs of third-party modules, from the module proxy: pass, no false report, wall time beside -race",
	limit: 30 * time.Minute,
	list:  listModules,
	run:   runModules,
}

// A thirdParty is a set of packages of one version of one module.
type thirdParty struct {
	module, version string
	packages        []string // directories of the module
}

var thirdParties = []thirdParty{
	{"golang.org/x/sync", "v0.16.0", []string{"errgroup", "semaphore", "singleflight", "syncmap"}},
	{"github.com/klauspost/compress", "v1.18.0", []string{"zstd"}},
	{"gonum.org/v1/gonum", "v0.16.0", []string{"mat"}},
}

func listModules(ctx context.Context, h *harness) ([]string, error) {
	var names []string
	for _, m := range thirdParties {
		for _, p := range m.packages {
			names = append(names, m.module+"/"+p)
		}
	}
	return append(names, recipeNames()...), nil
}

func runModules(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	// The packages run one after the other, since the suite compares wall times.
	for _, m := range thirdParties {
		dir := ""
		for _, p := range m.packages {
			name := m.module + "/" + p
			if !slices.Contains(names, name) || ctx.Err() != nil {
				continue
			}
			if dir == "" {
				var err error
				if dir, err = h.fetch(ctx, m); err != nil {
					emit(h.failWith("modules", name, err))
					continue
				}
			}
			for _, r := range testModulePackage(ctx, h, dir, name) {
				emit(r)
			}
		}
	}
	h.runRecipes(ctx, names, emit)
	return nil
}

// testModulePackage runs the tests of one package in all modes.
func testModulePackage(ctx context.Context, h *harness, dir, name string) []Result {
	j := &testJudge{h: h, suite: "modules", dir: dir, pkg: name}
	want, got := j.run(ctx, plain), j.run(ctx, h.mode)
	var stock testRun
	if h.stock && h.mode != race {
		stock = j.run(ctx, race)
	}
	results := j.judge(ctx, want, got, func() testRun { return stock })
	last := &results[len(results)-1]
	if stock.action != "" && last.Status != skipped {
		last.Columns = append(last.Columns,
			Column{"-race", seconds(stock.elapsed)},
			Column{"-race ratio", ratio(stock.elapsed, want.elapsed)})
	}
	return results
}

// folder names the folder of the module's copy. No recipe and no other module has a folder of that name.
func (m thirdParty) folder() string { return "tests-" + strings.ReplaceAll(m.module, "/", "-") }

// fetch writes a copy of a module to the temporary directory, since tests may write beside
// their files.
func (h *harness) fetch(ctx context.Context, m thirdParty) (dir string, err error) {
	dir = filepath.Join(h.work, m.folder())
	if err := h.moduleHost().Copy(ctx, m.module, m.version, dir); err != nil {
		return "", err
	}
	return dir, nil
}

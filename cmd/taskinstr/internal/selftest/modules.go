package selftest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// modulesSuite runs the tests of well-known modules that run in parallel.
var modulesSuite = suite{
	name:  "modules",
	about: "the tests of third-party modules, from the module proxy: pass, no false report, wall time beside -race",
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
	return names, nil
}

func runModules(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	// One after the other: the suite compares wall times.
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
					return err
				}
			}
			for _, r := range testModulePackage(ctx, h, dir, name) {
				emit(r)
			}
		}
	}
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

// fetch downloads a module through the go command's own proxy settings and
// returns a copy of it: tests write beside their files, and the module cache
// is read-only.
func (h *harness) fetch(ctx context.Context, m thirdParty) (dir string, err error) {
	at := m.module + "@" + m.version
	o := h.exec(ctx, command{dir: h.work, args: []string{h.tc.goCommand(), "mod", "download", "-json", at}})
	var info struct{ Dir, Error string }
	if err := json.Unmarshal(o.output, &info); err != nil || !o.ok || info.Dir == "" {
		return "", fmt.Errorf("cannot download %s: %s: %s%s; the suite needs the module proxy or a filled module cache",
			at, o.status, info.Error, excerpt(o.output))
	}
	dir = filepath.Join(h.work, filepath.Base(m.module))
	return dir, os.CopyFS(dir, os.DirFS(info.Dir))
}

package selftest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"taskinstr/cmd/tilab/internal/racelog"
)

// gotestSuite runs the test programs of the Go compiler: instrumentation must change neither
// the output nor the exit status.
var gotestSuite = suite{
	name:  "gotest",
	about: "every single-file program of GOROOT/test: same output and exit status as uninstrumented",
	limit: 5 * time.Minute,
	list:  listGotest,
	run:   runGotest,
}

// gotestDir returns the folder that -testdir names, by default GOROOT/test.
func gotestDir(h *harness) (string, error) {
	if h.testdir != "" {
		dir, err := filepath.Abs(h.testdir)
		if err != nil {
			return "", err
		}
		if _, err := os.Stat(dir); err != nil {
			return "", fmt.Errorf("-testdir: %w", err)
		}
		return dir, nil
	}
	dir, err := h.tc.need("the compiler's test programs", "test")
	if err != nil {
		return "", fmt.Errorf("%w; or name the test directory of a Go source tree with -testdir", err)
	}
	return dir, nil
}

// listGotest lists the programs of the test directory. Folders named *.dir hold the files
// of larger programs and are left out.
func listGotest(ctx context.Context, h *harness) ([]string, error) {
	root, err := gotestDir(h)
	if err != nil {
		return nil, err
	}
	tags := buildTags(h.tc)
	var names []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasSuffix(path, ".dir"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, ok, err := parseRecipe(string(src), tags); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		} else if ok {
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			names = append(names, filepath.ToSlash(name))
		}
		return nil
	})
	return names, err
}

func runGotest(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	root, err := gotestDir(h)
	if err != nil {
		return err
	}
	// The programs run in a copy of the directory: some read files beside them, and none may
	// write into GOROOT.
	dir := filepath.Join(h.work, "test")
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		return fmt.Errorf("copying %s: %w", root, err)
	}
	h.each(ctx, names, emit, func(name string) []Result {
		return []Result{(&program{h: h, dir: dir, name: name}).test(ctx)}
	})
	return nil
}

// A program is one file of GOROOT/test under test.
type program struct {
	h    *harness
	dir  string // the copy of GOROOT/test
	name string
	recipe
}

func (p *program) file() string { return filepath.Join(p.dir, filepath.FromSlash(p.name)) }

// slug is the name as part of a file name.
func (p *program) slug() string { return strings.NewReplacer("/", "_", ".", "_").Replace(p.name) }

func (p *program) fail(reason string, output []byte) Result {
	return p.h.fail("gotest", p.name, reason, output)
}

// test builds and runs the program without and with instrumentation.
func (p *program) test(ctx context.Context) Result {
	src, err := os.ReadFile(p.file())
	if err != nil {
		return p.fail(err.Error(), nil)
	}
	if p.recipe, _, err = parseRecipe(string(src), buildTags(p.h.tc)); err != nil {
		return p.fail(err.Error(), nil)
	}
	if p.unmet != "" {
		return skip(p.name, "build constraint: "+p.unmet)
	}
	base, build := p.build(ctx, plain, string(src))
	if !build.ok {
		return skip(p.name, "does not build uninstrumented: "+firstLine(build.output))
	}
	defer os.Remove(base)
	bin, build := p.build(ctx, p.h.mode, string(src))
	if !build.ok {
		return p.fail("does not build: "+build.status, build.output)
	}
	defer os.Remove(bin)

	want := p.run(ctx, plain, base)
	if want.exceeded {
		return skip(p.name, "uninstrumented: "+want.status)
	}
	got := p.run(ctx, p.h.mode, bin)
	reports := p.reports()
	if !sameOutcome(want, got, asWritten) {
		// The second plain run shows which parts of the output vary. These are not compared.
		again := p.run(ctx, plain, base)
		if why := difference(want, again, got); why != "" {
			return p.fail(why, diffExcerpt(want.output, got.output))
		}
	}
	r := Result{Name: p.name, Status: passed}
	r.Columns = []Column{{"ratio", ratio(got.wall, want.wall)}}
	return p.judgeReports(ctx, r, string(src), reports)
}

// stockRuns is the number of runs with -race after which an unconfirmed race counts as
// wrong. -race does not see a race in every run.
const stockRuns = 5

// judgeReports checks the races reported in a program whose output and status are right:
// go's own detector must confirm each.
func (p *program) judgeReports(ctx context.Context, r Result, src string, reports []racelog.Report) Result {
	r.Notes = append(r.Notes, predictions(reports)...)
	races := racelog.Pairs(reports, false)
	if len(races) == 0 || p.h.mode != taskinstr {
		return r
	}
	why, racy := racyPrograms[p.name]
	switch {
	case racy:
		why = "race, " + why + ": "
	case !p.h.stock:
		why = "race, not compared with -race: "
	}
	if why != "" {
		for _, pr := range races {
			r.Notes = append(r.Notes, why+pr.String())
		}
		return r
	}
	var stock []racelog.Pair
	bin, build := p.build(ctx, race, src)
	if build.ok {
		defer os.Remove(bin)
	}
	wrong, notes := racelog.Confirm(races, nil)
	for run := 0; build.ok && len(wrong) > 0 && run < stockRuns && ctx.Err() == nil; run++ {
		p.run(ctx, race, bin)
		stock = append(stock, racelog.Pairs(p.reports(), false)...)
		wrong, notes = racelog.Confirm(races, stock)
	}
	r.Notes = append(r.Notes, notes...)
	if len(wrong) > 0 {
		f := p.fail("race that -race does not report: "+strings.Join(wrong, "; "), racelog.Text(reports))
		f.Notes = r.Notes
		return f
	}
	return r
}

// build builds the program in mode m.
func (p *program) build(ctx context.Context, m mode, src string) (bin string, o outcome) {
	bin = filepath.Join(p.h.work, p.slug()+"-"+m.String()+p.h.tc.GOEXE)
	// The Go project's own driver uses the same flags. Linking without debug information is
	// faster, and tracebacks do not need it.
	args := append([]string{"-ldflags=-s -w", "-o", bin}, p.flags...)
	if badPointers[p.name] {
		args = append(args, "-gcflags=-d=checkptr=0")
	}
	file, c := p.file(), command{dir: p.dir, env: p.env}
	if importsInternal.MatchString(src) {
		// Only a file inside GOROOT/src may import internal packages.
		c.dir = filepath.Join(p.h.tc.GOROOT, "src")
		c.env = append(c.env[:len(c.env):len(c.env)], p.h.overlayEnv()...)
		virtual := filepath.Join(c.dir, "taskinstr_selftest", p.slug(), filepath.Base(file))
		overlay, err := writeOverlay(bin+".json", map[string]string{virtual: file})
		if err != nil {
			return bin, outcome{status: err.Error()}
		}
		defer os.Remove(overlay)
		args, file = append(args, "-overlay="+overlay), virtual
	}
	args = append(args, file)
	for _, f := range p.files {
		args = append(args, filepath.Join(filepath.Dir(p.file()), f))
	}
	return bin, p.h.goTool(ctx, m, c, "build", args...)
}

var importsInternal = regexp.MustCompile(`(?m)^(?:import\s+)?\s*(?:[\w.]+\s+)?"internal/`)

// run runs a binary in the way of GOROOT/test's own driver. Reports go to files, and races
// do not change the exit status.
func (p *program) run(ctx context.Context, m mode, bin string) outcome {
	env := append([]string{}, p.env...)
	if m != plain {
		env = append(env, m.reportOptions(p.logPath())+" exitcode=0")
	}
	o := p.h.exec(ctx, command{args: append([]string{bin}, p.args...), dir: p.dir, env: env})
	// Some programs print the name of their binary, which differs between the modes.
	o.output = []byte(strings.ReplaceAll(string(o.output), filepath.Base(bin), "BINARY"))
	return o
}

func (p *program) logPath() string { return filepath.Join(p.h.work, "log-"+p.slug()) }

// reports reads and removes the reports of the last run.
func (p *program) reports() []racelog.Report { return racelog.Take(p.logPath()) }

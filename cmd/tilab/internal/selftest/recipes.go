package selftest

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"taskinstr/benchmarks/modules"
	"taskinstr/cmd/tilab/internal/racelog"
)

// recipePrefix is the prefix of the names of recipes of benchmarks/modules.
const recipePrefix = "recipes/"

func recipeNames() (names []string) {
	for _, r := range modules.Recipes {
		names = append(names, recipePrefix+r.Name)
	}
	return names
}

// moduleHost returns the host that fetches and builds modules.
func (h *harness) moduleHost() *modules.Host {
	return &modules.Host{Go: h.tc.goCommand(), Dir: h.work, Exec: func(ctx context.Context, dir string, args ...string) ([]byte, error) {
		o := h.exec(ctx, command{dir: dir, args: args, limit: h.limit + buildLimit})
		if !o.ok {
			return o.output, errors.New(o.status)
		}
		return o.output, nil
	}}
}

// runRecipes runs the named recipes one after the other.
func (h *harness) runRecipes(ctx context.Context, names []string, emit func(Result)) {
	host := h.moduleHost()
	name := func(r modules.Recipe) string { return recipePrefix + r.Name }
	inTurn(ctx, modules.Recipes, name, names, emit, func(r modules.Recipe) Result {
		return (&recipeCase{h: h, name: name(r)}).test(ctx, host, r)
	})
}

// A recipeCase is one recipe under test.
type recipeCase struct {
	h      *harness
	name   string
	source *modules.Source
}

// A recipeRun is the result of one run of a recipe's program.
type recipeRun struct {
	outcome
	reports []racelog.Report
}

func (c *recipeCase) fail(reason string, output []byte) Result {
	return c.h.fail("modules", c.name, reason, output)
}

// test builds the program in all modes and compares their runs.
func (c *recipeCase) test(ctx context.Context, host *modules.Host, r modules.Recipe) Result {
	var err error
	if c.source, err = host.Prepare(ctx, r); err != nil {
		return c.h.failWith("modules", c.name, err)
	}
	if !c.h.keep {
		defer c.source.Remove()
	}
	base, err := c.build(ctx, plain)
	if err != nil {
		return skip(c.name, "uninstrumented: "+firstLine([]byte(err.Error())))
	}
	program, err := c.build(ctx, c.h.mode)
	if err != nil {
		return c.h.failWith("modules", c.name, err)
	}
	want := c.run(ctx, plain, base)
	if !want.ok {
		return skip(c.name, "uninstrumented: "+want.status)
	}
	got := c.run(ctx, c.h.mode, program)
	var stock []recipeRun
	if c.h.stock && c.h.mode != race {
		if stock, err = c.stock(ctx, got); err != nil {
			return c.h.failWith("modules", c.name, err)
		}
	}
	result := c.judge(got, stock)
	result.Seconds = (want.wall + got.wall).Seconds()
	result.Columns = []Column{
		{"plain", seconds(want.wall)},
		{c.h.mode.String(), seconds(got.wall)},
		{"ratio", ratio(got.wall, want.wall)},
	}
	if len(stock) > 0 {
		result.Columns = append(result.Columns,
			Column{"-race", seconds(stock[0].wall)},
			Column{"-race ratio", ratio(stock[0].wall, want.wall)})
	}
	return result
}

// stock runs the program with go's own -race, several times while -race misses races of
// got.
func (c *recipeCase) stock(ctx context.Context, got recipeRun) (runs []recipeRun, err error) {
	p, err := c.build(ctx, race)
	if err != nil {
		return nil, err
	}
	for ctx.Err() == nil {
		runs = append(runs, c.run(ctx, race, p))
		if wrong, _ := racelog.Confirm(racelog.Pairs(got.reports, false), stockPairs(runs)); len(wrong) == 0 || len(runs) == stockRuns {
			break
		}
	}
	return runs, nil
}

// stockPairs joins the races of several runs.
func stockPairs(runs []recipeRun) (list []racelog.Pair) {
	for _, r := range runs {
		list = append(list, racelog.Pairs(r.reports, false)...)
	}
	return list
}

// judge compares a run of the tool under test with the runs of -race, of which there are
// none if -race cannot be built. The run must end with status 0 unless the program fails
// with -race as well, and must have no report that -race does not make.
func (c *recipeCase) judge(got recipeRun, stock []recipeRun) Result {
	wrong, notes := racelog.Confirm(racelog.Pairs(got.reports, false), stockPairs(stock))
	notes = append(notes, predictions(got.reports)...)
	r := Result{Name: c.name, Status: passed}
	switch {
	case len(wrong) > 0 && c.h.mode != race:
		why := "race that -race does not report: "
		if len(stock) == 0 {
			why = "races, not compared with -race: "
		}
		r = c.fail(why+strings.Join(wrong, "; "), racelog.Text(got.reports))
	case got.ok:
	case len(stock) > 0 && !stock[0].ok:
		r = skip(c.name, "fails with -race too: "+stock[0].status)
	default:
		r = c.fail(got.status, got.output)
	}
	r.Notes = notes
	return r
}

// build builds the program in mode m. For the tool under test it sets the build tag race,
// so that the program consists of the same files as with -race.
func (c *recipeCase) build(ctx context.Context, m mode) (modules.Program, error) {
	flags := m.buildFlags(c.h.toolexec)
	if m == taskinstr {
		flags = append(flags, "-tags=race")
	}
	return c.source.Build(ctx, m.String(), flags...)
}

// run runs the program once; reports go to files.
func (c *recipeCase) run(ctx context.Context, m mode, p modules.Program) recipeRun {
	log := filepath.Join(c.h.work, "log-"+m.String()+"-"+filepath.Base(c.name))
	o := c.h.exec(ctx, command{args: p.Args, dir: p.Dir, env: []string{m.reportOptions(log)}})
	return recipeRun{o, racelog.Take(log)}
}

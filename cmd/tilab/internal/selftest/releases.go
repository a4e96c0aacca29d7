package selftest

import (
	"context"
	"fmt"
	"time"

	"taskinstr/cmd/tilab/internal/releases"
)

// releasesSuite tests the tool on races of released modules.
var releasesSuite = suite{
	name:  "releases",
	about: "released modules with a known race, from the module proxy: reported as often as by -race before its fix, nothing after it",
	limit: time.Minute,
	list:  caseNames(releases.Races),
	run:   runReleases,
	table: true,
}

// caseNames returns the function that lists the cases of releases.
func caseNames(load func() ([]*releases.Release, error)) func(context.Context, *harness) ([]string, error) {
	return func(context.Context, *harness) (names []string, err error) {
		list, err := load()
		for _, c := range releases.Cases(list) {
			names = append(names, c.String())
		}
		return names, err
	}
}

// eachCase emits the results of the named cases. The cases run one after the other, since
// other processes change a program's schedules.
func (h *harness) eachCase(ctx context.Context, load func() ([]*releases.Release, error), names []string, emit func(Result), test func(releases.Case) Result) error {
	list, err := load()
	if err != nil {
		return err
	}
	inTurn(ctx, releases.Cases(list), releases.Case.String, names, emit, test)
	return nil
}

func runReleases(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	if h.mode == plain {
		return fmt.Errorf("-mode=%s: the suite expects reports", h.mode)
	}
	host := h.releaseHost()
	tool := func(m mode) releases.Tool { return releases.Tool{Name: m.String(), Flags: m.buildFlags(h.toolexec)} }
	var stock *releases.Tool
	if h.stock {
		t := tool(race)
		stock = &t
	}
	plan := releases.Plan{Runs: h.runs, Procs: h.procs}
	return h.eachCase(ctx, releases.Races, names, emit, func(c releases.Case) Result {
		res, err := host.Test(ctx, c, tool(h.mode), stock, plan)
		return h.releaseResult(c, res, err)
	})
}

// releaseHost has the resources of the cases of a suite of releases.
func (h *harness) releaseHost() *releases.Host {
	return &releases.Host{Host: h.moduleHost(), Exe: h.tc.GOEXE, Keep: h.keep, Run: func(ctx context.Context, dir string, env []string, args ...string) releases.Outcome {
		o := h.exec(ctx, command{args: args, dir: dir, env: env})
		return releases.Outcome{Output: o.output, OK: o.ok, Status: o.status}
	}}
}

func (h *harness) releaseResult(c releases.Case, res releases.Result, err error) Result {
	if err != nil {
		return h.failWith("releases", c.String(), err)
	}
	r := Result{Name: c.String(), Status: passed, Reason: res.Text}
	switch {
	case res.Undecided:
		r.Status = skipped
	case !res.OK:
		r = h.fail("releases", c.String(), res.Text, []byte(res.Evidence))
	}
	race := func(c releases.Count) int { return c.Race }
	if res.Stock != nil {
		r.Columns = append(r.Columns, Column{"-race", releases.Rates(res.Stock.Counts, race)})
	}
	r.Columns = append(r.Columns,
		Column{"race", releases.Rates(res.Ours.Counts, race)},
		Column{"predicted", releases.Rates(res.Ours.Counts, func(c releases.Count) int { return c.Predicted })})
	return r
}

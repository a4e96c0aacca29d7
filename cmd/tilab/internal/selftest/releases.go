package selftest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"taskinstr/cmd/tilab/internal/releases"
)

// releasesSuite tests the tool on races of released modules.
var releasesSuite = suite{
	name:  "releases",
	about: "released modules with a known race, from the module proxy: reported as often as by -race before its fix, nothing after it",
	limit: time.Minute,
	list:  listReleases,
	run:   runReleases,
	table: true,
}

func listReleases(ctx context.Context, h *harness) ([]string, error) {
	list, err := releases.Races()
	var names []string
	for _, c := range releases.Cases(list) {
		names = append(names, c.String())
	}
	return names, err
}

func runReleases(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	if h.mode == plain {
		return fmt.Errorf("-mode=%s: the suite expects reports", h.mode)
	}
	list, err := releases.Races()
	if err != nil {
		return err
	}
	host := h.releaseHost()
	tool := func(m mode) releases.Tool { return releases.Tool{Name: m.String(), Flags: m.buildFlags(h.toolexec)} }
	var stock *releases.Tool
	if h.stock {
		t := tool(race)
		stock = &t
	}
	plan := releases.Plan{Runs: h.runs, Procs: h.procs}
	// The cases run one after the other, since other processes change a program's schedules.
	for _, c := range releases.Cases(list) {
		if !slices.Contains(names, c.String()) || ctx.Err() != nil {
			continue
		}
		start := time.Now()
		res, err := host.Test(ctx, c, tool(h.mode), stock, plan)
		r := h.releaseResult(c, res, err)
		r.Seconds = time.Since(start).Seconds()
		emit(r)
	}
	return nil
}

// releaseHost has the resources of the cases of a suite of releases.
func (h *harness) releaseHost() *releases.Host {
	return &releases.Host{Host: h.moduleHost(), Exe: h.tc.GOEXE, Keep: h.keep, Run: h.runRelease}
}

func (h *harness) runRelease(ctx context.Context, dir string, env []string, args ...string) releases.Outcome {
	o := h.exec(ctx, command{args: args, dir: dir, env: env})
	return releases.Outcome{Output: o.output, OK: o.ok, Status: o.status}
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

package selftest

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/tilab/internal/releases"
)

// schedulesSuite tests explorations on defects of released modules.
var schedulesSuite = suite{
	name:  "schedules",
	about: "released modules with a known defect that depends on the schedule, from the module proxy: found by taskinstr test -explore before its fix, nothing after it",
	limit: time.Minute,
	list:  caseNames(releases.Schedules),
	run:   runSchedules,
	table: true,
}

const (
	// releaseSchedules is the default of -explore for the suite.
	releaseSchedules = 1000
	// blocked is the time after which a test of the suite counts as one without an end.
	blocked = 5 * time.Second
)

func runSchedules(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	tool, err := h.explorer()
	if err != nil {
		return err
	}
	host := h.releaseHost()
	n := cmp.Or(h.explore, releaseSchedules)
	plan := releases.Plan{Runs: h.runs, Procs: h.procs, Limit: blocked}
	return h.eachCase(ctx, releases.Schedules, names, emit, func(c releases.Case) Result {
		var stock *releases.Tool
		if h.stock && !c.Fixed {
			stock = &releases.Tool{Name: race.String(), Flags: race.buildFlags("")}
		}
		x, err := host.Explore(ctx, c, tool, n, stock, plan)
		return h.scheduleResult(c, x, err)
	})
}

// explorer returns the command line of taskinstr, the tool under test, with its flags.
func (h *harness) explorer() ([]string, error) {
	if h.mode != taskinstr {
		return nil, fmt.Errorf("-mode=%s: only taskinstr explores schedules", h.mode)
	}
	return gocmd.Fields(h.toolexec), nil
}

func (h *harness) scheduleResult(c releases.Case, x releases.Exploration, err error) Result {
	if err != nil {
		return h.failWith("schedules", c.String(), err)
	}
	r := Result{Name: c.String(), Status: passed, Reason: x.Text}
	if !x.OK {
		r = h.fail("schedules", c.String(), x.Text, []byte(x.Evidence))
	}
	stock, first, shown := "", "", fmt.Sprintf("0 of %d", x.Schedules)
	if x.Stock != nil {
		stock = releases.Rates(x.Stock.Counts, func(c releases.Count) int { return c.Shown })
	}
	if x.First > 0 {
		first, shown = fmt.Sprint(x.First), fmt.Sprintf("%d of %d", x.Shown, x.Schedules)
	}
	r.About = []Column{{"module", c.Module}, {"version", c.Version()}, {"defect", c.Kind}, {"the project on its fix", c.Source}}
	r.Columns = []Column{{"-race", stock}, {"first schedule", first}, {"shown by", shown}}
	return r
}

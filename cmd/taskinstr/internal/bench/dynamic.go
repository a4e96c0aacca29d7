package bench

import (
	"context"
	"fmt"
	"os"
	"time"
)

// countChecks fills in the numbers of checks that the benchmarks execute. It uses binaries
// built for this purpose, since counting slows them down. One run of a tenth of the
// iterations is enough, since it is not timed.
func (e *env) countChecks(ctx context.Context, r *Report, modes []mode, standard string, ts []*target, of map[*Benchmark]*target) error {
	for _, b := range r.Benchmarks {
		b.Counted = max(1, b.Iterations/10)
	}
	for _, m := range modes {
		if !m.checked {
			continue
		}
		exes := map[*target]string{}
		err := e.buildEach(ctx, m.counting(), standard, ts, func(t *target, exe string, _ time.Duration, err error) {
			if err != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("the checks that %s executes with %s are not counted: %v", t.path, m.name, err))
				return
			}
			exes[t] = exe
		})
		if err != nil {
			return err
		}
		for _, b := range r.Benchmarks {
			exe, s := exes[of[b]], b.Modes[m.name]
			if exe == "" || s.Failed != "" {
				continue
			}
			e.progress.Show("counting checks: %s %s", b.Name, m.name)
			run, err := e.once(ctx, of[b], b, exe, b.Counted)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("the checks of %s with %s are not counted: %v", b.Name, m.name, err))
				continue
			}
			n, alone := run.Counters[checksCounter], run.Counters[aloneCounter]
			s.Checks, s.Alone = &n, &alone
		}
		for _, exe := range exes {
			os.Remove(exe)
		}
	}
	return nil
}

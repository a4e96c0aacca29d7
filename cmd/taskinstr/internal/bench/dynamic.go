package bench

import (
	"context"
	"fmt"
	"os"
)

// countChecks fills in the numbers of checks that the benchmarks execute. It uses binaries
// built for this purpose, since counting slows them down. One run of a tenth of the
// iterations is enough, since it is not timed.
func (e *env) countChecks(ctx context.Context, r *Report, modes []mode, ts []*target, of map[*Benchmark]*target) error {
	for _, b := range r.Benchmarks {
		b.Counted = max(1, b.Iterations/10)
	}
	for _, m := range modes {
		if !m.checked {
			continue
		}
		for _, t := range ts {
			exe, _, err := e.compile(ctx, m.counting(), t)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err != nil {
				r.Notes = append(r.Notes, fmt.Sprintf("the checks that %s executes with %s are not counted: %v", t.path, m.name, err))
				continue
			}
			for _, b := range r.Benchmarks {
				s := b.Modes[m.name]
				if of[b] != t || s.Failed != "" {
					continue
				}
				e.progress.Show("counting checks: %s %s", b.Name, m.name)
				run, err := e.once(ctx, t, b, exe, b.Counted)
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
			os.Remove(exe)
		}
	}
	return nil
}

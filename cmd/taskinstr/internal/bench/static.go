package bench

import (
	"context"
	"fmt"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/lint"
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/optimize"
)

// countSites fills in the number of checks in the binaries.
func (e *env) countSites(ctx context.Context, r *Report, modes []mode, ts []*target) error {
	var sets []optimize.Set
	var names []string
	for _, m := range modes {
		if m.checked {
			sets, names = append(sets, m.set), append(names, m.name)
		}
	}
	if len(sets) == 0 {
		return nil
	}
	flags := e.opts.build
	if !e.opts.untagged {
		flags = gocmd.WithTagArgs(e.vars["GOFLAGS"], flags, option.RaceTag)
	}
	for _, t := range ts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		e.progress.Show("counting checks in %s", t.path)
		list, err := lint.CountTests(e.dir, flags, t.path, sets)
		if err != nil {
			r.Notes = append(r.Notes, fmt.Sprintf("the checks in %s are not counted: %v", t.path, err))
			continue
		}
		for i, c := range list {
			if b := t.result.Modes[names[i]]; b != nil {
				b.Static = &Static{c.Sites, c.Kept, c.Removed, c.Guarded}
			}
		}
	}
	return nil
}

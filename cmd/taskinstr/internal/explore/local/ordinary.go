package local

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// maxBeside bounds the runs that begin beside one that has not ended.
const maxBeside = 3

// An attempt is one of the runs by which ordinary learns how long a test takes.
type attempt struct {
	number  int
	begin   time.Time
	over    chan struct{} // closed when its time is over
	outcome *outcome
	err     error
}

// ordinary runs a test of whose time nothing is known, without a schedule. A run that has not ended after b.Patience may wait for ever, or
// the test takes long. So a further run begins beside it, up to maxBeside times. The first run that ends bounds the others: they may take
// batch.Slowdown times as long, and at least b.Patience. If none ends, each has b.Timeout. dir returns a folder for the files of a run.
func (r *Runner) ordinary(ctx context.Context, b *batch.Batch, dir func() (string, error)) (*batch.Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan *attempt)
	var list []*attempt
	start := func() error {
		name, err := dir()
		if err != nil {
			return err
		}
		a := &attempt{number: len(list), begin: time.Now(), over: make(chan struct{})}
		list = append(list, a)
		go func() {
			a.outcome, a.err = r.one(ctx, b, name, b.Seed, a.over)
			ended <- a
		}()
		return nil
	}
	err := start()
	if err != nil {
		return nil, err
	}
	result := &batch.Result{Batch: b.ID()}
	bounded := *b // with the limit that an ended run gives to the others
	var known *outcome
	further := time.NewTicker(b.Patience)
	defer further.Stop()
	for left := 1; left > 0; {
		select {
		case <-further.C:
			if known == nil && err == nil && len(list) <= maxBeside {
				if err = start(); err == nil {
					left++
				}
			}
		case a := <-ended:
			left--
			list[a.number] = nil
			if a.err != nil {
				err = cmp.Or(err, a.err)
				cancel() // the other runs
				continue
			}
			one := a.outcome.result(&bounded)
			if a.outcome.timeout && known != nil {
				for _, f := range one.Findings {
					if f.Kind == batch.Timeout {
						f.Title += fmt.Sprintf("; another run took %v", known.elapsed.Round(time.Millisecond))
					}
				}
			}
			result.Merge(one)
			if known != nil || a.outcome.timeout {
				continue
			}
			known = a.outcome
			bounded.Timeout = min(b.Timeout, max(b.Patience, batch.Slowdown*known.elapsed))
			for _, other := range list {
				if other != nil {
					time.AfterFunc(time.Until(other.begin.Add(bounded.Timeout)), func() { close(other.over) })
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	if known != nil {
		result.Elapsed = known.elapsed
	}
	return result, nil
}

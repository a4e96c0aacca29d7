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
	t := &attempts{bounded: *b, result: &batch.Result{Batch: b.ID()}}
	start := func() error {
		name, err := dir()
		if err != nil {
			return err
		}
		a := &attempt{number: len(t.list), begin: time.Now(), over: make(chan struct{})}
		t.list = append(t.list, a)
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
	further := time.NewTicker(b.Patience)
	defer further.Stop()
	for left := 1; left > 0; {
		select {
		case <-further.C:
			if t.known == nil && err == nil && len(t.list) <= maxBeside {
				if err = start(); err == nil {
					left++
				}
			}
		case a := <-ended:
			left--
			t.list[a.number] = nil
			if a.err != nil {
				err = cmp.Or(err, a.err)
				cancel() // the other runs
				continue
			}
			t.add(a.outcome)
		}
	}
	if err != nil {
		return nil, err
	}
	if t.known != nil {
		t.result.Elapsed = t.known.elapsed
	}
	return t.result, nil
}

// attempts are the runs by which ordinary learns how long a test takes.
type attempts struct {
	list    []*attempt  // nil: the run has ended
	bounded batch.Batch // with the limit that an ended run gives to the others
	known   *outcome    // of the first run that ended in its time
	result  *batch.Result
}

// add adds the outcome of a run to the result. The first run that ends in its time bounds the others.
func (t *attempts) add(o *outcome) {
	one := o.result(&t.bounded)
	if o.timeout && t.known != nil {
		for _, f := range one.Findings {
			if f.Kind == batch.Timeout {
				f.Title += fmt.Sprintf("; another run took %v", t.known.elapsed.Round(time.Millisecond))
			}
		}
	}
	t.result.Merge(one)
	if t.known != nil || o.timeout {
		return
	}
	t.known = o
	t.bounded.Timeout = min(t.bounded.Timeout, max(t.bounded.Patience, batch.Slowdown*o.elapsed))
	for _, other := range t.list {
		if other != nil {
			time.AfterFunc(time.Until(other.begin.Add(t.bounded.Timeout)), func() { close(other.over) })
		}
	}
}

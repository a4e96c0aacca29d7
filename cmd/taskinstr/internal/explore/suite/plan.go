package suite

import (
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
)

// A unit is what one schedule runs: a test, or all tests of a package.
type unit struct {
	target *target
	test   string // "": all
	run    string // -test.run

	result   batch.Result // of all schedules so far
	cover    coverage
	planned  int                   // schedules in batches that were handed out
	batches  int                   // those batches
	ordinary map[string]batch.Kind // the findings of a run without a schedule, by fingerprint
	elapsed  time.Duration         // of that run, 0 if it did not end
	counts   string                // a record, see batch.Batch
	access   []string              // sites whose accesses have points, see access.go
	ready    bool                  // that run is over
	timeouts int

	first   string // the graph of the first schedule
	again   string // the graph of a second run of it
	checked bool   // the second run was handed out
	slow    bool   // a run without a schedule takes too much of the budget
	stacks  string // a file with the stacks of that run, "" for none
	stopped string // why there are no further schedules, "" if there may be

	failures int    // batches that no worker could run
	counted  []span // with workers, the seeds whose schedules were counted, in order
	holes    []span // seeds between those that an earlier command has counted
}

const (
	// batchSize is the number of schedules in a batch. Small batches give each test some
	// schedules early; the first one is smaller still.
	batchSize  = 10
	firstBatch = 1

	// endless is the number of schedules without an end after which a test is given up.
	endless = 3

	// leastLimit is the least limit of the time of a schedule.
	leastLimit = 10 * time.Second

	// Limits of the time of a run without a schedule. Without a budget a run has the go command's limit, or a shorter one after
	// another run of the test (batch.Batch.Patience). With a budget, a test that takes more than a tenth of it would take the time of the others.
	ordinaryLimit = 10 * time.Minute
	slowShare     = 10
	leastShare    = time.Second
)

// batch returns a batch of n schedules from the k-th on; with an empty strategy it runs the
// test once without a schedule.
func (u *unit) batch(o *options, strategy string, k, n int) *batch.Batch {
	b := &batch.Batch{Binary: u.target.digest, Package: u.target.path, Test: u.test, Run: u.run, Args: o.args,
		Strategy: strategy, Seed: o.seed + uint64(k), Count: n, Counts: u.counts, Timeout: u.limit(o)}
	if strategy == "" {
		b.Seed = 0
		if o.timeout == 0 && o.budget == 0 {
			b.Patience = leastLimit
		}
	}
	if o.skip != "" {
		b.Args = append([]string{"-test.skip=" + o.skip}, b.Args...)
	}
	var words []string
	if o.baseline != "" {
		words = append(words, "baseline="+o.baseline)
	}
	if o.leaks {
		words = append(words, local.LeakOptions)
	}
	if sites := u.sites(o); sites != "" && strategy != "" {
		words = append(words, "access="+sites)
	}
	b.Options = strings.Join(words, " ")
	return b
}

// limit returns the time that a schedule may take.
func (u *unit) limit(o *options) time.Duration {
	const unlimited = 24 * time.Hour
	switch {
	case o.timeout > 0:
		return o.timeout
	case !u.ready && o.budget > 0:
		return max(o.budget/slowShare, leastShare)
	case !u.ready:
		return ordinaryLimit
	}
	return min(max(leastLimit, batch.Slowdown*u.elapsed), unlimited)
}

// next returns the batch to run next: one of the test with the fewest schedules. It returns nil
// if no test may have more of them. A test whose run without a schedule is not over waits.
func next(o *options, units []*unit) (*unit, *batch.Batch) {
	var least *unit
	for _, u := range units {
		if u.stopped == "" && u.ready && (o.count == 0 || u.planned < o.count || len(u.holes) > 0) && (least == nil || u.planned < least.planned) {
			least = u
		}
	}
	if least == nil {
		return nil, nil
	}
	if least.first != "" && !least.checked {
		least.checked = true
		b := least.batch(o, o.strategies[0], 0, 1)
		b.Counts = "" // as in the first run
		return least, b
	}
	k, n := least.piece(o, least.size(o))
	strategy := o.strategies[least.batches%len(o.strategies)]
	least.batches++
	return least, least.batch(o, strategy, k, n)
}

// controlled reports whether the same schedule, run twice, has led to the same graph. If not, the
// test depends on something that no schedule determines.
func (u *unit) controlled() bool { return u.again == "" || u.first == u.again }

// repeats reports whether a batch is the second run of the first schedule, or asks for the same.
func (u *unit) repeats(o *options, b *batch.Batch) bool {
	return u.checked && b.Strategy != "" && b.Seed == o.seed && b.Count == 1
}

// judge stops the unit if further schedules are not worth their time.
func (u *unit) judge(o *options) {
	switch {
	case u.stopped != "":
	case u.timeouts >= endless:
		u.stopped = "it does not end"
	case u.cover.saturated():
		u.stopped = "nothing new"
	case o.count > 0 && u.result.Runs >= o.count:
		u.stopped = "all schedules"
	}
}

package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/cmd/taskinstr/internal/explore/schedulefile"
)

// A found is a finding with what became of it.
type found struct {
	*batch.Finding
	unit       *unit
	batch      batch.Batch // that showed it
	taken      bool        // its schedule is being shortened, or is as short as it gets
	ordinary   batch.Kind  // what a run without a schedule shows of it, "" for nothing
	file       string      // its schedule, "" without one
	first      int         // switches of the schedule that showed it first
	replays    int         // the number of replays that were made of the schedule
	reproduced int         // those that showed the finding again
	note       string      // of a predicted race: whether it was confirmed
	runs       int         // the number of schedules that showed it
	earliest   uint64      // the number of the first one of these, from 1 on; 0 without one
}

// A session is an exploration.
type session struct {
	options *options
	units   []*unit
	dir     string // of artifacts
	start   time.Time
	budget  context.Context // done when the time is over

	mu         sync.Mutex
	changed    *sync.Cond
	busy       int     // workers that do something
	ordinary   []*unit // tests that are still to run without a schedule
	founds     []*found
	open       []*found // those whose schedules are to be shortened
	shortening int      // workers that shorten one
	err        error
	event      func(kind string, u *unit, f *found) // called with mu held

	farm        *farm // nil: batches run in processes of this machine
	finishing   int   // with a farm, schedules that are being shortened, on this machine
	interrupted <-chan struct{}
	note        func(line string) // a line for the user; called with mu held
	foreign     int               // outcomes of another exploration
	goesOn      bool              // the user knows that there are earlier results
	failed      bool              // the tests of a package do not build, or a batch could not be run
}

// Events.
const (
	eventRan      = "ran"      // a batch has ended
	eventFound    = "found"    // a finding is new
	eventShortens = "shortens" // its schedule is being shortened
	eventFinished = "finished" // its schedule is as short as it gets
	eventStopped  = "stopped"  // a test gets no further schedules
	eventTick     = "tick"     // a second has passed
)

// verifications is the number of replays by which a schedule is checked.
const verifications = 5

// exploring is the share of a budget after which the schedules of findings are shortened. What
// that leaves of the budget goes to further schedules.
const exploring = 0.8

// begin makes the session ready for results.
func (s *session) begin() {
	s.start = time.Now()
	s.changed = sync.NewCond(&s.mu)
}

// explore runs all batches. It returns when nothing is left to do or ctx or the budget is done.
func (s *session) explore(ctx context.Context) error {
	s.begin()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s.budget = ctx
	if s.options.budget > 0 {
		var cancel context.CancelFunc
		s.budget, cancel = context.WithTimeout(ctx, s.options.budget)
		defer cancel()
	}
	// A worker that waits for another one must see that there is no time left.
	defer context.AfterFunc(s.budget, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})()
	s.interrupted = ctx.Done()
	s.absorb()
	s.ordinary = slices.DeleteFunc(slices.Clone(s.units), func(u *unit) bool { return u.ready })
	defer s.tick()()
	var wg sync.WaitGroup
	over := make(chan struct{})
	end := sync.OnceFunc(func() { close(over) })
	worker := func() {
		defer end() // nothing is left to do for the others either
		for work := s.take(); work != nil; work = s.take() {
			err := work()
			s.mu.Lock()
			s.busy--
			if err != nil && s.err == nil && !errors.Is(err, context.Canceled) {
				s.err = err
				stop()
			}
			s.changed.Broadcast()
			s.mu.Unlock()
			s.absorb()
		}
	}
	wg.Go(func() { s.widen(over, func() { wg.Go(worker) }) })
	wg.Wait()
	return s.err
}

// tick makes an event each second until stop is called, since a schedule, or a test without one, may take minutes.
func (s *session) tick() (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.mu.Lock()
				s.event(eventTick, nil, nil)
				s.mu.Unlock()
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
	}
}

// take returns what a worker does next, nil if there is nothing. It waits while another worker
// may find something to do.
func (s *session) take() (work func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.budget.Err() == nil && s.err == nil {
		if work := s.next(); work != nil {
			s.busy++
			return work
		}
		if s.busy == 0 {
			break
		}
		s.changed.Wait()
	}
	return nil
}

// next returns what to do next, nil if there is nothing at present.
func (s *session) next() func() error {
	if s.farm != nil && len(s.open) > 0 && s.finishing < s.options.workers {
		return s.finishHere()
	}
	// The run of a test without a schedule comes first, because it tells how long the test takes,
	// and its first schedules before the next test, because there may be no time for all tests.
	fresh := slices.ContainsFunc(s.units, func(u *unit) bool { return u.ready && u.planned == 0 && u.stopped == "" })
	if len(s.ordinary) > 0 && !fresh {
		u := s.ordinary[0]
		s.ordinary = s.ordinary[1:]
		return func() error { return s.run(u, u.batch(s.options, "", 0, 1)) }
	}
	late := s.options.budget > 0 && time.Since(s.start).Seconds() > exploring*s.options.budget.Seconds()
	if len(s.open) == 0 || !late || s.farm != nil {
		if u, b := next(s.options, s.units); u != nil {
			return func() error { return s.run(u, b) }
		}
	}
	if len(s.open) > 0 && s.farm == nil && (late || s.waiting() == 0) {
		x := s.open[0]
		s.open = s.open[1:]
		return func() error { return s.finish(x) }
	}
	return nil
}

// waiting returns the number of tests whose run without a schedule is not over.
func (s *session) waiting() (n int) {
	for _, u := range s.units {
		if !u.ready {
			n++
		}
	}
	return n
}

// run runs a batch of schedules of a test and adds its result.
func (s *session) run(u *unit, b *batch.Batch) error {
	r, err := s.carryOut(u, b)
	if err != nil {
		return fmt.Errorf("%s: %w", u.target.path, err)
	}
	s.record(u, b, r)
	return nil
}

func (s *session) record(u *unit, b *batch.Batch, r *batch.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.Strategy == "" {
		s.recordOrdinary(u, b, r)
		return
	}
	if b.Seed == s.options.seed && b.Count == 1 {
		for hash := range r.Graphs {
			if u.checked {
				u.again = hash
			} else {
				u.first = hash
			}
		}
		if u.checked {
			return // the schedule was counted when it ran first
		}
	}
	u.result.Runs += r.Runs
	u.result.Elapsed += r.Elapsed
	u.cover.add(r.Graphs, r.Goroutines)
	if u.counts == "" {
		u.counts = r.Record
		u.cover.least = u.least(s.options)
	}
	for _, f := range r.Findings {
		if f.Kind == batch.Timeout {
			u.timeouts += f.Runs
		}
		x := s.find(f.Fingerprint)
		if x == nil {
			x = s.add(u, f, b)
		}
		if f.First > s.options.seed {
			x.earliest = batch.Earliest(x.Kind, x.earliest, f.Kind, f.First-s.options.seed)
		}
		if x.Schedule == "" || x.Kind == f.Kind && f.Schedule != "" && f.Switches < x.Switches && !x.taken || x.Kind == batch.Predicted && f.Kind == batch.Race {
			s.better(x, f, b)
		}
		x.runs += f.Runs
	}
	was := u.stopped
	u.judge(s.options)
	s.event(eventRan, u, nil)
	if was == "" && u.stopped != "" {
		s.event(eventStopped, u, nil)
	}
}

// recordOrdinary adds the result of a test's run without a schedule. s.mu is held.
func (s *session) recordOrdinary(u *unit, b *batch.Batch, r *batch.Result) {
	u.ordinary = map[string]batch.Kind{}
	u.elapsed, u.ready = r.Elapsed, true
	for _, f := range r.Findings {
		if f.Kind == batch.Timeout && s.options.budget > 0 && s.options.timeout == 0 {
			u.slow, u.stopped = true, "too slow"
			s.keepStacks(u, f)
			s.event(eventStopped, u, nil)
			continue
		}
		if f.Kind == batch.Timeout && f.Runs == r.Runs {
			u.elapsed = 0 // no run has ended that tells how long a schedule may take
		}
		u.ordinary[f.Fingerprint] = f.Kind
		u.suspect(f)
		if s.find(f.Fingerprint) == nil {
			s.add(u, f, b)
		}
	}
}

func (s *session) find(print string) *found {
	i := slices.IndexFunc(s.founds, func(x *found) bool { return x.Fingerprint == print })
	if i < 0 {
		return nil
	}
	return s.founds[i]
}

func (s *session) add(u *unit, f *batch.Finding, b *batch.Batch) *found {
	x := &found{Finding: f, unit: u, batch: *b, ordinary: u.ordinary[f.Fingerprint], first: f.Switches}
	s.founds = append(s.founds, x)
	s.event(eventFound, u, x)
	if f.Schedule != "" {
		s.open = append(s.open, x)
	}
	s.keep(x) // the exploration may be interrupted
	return x
}

// better replaces the finding x by f, the same finding with a better schedule.
func (s *session) better(x *found, f *batch.Finding, b *batch.Batch) {
	if x.Schedule == "" || x.Kind != f.Kind {
		x.first = f.Switches
	}
	if x.Kind == batch.Predicted && f.Kind == batch.Race {
		x.note = "predicted first, and then confirmed: it has happened"
	}
	x.Finding, x.batch = f, *b
	if x.taken = false; !slices.Contains(s.open, x) {
		s.open = append(s.open, x)
	}
	s.keep(x)
}

// finish looks for a schedule that confirms a prediction, and for a shorter schedule.
func (s *session) finish(x *found) error {
	s.mu.Lock()
	x.taken = true
	if x.Kind == batch.Timeout {
		s.mu.Unlock()
		return nil // a replay takes as long as the schedule may take
	}
	s.shortening++
	s.event(eventShortens, x.unit, x)
	f, b, runner := x.Finding, x.batch, x.unit.target.runner
	s.mu.Unlock()
	note := ""
	if f.Kind == batch.Predicted && s.options.confirm {
		var race *batch.Finding
		if race, b, note = confirm(s.budget, runner, x.unit, s.options, f, b); race != nil {
			s.mu.Lock()
			x.Finding, x.batch = race, b
			s.keep(x)
			s.mu.Unlock()
			f = race
		}
	}
	best := shrink(s.budget, runner, b, f)
	n := reproduced(s.budget, runner, b, best, verifications)
	if n < verifications && best != f {
		if again := reproduced(s.budget, runner, b, f, verifications); again > n {
			best, n = f, again
		}
	}
	over := s.budget.Err() != nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shortening--
	if !x.taken {
		return nil // there is a better schedule meanwhile, which waits for its turn
	}
	if best != f {
		best.Strategy, best.Seed = f.Strategy, f.Seed
		best.Schedule = named(best.Schedule, fmt.Sprintf("%s:%d, shortened", f.Strategy, f.Seed))
	}
	x.Finding, x.batch = best, b
	if note != "" {
		x.note = note
	}
	if !over {
		x.replays, x.reproduced = verifications, n
	}
	s.keep(x)
	s.event(eventFinished, x.unit, x)
	return nil
}

// named returns a record with another line about its strategy, which a replay ignores.
func named(record, strategy string) string {
	const word = "\nstrategy "
	before, rest, ok := strings.Cut(record, word)
	_, after, _ := strings.Cut(rest, "\n")
	if !ok {
		return record
	}
	return before + word + strategy + "\n" + after
}

// keep writes the schedule, if there is one, and the text of a finding to the artifacts, and the report of a race
// as JSON.
func (s *session) keep(x *found) {
	var err error
	if x.Schedule != "" {
		x.file = filepath.Join(s.dir, x.Fingerprint+".schedule")
		err = s.schedule(x).Write(x.file)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, x.Fingerprint+".txt"), []byte(x.Text), 0o644)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, x.Fingerprint+".json"), append(x.object(), '\n'), 0o644)
	}
	if err != nil && s.err == nil {
		s.err = err
	}
}

func (s *session) schedule(x *found) *schedulefile.File {
	u, b := x.unit, &x.batch
	exe, err := filepath.Rel(s.dir, u.target.exe)
	if err != nil {
		exe = u.target.exe
	}
	return &schedulefile.File{Kind: string(x.Kind), Fingerprint: x.Fingerprint, Title: x.Title, Package: b.Package, Test: b.Test, Run: b.Run, Args: b.Args,
		Build: s.options.build, Options: b.Options, Binary: b.Binary, Exe: exe, Dir: u.target.dir, Record: x.Schedule}
}

// keepStacks writes the stacks of a test that is left out, as they were when it was ended.
func (s *session) keepStacks(u *unit, f *batch.Finding) {
	name := filepath.Join(s.dir, f.Fingerprint+".txt")
	if err := os.WriteFile(name, []byte(f.Text), 0o644); err == nil {
		u.stacks = name
	}
}

// runs returns the number of schedules that have run.
func (s *session) runs() (n int) {
	for _, u := range s.units {
		n += u.result.Runs
	}
	return n
}

// prepare makes the units of the targets.
func (s *session) prepare(ctx context.Context, targets []*target, scratch string) error {
	for _, t := range targets {
		if t.exe == "" || t.digest == "" {
			continue
		}
		t.runner = &local.Runner{Exe: t.exe, Digest: t.digest, Dir: t.dir, Scratch: scratch}
		if s.options.whole {
			s.units = append(s.units, &unit{target: t, run: s.options.run})
			continue
		}
		if err := t.list(ctx, s.options); err != nil {
			return err
		}
		for _, name := range t.tests {
			s.units = append(s.units, &unit{target: t, test: name, run: only(name, s.options.run)})
		}
	}
	return nil
}

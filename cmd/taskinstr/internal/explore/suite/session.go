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
	ordinary   bool   // a run without a schedule shows it, too
	file       string // its schedule, "" without one
	first      int    // switches of the schedule that showed it first
	replays    int    // the number of replays that were made of the schedule
	reproduced int    // those that showed the finding again
	note       string // of a predicted race: whether it was confirmed
	runs       int    // the number of schedules that showed it
}

// A session is an exploration.
type session struct {
	options *options
	units   []*unit
	dir     string // of artifacts
	start   time.Time
	budget  context.Context // done when the time is over

	mu      sync.Mutex
	changed *sync.Cond
	busy    int // workers with a batch
	founds  []*found
	err     error
	event   func(kind string, u *unit, f *found) // called with mu held

	farm        *farm // nil: batches run in processes of this machine
	interrupted <-chan struct{}
	note        func(line string) // a line for the user; called with mu held
	foreign     int               // outcomes of another exploration
	failed      bool              // a batch could not be run
}

// Events.
const (
	eventRan      = "ran"      // a batch has ended
	eventFound    = "found"    // a finding is new
	eventFinished = "finished" // its schedule is as short as it gets
	eventStopped  = "stopped"  // a test gets no further schedules
)

// verifications is the number of replays by which a schedule is checked.
const verifications = 5

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
	// A batch that waits for another one must see that there is no time left.
	defer context.AfterFunc(s.budget, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})()
	s.interrupted = ctx.Done()
	s.absorb()
	ordinary := slices.DeleteFunc(slices.Clone(s.units), func(u *unit) bool { return u.ready })
	var wg sync.WaitGroup
	over := make(chan struct{})
	end := sync.OnceFunc(func() { close(over) })
	wg.Go(func() {
		s.widen(over, func() {
			wg.Go(func() {
				defer end() // nothing is left to do for the others either
				for {
					u, b := s.take(&ordinary)
					if u == nil {
						return
					}
					r, err := s.run(u, b)
					s.done(u, b, r, err)
					if err != nil {
						stop()
						return
					}
					s.absorb()
				}
			})
		})
	})
	wg.Wait()
	return s.err
}

// take returns the next batch, nil if there is none. It waits while a batch that is running may
// decide that there is one.
func (s *session) take(ordinary *[]*unit) (*unit, *batch.Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.budget.Err() == nil && s.err == nil {
		// Runs without a schedule come first, because they tell how long a test takes.
		if list := *ordinary; len(list) > 0 {
			u := list[0]
			*ordinary = list[1:]
			s.busy++
			return u, u.batch(s.options, "", 0, 1)
		}
		if u, b := next(s.options, s.units); u != nil {
			s.busy++
			return u, b
		}
		if s.busy == 0 {
			break
		}
		s.changed.Wait()
	}
	s.changed.Broadcast()
	return nil, nil
}

// done adds the result of a batch, and looks for shorter schedules of what is new.
func (s *session) done(u *unit, b *batch.Batch, r *batch.Result, err error) {
	s.mu.Lock()
	defer func() {
		s.busy--
		s.changed.Broadcast()
		s.mu.Unlock()
	}()
	if err != nil {
		if s.err == nil && !errors.Is(err, context.Canceled) {
			s.err = fmt.Errorf("%s: %w", u.target.path, err)
		}
		return
	}
	if b.Strategy == "" {
		u.ordinary = map[string]bool{}
		u.elapsed, u.ready = r.Elapsed, true
		for _, f := range r.Findings {
			u.ordinary[f.Fingerprint] = true
			if s.find(f.Fingerprint) == nil {
				c := *f
				c.Schedule = ""
				s.add(u, &c)
			}
		}
		return
	}
	u.result.Runs += r.Runs
	u.result.Elapsed += r.Elapsed
	u.cover.add(r.Graphs)
	var fresh []*found
	for _, f := range r.Findings {
		if f.Kind == batch.Timeout {
			u.timeouts += f.Runs
		}
		x := s.find(f.Fingerprint)
		switch {
		case x == nil:
			fresh = append(fresh, s.add(u, f))
		case x.Schedule == "", x.Kind == batch.Predicted && f.Kind == batch.Race:
			confirmed := x.Kind == batch.Predicted && x.Schedule != ""
			x.Finding, x.unit, x.first = f, u, f.Switches
			if confirmed {
				x.note = "confirmed: it was predicted first, and then happened"
			}
			fresh = append(fresh, x)
		}
		x = s.find(f.Fingerprint)
		x.runs += f.Runs
	}
	was := u.stopped
	u.judge(s.options)
	s.event(eventRan, u, nil)
	if was == "" && u.stopped != "" {
		s.event(eventStopped, u, nil)
	}
	for _, x := range fresh {
		s.finish(x, b)
	}
}

// find returns the finding with a fingerprint.
func (s *session) find(print string) *found {
	i := slices.IndexFunc(s.founds, func(x *found) bool { return x.Fingerprint == print })
	if i < 0 {
		return nil
	}
	return s.founds[i]
}

func (s *session) add(u *unit, f *batch.Finding) *found {
	x := &found{Finding: f, unit: u, ordinary: u.ordinary[f.Fingerprint], first: f.Switches}
	s.founds = append(s.founds, x)
	s.event(eventFound, u, x)
	return x
}

// finish shortens the schedule of a finding of a batch and stores it. It is called with s.mu held,
// and gives it up meanwhile.
func (s *session) finish(x *found, b *batch.Batch) {
	f, u := x.Finding, x.unit
	if f.Schedule == "" {
		return
	}
	s.keep(x) // what follows may be interrupted
	s.mu.Unlock()
	best, n := f, 0
	if f.Kind != batch.Timeout {
		best = shrink(s.budget, u.target.runner, *b, f)
		n = reproduced(s.budget, u.target.runner, *b, best, verifications)
		if n < verifications && best != f {
			if again := reproduced(s.budget, u.target.runner, *b, f, verifications); again > n {
				best, n = f, again
			}
		}
	}
	over := s.budget.Err() != nil
	s.mu.Lock()
	if x.Finding != f {
		return // the race that f has predicted has happened meanwhile
	}
	best.Strategy, best.Seed = f.Strategy, f.Seed
	best.Schedule = named(best.Schedule, fmt.Sprintf("%s:%d, shortened", f.Strategy, f.Seed))
	x.Finding = best
	if f.Kind != batch.Timeout && !over {
		x.replays, x.reproduced = verifications, n
	}
	s.keep(x)
	s.event(eventFinished, u, x)
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

// keep writes the schedule and the text of a finding to the artifacts.
func (s *session) keep(x *found) {
	u := x.unit
	x.file = filepath.Join(s.dir, x.Fingerprint+".schedule")
	b := u.batch(s.options, "", 0, 1)
	exe, err := filepath.Rel(s.dir, u.target.exe)
	if err != nil {
		exe = u.target.exe
	}
	file := &schedulefile.File{Kind: string(x.Kind), Fingerprint: x.Fingerprint, Title: x.Title, Package: b.Package, Test: b.Test, Run: b.Run, Args: b.Args,
		Build: s.options.build, Options: b.Options, Binary: b.Binary, Exe: exe, Dir: u.target.dir, Record: x.Schedule}
	err = file.Write(x.file)
	if err == nil {
		err = os.WriteFile(filepath.Join(s.dir, x.Fingerprint+".txt"), []byte(x.Text), 0o644)
	}
	if err != nil && s.err == nil {
		s.err = err
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

package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/detect"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/offline/zipper"
	"taskinstr/detector/offline/zipper/orders/recorded"
	"taskinstr/detector/schedule/dfs"
	"taskinstr/detector/trace"
	"taskinstr/detector/trace/report"
)

// A session is one exploration.
type session struct {
	options  *options
	program  *program
	progress *terminal.Progress
	note     func(format string, args ...any)
	found    func(*finding) error // called once for each race

	explorer *dfs.Explorer
	orders   int
	complete bool
	reason   string // why it is not complete
	races    map[raceKey]bool
	counted  map[event.Tier]int
	outside  map[string]map[string]*counted // by detector: the kinds of events outside of its model
	packages string                         // the packages that are checked, if not all are
	every    bool
	failed   *recorded.Run // the run that ended the exploration by failing
}

type raceKey struct {
	tier        event.Tier
	fingerprint uint64
}

// counted is a kind of event that is outside of a model.
type counted struct {
	n      int64
	places []string
}

// A finding is a race with the run that has it.
type finding struct {
	*report.Race
	symbols *trace.Symbols
	run     *recorded.Run
	number  int // of the races so far
}

func newSession(o *options, p *program) *session {
	return &session{options: o, program: p, every: o.every, races: map[raceKey]bool{}, counted: map[event.Tier]int{}, outside: map[string]map[string]*counted{}, explorer: &dfs.Explorer{}}
}

// explore runs the program until all orders have been seen, a race was found, or a limit
// is met. Its error is a *failure if a run failed.
func (s *session) explore(ctx context.Context) error {
	for {
		prefix, ok := s.explorer.Next()
		if !ok {
			s.complete = true
			return nil
		}
		if s.options.maxRuns > 0 && s.program.runs >= s.options.maxRuns {
			s.reason = fmt.Sprintf("the limit of %d runs was met (-max-runs)", s.options.maxRuns)
			return nil
		}
		s.show()
		run, err := s.program.run(ctx, prefix)
		if failed := (*failure)(nil); errors.As(err, &failed) && run != nil {
			// The part of the run before the failure may have a race that explains it.
			races := s.counted[event.TierRace]
			if err := s.analyse(ctx, run); err != nil {
				return err
			}
			if s.counted[event.TierRace] > races {
				s.reason = fmt.Sprintf("run %d %s", failed.run, failed.what)
				return nil
			}
			s.failed = run
			return err
		}
		if ctx.Err() != nil {
			s.reason = "it was interrupted"
			return nil
		}
		if err != nil {
			return err
		}
		orders := s.explorer.Orders
		if err := s.explorer.Done(run.Record.Choices); err != nil {
			return fmt.Errorf("the program depends on something beside its schedule and its input: %w", err)
		}
		if s.explorer.Orders == orders {
			continue // it continues like a run that was seen
		}
		s.orders++
		if err := s.analyse(ctx, run); err != nil {
			return err
		}
		if s.counted[event.TierRace] > 0 && !s.options.all {
			s.reason = "the first race was found (-all goes on)"
			return nil
		}
	}
}

func (s *session) show() {
	s.progress.Show("run %d, %d orders so far", s.program.runs+1, s.orders)
}

// analyse runs the detectors on the last run.
func (s *session) analyse(ctx context.Context, run *recorded.Run) error {
	results, err := s.detect()
	if err != nil {
		return err
	}
	found, err := s.report(run, results)
	if err != nil {
		return err
	}
	s.take(run, results)
	if found || !s.hides() {
		return nil
	}
	order, hidden, err := run.Hidden()
	if err != nil || !hidden {
		return err
	}
	return s.confirm(ctx, run, order)
}

// hides reports whether the order of sections that commute may hide a race. It may for the
// detectors of graphs, unless these orders are run, too.
func (s *session) hides() bool {
	return !s.every && slices.ContainsFunc(s.options.detectors, isGraph)
}

func isGraph(c suite.Choice) bool {
	return c.Spec.Name == zipper.Spec.Name || c.Spec.Name == graph.Spec.Name
}

// confirm runs the program in an order that has a race, and reports that race.
func (s *session) confirm(ctx context.Context, run *recorded.Run, order []string) error {
	defer func(last *dfs.Record) { s.program.last = last }(s.program.last)
	_, err := dfs.Follow(order, run.Record.Choices, func(prefix []string) ([]dfs.Choice, error) {
		s.show()
		var err error
		failed := (*failure)(nil) // a race may make it fail
		if run, err = s.program.run(ctx, prefix); err != nil && (run == nil || !errors.As(err, &failed)) {
			return nil, err
		}
		return run.Record.Choices, nil
	})
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("an order of sections that commute has a race, and could not be run: %w", err)
	}
	results, err := s.detect()
	if err != nil {
		return err
	}
	races := false
	for _, r := range results {
		n, _, _ := r.Count()
		races = races || n > 0
	}
	if !races {
		return fmt.Errorf("an order of sections that commute should have a race and has none: the program depends on something beside its schedule and its input")
	}
	_, err = s.report(run, results)
	return err
}

// detect runs the detectors on the trace of the last run. The detector of whole graphs
// replaces zipper where it understands more, unless the command line names zipper.
func (s *session) detect() ([]*suite.Result, error) {
	open := s.program.trace()
	results, err := suite.Run(open, s.options.detectors)
	if err != nil || !s.options.standard || len(results[0].Outside) == 0 {
		return results, err
	}
	wider, err := suite.Parse(graph.Spec.Name)
	if err != nil {
		return nil, err
	}
	other, err := suite.Run(open, wider)
	if err != nil || len(other[0].Outside) >= len(results[0].Outside) {
		return results, err
	}
	_, symbols, _, err := detect.Races(open, results)
	if err != nil {
		return nil, err
	}
	o := results[0].Outside[0]
	at := symbols.Position(o.Site, o.Stack)
	if at != "" {
		at = " at " + at
	}
	s.note("more than %s understands: %s%s; detector %s looks at the executions", zipper.Spec.Name, o.Kind, at, graph.Spec.Name)
	s.options.detectors, s.options.standard = wider, false
	delete(s.outside, zipper.Spec.Name)
	return other, nil
}

// report passes on the races that no earlier run had.
func (s *session) report(run *recorded.Run, results []*suite.Result) (found bool, err error) {
	list, symbols, _, err := detect.Races(s.program.trace(), results)
	if err != nil {
		return false, err
	}
	for _, x := range list {
		k := raceKey{x.Tier, report.Fingerprint(symbols, x.First.Party, x.Second.Party)}
		found = found || x.Tier == event.TierRace
		if s.races[k] {
			continue
		}
		s.races[k] = true
		s.counted[x.Tier]++
		if err := s.found(&finding{x, symbols, run, s.counted[x.Tier]}); err != nil {
			return found, err
		}
	}
	return found, nil
}

// maxPlaces bounds the places of a kind of event outside of a model that are named.
const maxPlaces = 5

// Kinds of events that prevent a proof, in addition to the kinds of package suite.
const (
	kindTry      = "TryLock, whose success depends on more than the order of sections"
	kindPartial  = "end of a run that left no whole trace"
	kindUnserial = "wait for what runs later in depth-first order"
	kindSchedule = "all schedules but those that were run: the detector speaks of these alone"
	kindLate     = "choice of a section while a task waits for the clock or the system, and could have come before"
)

// take notes the events of an execution that are outside of the detectors' models.
func (s *session) take(run *recorded.Run, results []*suite.Result) {
	if p := run.Symbols.Meta["packages"]; p != "" && p != "all" {
		s.packages = p
	}
	for _, r := range results {
		for _, o := range r.Outside {
			s.add(r, o.Kind, run.Symbols.Position(o.Site, o.Stack), o.Count)
		}
		for i := range run.Tries {
			at := ""
			if x := &run.Tries[i]; x.Task != 0 || x.Site != 0 {
				at, _ = run.Position(x)
			}
			s.add(r, kindTry, at, 1)
		}
		for i := range run.Sections {
			if x := &run.Sections[i]; run.Record.Choices[x.Choice].Late {
				at, _ := run.Position(x)
				s.add(r, kindLate, at, 1)
			}
		}
		if r.Partial {
			s.add(r, kindPartial, "", 1)
		}
		if r.Late >= 0 {
			s.add(r, kindUnserial, "", 1)
		}
		if r.Choice.Spec.Model&event.RawOrder != 0 && s.outside[r.Choice.Name][kindSchedule] == nil {
			s.add(r, kindSchedule, "", 1)
		}
		if r.Refused != nil {
			s.add(r, r.Refused.Error(), "", 1)
		}
	}
}

func (s *session) add(r *suite.Result, kind, at string, n int64) {
	kinds := s.outside[r.Choice.Name]
	if kinds == nil {
		kinds = map[string]*counted{}
		s.outside[r.Choice.Name] = kinds
	}
	c := kinds[kind]
	if c == nil {
		c = &counted{}
		kinds[kind] = c
	}
	c.n += n
	if at != "" && len(c.places) < maxPlaces && !slices.Contains(c.places, at) {
		c.places = append(c.places, at)
	}
}

// proved returns the detectors whose clean results are a proof for the input.
func (s *session) proved() (names []string) {
	if !s.complete || s.counted[event.TierRace] > 0 {
		return nil
	}
	for _, c := range s.options.detectors {
		if s.outside[c.Name] == nil {
			names = append(names, c.Name)
		}
	}
	return names
}

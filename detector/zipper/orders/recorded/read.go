package recorded

import (
	"errors"
	"fmt"

	"taskinstr/detector/event"
	"taskinstr/detector/schedule/dfs"
	"taskinstr/detector/structure"
	"taskinstr/detector/trace"
)

// A Source opens a trace from its beginning.
type Source = trace.Source

// A Section is a critical section that a choice has let in.
type Section struct {
	Choice      int    // its place in Run.Record.Choices
	Name        string // of the task: main.2
	Task        uint32 // the same, in the trace
	Site, Stack uint32 // of the Lock
	Lock        uint64
	Shared      bool
	First       int // the number of the event Lock
	Last        int // of Unlock; none if the section was still open at the end
}

// none is no event and no section.
const none = -1

// A Run is one run of a program.
type Run struct {
	Record   *dfs.Record // what is known of accesses filled in
	Symbols  *trace.Symbols
	Complete bool // the trace has its end
	Sections []Section
	Tries    []Section // TryLocks; those that failed have no place

	open Source
	plan *structure.Plan
}

// Read reads a run. If commute is false nothing is said of what sections access.
func Read(record string, open Source, commute bool) (*Run, error) {
	r := &Run{open: open}
	var err error
	if r.Record, err = dfs.ParseRecord(record); err != nil {
		return nil, err
	}
	f := structure.NewFinder()
	l := matcher{run: r}
	if err := r.each(func(t *trace.Reader, e *event.Event) {
		r.Symbols = t.Symbols
		f.Event(e)
		l.event(e)
	}); err != nil {
		return nil, err
	}
	if r.Symbols == nil {
		return nil, errors.New("the trace has no events")
	}
	r.plan = f.Plan()
	l.end()
	if commute && !partial(r.Symbols) {
		l.tell()
	}
	return r, nil
}

// partial reports whether only some packages have checks: what others access is not known.
func partial(s *trace.Symbols) bool {
	p := s.Meta["packages"]
	return p != "" && p != "all"
}

// each calls f for the events of the trace.
func (r *Run) each(f func(*trace.Reader, *event.Event)) error {
	t, err := r.open.Each(f)
	if err == nil {
		r.Complete = t.Complete
	}
	return err
}

// Position returns where a section begins in the source, and what its lock is called
// there, "" if it has no name.
func (r *Run) Position(s *Section) (at, name string) {
	at = r.Symbols.Position(s.Site, s.Stack)
	if at == "" {
		at = "an unknown place"
	}
	if s.Lock == event.Isolation {
		return at, "Isolated"
	}
	return at, r.Symbols.Place(s.Site).Expr()
}

// Order returns the tasks that enter the sections of a run, in their order.
func (r *Run) Order() (names []string) {
	for _, c := range r.Record.Choices {
		if isSection(c) {
			names = append(names, c.Task)
		}
	}
	return names
}

func isSection(c dfs.Choice) bool { return c.Candidates != nil && c.Task != "" }

// lost is the error for a record and a trace that do not fit.
func lost(format string, args ...any) error {
	return fmt.Errorf("the record and the trace of a run do not fit: "+format, args...)
}

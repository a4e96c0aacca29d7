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

// A Section is a critical section that a choice admitted.
type Section struct {
	Choice      int    // its index in Run.Record.Choices
	Name        string // of the task in the record, such as main.2
	Task        uint32 // of the task in the trace
	Site, Stack uint32 // of the Lock event
	Lock        uint64
	Shared      bool
	First       int // the number of the Lock event
	Last        int // the number of the Unlock event, or none if the section was still open at the end
}

// none is the number of no event and no section.
const none = -1

// A Run is one run of a program.
type Run struct {
	Record   *dfs.Record // with the known accesses filled in
	Symbols  *trace.Symbols
	Complete bool // the trace has its end record
	Sections []Section
	Tries    []Section // the TryLocks; a failed one has no place

	open Source
	plan *structure.Plan
}

// Read reads a run. If commute is false, the accesses of sections remain unknown.
func Read(record string, open Source, commute bool) (*Run, error) {
	r := &Run{open: open}
	var err error
	if r.Record, err = dfs.ParseRecord(record); err != nil {
		return nil, err
	}
	f := structure.NewFinder()
	l := newMatcher(r)
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

// partial reports whether only some packages have checks, so that accesses may be
// missing.
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

// Position returns the source position at which a section begins, and the name of its
// lock there, "" if it has none.
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

func isSection(c dfs.Choice) bool { return c.Candidates != nil && c.Task != "" }

// lost is the error for a record and a trace that do not match.
func lost(format string, args ...any) error {
	return fmt.Errorf("the record and the trace of a run do not fit: "+format, args...)
}

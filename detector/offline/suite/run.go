package suite

import (
	"fmt"
	"runtime"
	"time"

	"taskinstr/detector/event"
	"taskinstr/detector/structure"
	"taskinstr/detector/theorem"
	"taskinstr/detector/trace"
)

// A Source opens a trace from its beginning. Run reads it several times.
type Source = trace.Source

// A Result is the result of one detector.
type Result struct {
	Choice   Choice
	Races    []event.Race // one for each pair of places, kinds and tier
	Reported int64        // the number of reports
	Events   int64
	Outside  []Outside
	Choices  []Outside // the choices that another schedule may make differently, if the theorem depends on them
	Theorem  theorem.Theorem
	Symbols  *trace.Symbols
	Partial  bool // the trace has no end: the program was killed
	Reorder  bool // the detector got the events in another order than the recorded one
	Late     int  // of a serial detector: the first event out of depth-first order; -1: none
	Time     time.Duration
	Memory   uint64 // live bytes at the end of the trace
	Counters []event.Counter
	Refused  error // why the detector has not analysed the run; nil: it has
}

// An Outside is a kind of event that a detector does not understand, or a kind of choice,
// with its place.
type Outside struct {
	Kind        string
	Site, Stack uint32
	Count       int64
}

// chunk is the number of events that are decoded at once. Decoding does not count as the
// detector's time.
const chunk = 1 << 12

// Run passes the events of a trace to each detector.
func Run(open Source, choices []Choice) ([]*Result, error) {
	s := session{open: open, own: map[[2]uint32]bool{}}
	if err := s.look(); err != nil {
		return nil, err
	}
	var results []*Result
	for _, c := range choices {
		r, err := s.run(c)
		if err != nil {
			return nil, fmt.Errorf("detector %s: %w", c.Name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

type session struct {
	open     Source
	raw      bool            // there are raw events, from which the structure can be found
	plan     *structure.Plan // the structure of the trace
	symbols  *trace.Symbols
	inRow    []event.Event // the trace in depth-first order, made for the first serial detector
	late     int
	complete bool // the trace has its end record
	orders   bool // there are locks or promises
	choices  []Outside
	counted  bool               // choices is filled in
	own      map[[2]uint32]bool // by place and stack: whether it belongs to package testing
}

// look reads the trace once and determines whether its structure must be found.
func (s *session) look() error {
	f := structure.NewFinder()
	f.Own = s.harness
	var reader *trace.Reader
	err := s.each(func(r *trace.Reader, e *event.Event) {
		reader, s.symbols = r, r.Symbols
		s.raw = s.raw || e.Op.Raw()
		s.orders = s.orders || e.Op == event.Lock || e.Op == event.Get || e.Op == event.Set
		f.Event(e)
	})
	s.plan = f.Plan()
	s.symbols = new(trace.Symbols)
	if reader != nil {
		s.symbols = reader.Symbols
	}
	s.complete = reader != nil && reader.Complete
	return err
}

// harness reports whether an operation is package testing's own.
func (s *session) harness(e *event.Event) bool {
	k := [2]uint32{e.Site, e.Stack}
	own, known := s.own[k]
	if !known {
		own = structure.Harness(s.symbols, e.Site, e.Stack)
		s.own[k] = own
	}
	return own
}

// each calls f for the events of the trace as recorded.
func (s *session) each(f func(*trace.Reader, *event.Event)) error {
	_, err := s.open.Each(f)
	return err
}

// structured calls f for the events of the trace and the events that the plan adds.
func (s *session) structured(f func(*event.Event)) error {
	n := ordinals{}
	if !s.raw {
		return s.each(func(_ *trace.Reader, e *event.Event) {
			n.number(e)
			f(e)
		})
	}
	m := s.plan.Mapper(f)
	if err := s.each(func(r *trace.Reader, e *event.Event) {
		n.number(e)
		m.Event(r.Symbols, e)
	}); err != nil {
		return err
	}
	m.Close()
	return nil
}

// expressed is structured with the expressions of branches and writes attached.
func (s *session) expressed(f func(*event.Event)) error {
	x := newFormulas(s.symbols)
	if err := s.structured(func(e *event.Event) { x.event(e, f) }); err != nil {
		return err
	}
	return x.err
}

// depthFirst returns the structured trace in depth-first order.
func (s *session) depthFirst() ([]event.Event, error) {
	if s.inRow == nil {
		all := []event.Event{}
		if err := s.structured(func(e *event.Event) {
			c := *e
			c.Locks = append([]uint64(nil), e.Locks...)
			all = append(all, c)
		}); err != nil {
			return nil, err
		}
		if at := event.IsDepthFirst(all); at < 0 {
			s.inRow, s.late = all, -1
		} else {
			s.inRow, s.late = event.DepthFirst(all)
		}
	}
	return s.inRow, nil
}

func (s *session) run(c Choice) (*Result, error) {
	r := &Result{Choice: c, Late: -1, Partial: !s.complete, Symbols: s.symbols}
	seen := map[[6]uint32]bool{}
	outside := newOutsider(c.Spec, s.orders || s.raw, s.harness)
	d, err := c.Spec.New(event.Config{Option: c.Option, Report: func(x event.Race) {
		r.Reported++
		x.First.Task, x.Second.Task = s.plan.Task(x.First.Task), s.plan.Task(x.Second.Task)
		k := pairKey(x)
		if !seen[k] {
			seen[k] = true
			r.Races = append(r.Races, x)
		}
	}})
	if err != nil {
		return nil, err
	}
	if c.Spec.Serial {
		if _, err := s.depthFirst(); err != nil {
			return nil, err
		}
	}
	base := live() // with the events in depth-first order
	var buf []event.Event
	tell := func() {
		start := time.Now()
		for i := range buf {
			d.Event(&buf[i])
		}
		r.Time += time.Since(start)
		buf = buf[:0]
	}
	add := func(e *event.Event) {
		r.Events++
		outside.event(e)
		buf = append(buf, *e)
		buf[len(buf)-1].Locks = append([]uint64(nil), e.Locks...)
		if len(buf) == chunk {
			tell()
		}
	}
	if err := s.feed(r, add); err != nil {
		return nil, err
	}
	tell()
	now := live()
	r.Memory = now - min(base, now)
	if m, ok := d.(interface{ Memory() uint64 }); ok {
		r.Memory += m.Memory()
	}
	start := time.Now()
	r.Counters = d.Close()
	r.Time += time.Since(start)
	if x, ok := d.(event.Refuser); ok {
		r.Refused = x.Refused()
	}
	r.Outside = outside.outside.list()
	return r, s.conclude(r, outside.sections.list())
}

// feed calls add for the events that a detector understands.
func (s *session) feed(r *Result, add func(*event.Event)) error {
	switch spec := r.Choice.Spec; {
	case spec.Serial:
		all, err := s.depthFirst()
		r.Reorder, r.Late = true, s.late
		for i := range all {
			add(&all[i])
		}
		return err
	case spec.Model&event.RawOrder != 0:
		return s.each(func(_ *trace.Reader, e *event.Event) { add(e) })
	case spec.Model&event.Branches != 0:
		return s.expressed(add)
	default:
		return s.structured(add)
	}
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// pairKey returns the same key for races of the same places and kinds, in either order.
func pairKey(x event.Race) [6]uint32 {
	a, b := [2]uint32{x.First.Site, uint32(x.First.Kind)}, [2]uint32{x.Second.Site, uint32(x.Second.Kind)}
	if a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
		a, b = b, a
	}
	k := [6]uint32{a[0], a[1], b[0], b[1], uint32(x.Tier)}
	if x.First.Site == 0 && x.Second.Site == 0 {
		k[5] = x.Second.Stack + 1
	}
	return k
}

package oracle

import (
	"fmt"
	"slices"
	"unsafe"

	"taskinstr/detector/parallel"
)

// head is the part of a task that instrumented code knows.
type head struct {
	key    uint64
	filter uintptr
}

// filtered is the test that instrumented code makes before it calls the detector.
func filtered(t *parallel.Task, v Event) bool {
	if v.N >= 64 || v.Kind&2 != 0 {
		return false
	}
	h := (*head)(unsafe.Pointer(t))
	k := h.key | uint64(v.Addr) | uint64(v.N)<<48
	f := *(*uint64)(unsafe.Add(nil, h.filter+(v.Addr^v.Addr<<9)&0xff8))
	return f == k|1<<63 || v.Kind == parallel.Read && f == k
}

// A Finding holds the detector's reports on one access.
type Finding struct {
	Race      []Span
	Predicted []Span
	Prev      []parallel.Side // the earlier side of each report
	Late      int             // reports made later than the access
}

// A replay is a trace that is passed to a detector.
type replay struct {
	trace   []Event
	e       *parallel.Engine
	tasks   map[int]*parallel.Task
	now     int // the event that the detector is told of
	found   map[int]*Finding
	skipped map[int]bool
	stats   parallel.Stats
}

// Replay passes a legal trace to a detector. It returns, by event, the findings and the
// accesses that the filter held back.
func Replay(trace []Event, o parallel.Options) (map[int]*Finding, map[int]bool) {
	r := replayed(trace, o)
	return r.found, r.skipped
}

// replayed is Replay, with all that is known at the end of the trace.
func replayed(trace []Event, o parallel.Options) *replay {
	o.Repeat = true
	r := &replay{trace: trace, e: new(parallel.Engine), found: map[int]*Finding{}, skipped: map[int]bool{}}
	r.tasks = map[int]*parallel.Task{0: r.e.Init(o)}
	defer r.e.Close()
	parallel.OnReport(r.e, r.report)
	defer parallel.OnReport(r.e, nil)
	if slices.ContainsFunc(trace, func(v Event) bool { return v.Op == Fork && v.Task < 0 }) {
		r.e.KeepHistory() // the new task is not ordered after the recorded accesses
	}
	for i := 0; i < len(trace); {
		i += r.event(i)
	}
	r.e.Stats(&r.stats)
	return r
}

func (r *replay) report(p *parallel.Report) {
	i := int(p.Cur.Name) // suspended reports are made later
	f := r.found[i]
	if f == nil {
		f = new(Finding)
		r.found[i] = f
	}
	if i != r.now {
		f.Late++
	}
	f.Prev = append(f.Prev, p.Prev)
	s := Span{p.Cur.Addr, p.Cur.Addr + p.Cur.Size}
	if p.Predicted {
		f.Predicted = append(f.Predicted, s)
	} else {
		f.Race = append(f.Race, s)
	}
}

// pc returns the place of an event.
func (r *replay) pc(i int) uintptr {
	if places(r.trace) {
		return uintptr(i) + 1
	}
	return r.trace[i].Site
}

// event passes event i, and perhaps some that follow it, to the detector. It returns how many
// these are.
func (r *replay) event(i int) int {
	r.now = i
	e, v := r.e, r.trace[i]
	t := r.tasks[v.Task] // nil for a fork without a parent
	if v.Op < Alloc && t != nil {
		t.Name = uint64(i) // of the task in reports
	}
	switch v.Op {
	case Fork:
		r.tasks[v.Other] = e.Fork(t, 0, uintptr(i))
	case End:
		e.End(t)
		delete(r.tasks, v.Task)
	case Acquire:
		if updateAt(r.trace[i:]) {
			r.update(t, i)
			return 3
		}
		e.Acquire(t, v.Addr)
	case Release:
		e.Release(t, v.Addr)
	case ReleaseMerge:
		e.ReleaseMerge(t, v.Addr)
	case ReleaseAcquire:
		e.ReleaseAcquire(t, v.Addr)
	case Meet:
		e.Meet(t, r.tasks[v.Other])
	case AcquireAll:
		e.SetForeground(t)
		e.AcquireAll(t)
	case Background:
		e.SetBackground(t)
	case Lock:
		t.Quiet = v.Quiet
		e.Lock(t, v.Addr, v.Shared)
	case Unlock:
		e.Unlock(t, v.Addr, v.Shared)
	case Order:
		if !e.Alone(t) {
			e.Order(t, v.Addr, v.Kind)
		}
	case Access:
		t.Word = v.Quiet
		if !e.Alone(t) { // else without findings, as if it had been checked
			return r.access(t, i)
		}
	case Alloc:
		e.InvalidateFilters()
		if newAt(r.trace[i:]) && !e.Alone(r.tasks[r.trace[i+1].Task]) {
			r.new(i)
			return 2
		}
		e.Alloc(v.Addr, v.N)
	case Sweep:
		e.Sweep()
	case Invalidate:
		e.InvalidateFilters()
	}
	return 1
}

// update passes the update that begins at event i.
func (r *replay) update(t *parallel.Task, i int) {
	r.now = i + 1
	t.Name = uint64(r.now)
	w := r.trace[r.now]
	t.Word = w.Quiet
	if r.e.BeginUpdate(t, r.trace[i].Addr, w.Addr, w.N, w.Site, r.pc(r.now), 0) {
		r.skipped[r.now] = true
	}
	r.e.EndUpdate(t)
}

// new passes the new memory of events i and i+1.
func (r *replay) new(i int) {
	r.now = i + 1
	w := r.trace[r.now]
	t := r.tasks[w.Task]
	t.Name = uint64(r.now)
	if !r.e.QuickNew(t, w.Addr, w.N, w.Site, r.pc(r.now), 0) {
		r.e.New(t, w.Addr, w.N, w.Site, r.pc(r.now), 0)
	}
}

// access passes an access, or a part of the row that begins with it.
func (r *replay) access(t *parallel.Task, i int) int {
	e, v := r.e, r.trace[i]
	if n, stride := rowAt(r.trace[i:]); n > 1 && !places(r.trace) {
		if done := e.QuickEach(t, v.Addr, v.N, stride, n, v.Kind, v.Site, r.pc(i), 0); done > 0 {
			return int(done)
		}
	}
	p := parallel.Covered
	if !filtered(t, v) {
		p = e.Probe(t, v.Addr, v.N, v.Kind)
	}
	if p == parallel.Covered {
		r.skipped[i] = true
	} else if p == parallel.Unknown || !e.Quick(t, v.Addr, v.N, v.Kind, v.Site, r.pc(i), 0) {
		e.Access(t, v.Addr, v.N, v.Kind, v.Site, r.pc(i), 0)
	}
	return 1
}

// updateAt reports whether a trace starts with an acquire, an atomic write and a release by one
// task, the first and the last at the same address.
func updateAt(trace []Event) bool {
	if len(trace) < 3 {
		return false
	}
	v, w, x := trace[0], trace[1], trace[2]
	return v.Op == Acquire && w.Op == Access && w.Kind == parallel.AtomicWrite && x.Op == ReleaseMerge &&
		v.Task == w.Task && w.Task == x.Task && v.Addr == x.Addr
}

// newAt reports whether a trace starts with an allocation and a write to the whole of its memory.
func newAt(trace []Event) bool {
	if len(trace) < 2 {
		return false
	}
	v, w := trace[0], trace[1]
	return v.Op == Alloc && w.Op == Access && w.Kind == parallel.Write && v.Addr == w.Addr && v.N == w.N
}

// rowAt returns the number of events at the start of a trace that QuickEach may take
// together, and the distance of their accesses.
func rowAt(trace []Event) (n, stride uintptr) {
	for n = 1; n < uintptr(len(trace)); n++ {
		v, w := trace[n-1], trace[n]
		d := w.Addr - v.Addr
		if w.Op != Access || v.Task != w.Task || v.Kind != w.Kind || v.N != w.N || v.Site != w.Site ||
			n > 1 && d != stride || d-1 > 256 || v.Kind > parallel.Write {
			break
		}
		stride = d
	}
	return n, stride
}

// places reports whether each access of a trace has its own place, the number of the
// event, so that checkPrev can identify it. In other traces places are equal, as in
// loops.
func places(trace []Event) bool { return len(trace)%2 == 0 }

// checkPrev checks that the earlier side of a report on event now names an access to the
// reported bytes, by the reported task and of the reported kind, which no later Alloc has
// forgotten.
func checkPrev(trace []Event, skipped map[int]bool, now int, s parallel.Side) error {
	i := int(s.PC) - 1
	if i < 0 || i >= now {
		return fmt.Errorf("event %d: a report names event %d as the earlier one", now, i)
	}
	v := trace[i]
	if v.Op != Access || skipped[i] || v.Kind != s.Kind || v.Site != s.Site || v.Task == trace[now].Task ||
		v.Addr > s.Addr || v.Addr+v.N < s.Addr+s.Size {
		return fmt.Errorf("event %d: a report names event %d as the earlier access, of kind %d to [%#x, %#x)", now, i, s.Kind, s.Addr, s.Addr+s.Size)
	}
	for k, x := range trace[i:now] {
		if x.Op == Alloc && x.Addr < s.Addr+s.Size && x.Addr+x.N > s.Addr {
			return fmt.Errorf("event %d: a report names event %d, which event %d made void", now, i, i+k)
		}
	}
	return nil
}

// covers reports whether spans contain some and all bytes of s.
func covers(spans []Span, s Span) (some, all bool) {
	all = true
	for p := s.Lo; p < s.Hi; p++ {
		in := slices.ContainsFunc(spans, func(t Span) bool { return t.Lo <= p && p < t.Hi })
		some, all = some || in, all && in
	}
	return some, all
}

// A Tally counts the contents of traces, to judge whether they exercise the detector.
type Tally struct {
	Accesses, Skipped, Races, Predicted int
	Bracketed                           int // spans on which the weak orders differ
	Late                                int // reports that waited for the end of a section
	Inside                              int // spans on which such a section ruled a prediction out
	Relaxed                             int // traces with predictions and locks that order for want of slots
}

// span counts span k of a verdict, on which a report is due from must to may.
func (n *Tally) span(d *Verdict, k int, must, may bool) {
	n.Accesses++
	if d.Inside[k] {
		n.Inside++
	}
	if d.Race[k] {
		n.Races++
	} else if may {
		n.Predicted++
	}
	if must != may {
		n.Bracketed++
	}
}

// Check replays a legal trace and compares the findings with the oracle's verdicts, span
// by span. It returns a description of the first mismatch. If the trace has more tasks than
// o.Exact(), the detector may miss races.
func Check(trace []Event, o parallel.Options, n *Tally) error {
	if n == nil {
		n = new(Tally)
	}
	r := replayed(trace, o)
	found, skipped := r.found, r.skipped
	if r.stats.Relaxed != 0 && r.stats.Predicted != 0 {
		n.Relaxed++
	}
	judged := map[int]bool{}
	exact := o.Slots == 0 || countTasks(trace) <= int(o.Exact())
	for _, d := range Judge(trace, skipped, true) {
		judged[d.Event] = true
		f := found[d.Event]
		if f == nil {
			f = new(Finding)
		}
		if err := f.compare(&d, o, exact, n); err != nil {
			return err
		}
	}
	n.Skipped += len(skipped)
	for i, f := range found {
		n.Late += f.Late
		if !judged[i] {
			return fmt.Errorf("event %d: a report on what is not judged", i)
		}
		if !places(trace) {
			continue
		}
		for _, s := range f.Prev {
			if err := checkPrev(trace, skipped, i, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare returns a description of the first span on which the detector's reports are not those
// of the verdict. If not exact, the detector may miss some.
func (f *Finding) compare(d *Verdict, o parallel.Options, exact bool, n *Tally) error {
	reports := slices.Concat(f.Race, f.Predicted)
	for k, s := range d.Spans {
		must, may := d.Full[k], d.Least[k]
		if o.All {
			must, may = d.Predicted[k], d.Predicted[k]
		} else if o.NoPredict {
			must, may = d.Race[k], d.Race[k]
		}
		n.span(d, k, must, may)
		some, all := covers(f.Race, s)
		if some && !d.Race[k] || exact && all != d.Race[k] {
			return fmt.Errorf("event %d, bytes [%#x, %#x): race is %v, detector says %v of some, %v of all",
				d.Event, s.Lo, s.Hi, d.Race[k], some, all)
		}
		some, all = covers(reports, s)
		if exact && must && !all || some && !may {
			return fmt.Errorf("event %d, bytes [%#x, %#x): report due %v to %v, detector makes it for some: %v, for all: %v",
				d.Event, s.Lo, s.Hi, must, may, some, all)
		}
	}
	return nil
}

// countTasks returns the number of tasks of a trace.
func countTasks(trace []Event) int {
	n := 1
	for _, v := range trace {
		if v.Op == Fork {
			n++
		}
	}
	return n
}

// Shrink returns a trace that still fails and from which no event can be removed.
func Shrink(trace []Event, fails func([]Event) bool) []Event {
	for chunk := len(trace) / 2; chunk > 0; {
		gone := false
		for i := 0; i+chunk <= len(trace); {
			t := Legal(append(append([]Event(nil), trace[:i]...), trace[i+chunk:]...))
			if len(t) < len(trace) && fails(t) {
				trace = t
				gone = true
			} else {
				i += chunk
			}
		}
		if !gone {
			chunk /= 2
		}
	}
	return trace
}

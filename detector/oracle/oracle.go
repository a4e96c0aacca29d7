package oracle

import (
	"slices"
	"sort"

	"taskinstr/detector"
)

// A set is a set of events of a trace.
type set []uint64

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s set) put(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) join(t set) {
	for i := range s {
		s[i] |= t[i]
	}
}
func (s set) within(t set) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}
func (s set) clone() set { return append(set(nil), s...) }

// The orders, each with its own sets.
const (
	structural = iota
	least      // weak, with the fewest edges
	full       // weak, with all edges
	happens
	orders
)

// A past holds, for each order, the set of events that precede a moment.
type past [orders]set

func (p *past) join(q *past) {
	for o := range p {
		p[o].join(q[o])
	}
}

func (p *past) clone() *past {
	var q past
	for o := range p {
		q[o] = p[o].clone()
	}
	return &q
}

// A section is a critical section. end is the past of its end; it is nil while the
// section lasts, and if another task ended it.
type section struct {
	lock   *lockState
	shared bool
	quiet  bool
	end    *past
	hold   *held
	task   int
}

// void reports whether another task has ended s, or its own task has ended inside s.
func (s *section) void(ended map[int]bool) bool {
	return s.end == nil && (!s.hold.valid(s.task) || ended[s.task])
}

type access struct {
	event      int
	task       int
	kind       detector.Kind
	locks      []*section
	order      bool // from Op Order
	subsumedBy int  // event of the first later access that subsumes this one, 0 if none
}

// A Span is a range of bytes.
type Span struct{ Lo, Hi uintptr }

// A Verdict lists, for one access, its bytes in ascending spans. The bytes of a span have
// the same history.
type Verdict struct {
	Event     int
	Spans     []Span
	Race      []bool // races with an earlier access
	Least     []bool // races, or is predicted to in the weak order with the fewest edges
	Full      []bool // races, or is predicted to in the weak order with all edges
	Predicted []bool // races, or is predicted to in the structural order
}

type judge struct {
	trace   []Event
	cuts    []uintptr
	history [][]*access // by span
	tasks   map[int]*past
	ended   map[int]bool
	objects map[uintptr]*past
	excl    map[*lockState]set
	shared  map[*lockState]set
	locks   *locker
}

// Judge returns the verdicts on the accesses of a legal trace, except those that a filter
// held back. If held is true, these still count as having happened.
func Judge(trace []Event, skipped map[int]bool, held bool) []Verdict {
	j := &judge{
		trace:   trace,
		tasks:   map[int]*past{},
		ended:   map[int]bool{},
		objects: map[uintptr]*past{},
		excl:    map[*lockState]set{},
		shared:  map[*lockState]set{},
		locks:   newLocker(),
	}
	seen := map[uintptr]bool{}
	for _, v := range trace {
		if v.Op == Access || v.Op == Order || v.Op == Alloc {
			for _, c := range []uintptr{v.Addr, v.Addr + v.N} {
				if !seen[c] {
					seen[c] = true
					j.cuts = append(j.cuts, c)
				}
			}
		}
	}
	sort.Slice(j.cuts, func(a, b int) bool { return j.cuts[a] < j.cuts[b] })
	j.history = make([][]*access, len(j.cuts))
	j.tasks[0] = j.empty()
	var out []Verdict
	for i, v := range trace {
		if skipped[i] && !held {
			continue
		}
		if d := j.event(i, v); d != nil && !skipped[i] {
			out = append(out, *d)
		}
	}
	return out
}

func (j *judge) none() set { return make(set, (len(j.trace)+63)/64) }

func (j *judge) empty() *past {
	var p past
	for o := range p {
		p[o] = j.none()
	}
	return &p
}

func (j *judge) event(i int, v Event) *Verdict {
	if v.Op == Sweep || v.Op == Invalidate {
		return nil
	}
	if v.Op == Alloc {
		j.alloc(v)
		return nil
	}
	if v.Op == Fork && v.Task < 0 {
		j.tasks[v.Other] = j.empty()
		return nil
	}
	p := j.tasks[v.Task]
	var d *Verdict
	switch v.Op {
	case Fork:
		j.tasks[v.Other] = p.clone()
	case Acquire:
		if o := j.objects[v.Addr]; o != nil {
			p.join(o)
		}
	case Release:
		j.objects[v.Addr] = p.clone()
	case ReleaseMerge:
		j.merge(v.Addr, p)
	case ReleaseAcquire:
		o := j.objects[v.Addr]
		j.objects[v.Addr] = p.clone()
		if o != nil {
			p.join(o)
		}
	case Meet:
		q := j.tasks[v.Other]
		q.join(p)
		p.join(q)
	case End:
		j.ended[v.Task] = true
	case Lock:
		j.lock(v, p)
	case Unlock:
		j.unlock(v, p)
	case Order:
		if len(j.locksOf(v.Task)) > 0 {
			j.access(i, v, p)
		}
	case Access:
		d = j.access(i, v, p)
	}
	for o := range p {
		p[o].put(i)
	}
	return d
}

func (j *judge) merge(addr uintptr, p *past) {
	if o := j.objects[addr]; o != nil {
		o.join(p)
	} else {
		j.objects[addr] = p.clone()
	}
}

func (j *judge) lock(v Event, p *past) {
	h := j.locks.lock(v.Task, v.Addr, v.Shared)
	if h.section == nil {
		h.section = &section{lock: h.lock, shared: v.Shared, quiet: v.Quiet, hold: h, task: v.Task}
	}
	if s := j.excl[h.lock]; s != nil {
		p[happens].join(s)
	}
	if s := j.shared[h.lock]; s != nil && !v.Shared {
		p[happens].join(s)
	}
	if o := j.objects[v.Addr]; o != nil {
		p.join(o)
	}
}

func (j *judge) unlock(v Event, p *past) {
	h, over := j.locks.unlock(v.Task, v.Addr, v.Shared)
	if h == nil {
		j.merge(v.Addr, p)
		return
	}
	if over {
		h.section.end = p.clone()
	}
	m := j.excl
	if v.Shared {
		m = j.shared
	}
	if m[h.lock] == nil {
		m[h.lock] = j.none()
	}
	m[h.lock].join(p[happens])
}

func (j *judge) alloc(v Event) {
	for k, c := range j.cuts {
		if c >= v.Addr && c < v.Addr+v.N {
			j.history[k] = nil
		}
	}
	for a := range j.objects {
		if a >= v.Addr && a < v.Addr+v.N {
			delete(j.objects, a)
		}
	}
	j.locks.reset(v.Addr, v.N)
}

func conflict(a, b detector.Kind) bool { return (a|b)&1 != 0 && !(a&2 != 0 && b&2 != 0) }

// excludes reports whether a and b cannot run at the same time.
func excludes(a, b *section) bool { return a.lock == b.lock && !(a.shared && b.shared) }

func common(a, b []*section) bool {
	for _, s := range a {
		for _, t := range b {
			if excludes(s, t) {
				return true
			}
		}
	}
	return false
}

// asStrong reports whether y contains each lock of x, held exclusively if x holds it
// exclusively.
func asStrong(x, y []*section) bool {
	for _, s := range x {
		ok := false
		for _, t := range y {
			ok = ok || s.lock == t.lock && (s.shared || !t.shared)
		}
		if !ok {
			return false
		}
	}
	return true
}

// subsumes reports whether access c, by a task with past p, subsumes e in the weak order.
func (j *judge) subsumes(c, e *access, p *past) bool {
	if c.kind&1 == 0 && e.kind&1 != 0 || c.kind&2 != 0 && e.kind&2 == 0 || !p[full].has(e.event) {
		return false
	}
	if c.order && !(asStrong(c.locks, e.locks) && asStrong(e.locks, c.locks)) {
		return false
	}
	for _, t := range e.locks {
		ok := t.void(j.ended) || t.end != nil && t.end[full].within(p[full])
		for _, s := range c.locks {
			ok = ok || s == t
		}
		if !ok {
			return false
		}
	}
	return true
}

// hidden reports whether the detector may have forgotten access a, earlier than b in span
// k: an access that subsumes a is in a section of a lock that b holds as well, and this
// section is void, or both sections are quiet. The lock protects b from the subsuming
// access, but the section does not order b after either access.
func (j *judge) hidden(k int, a, b *access) bool {
	for a.subsumedBy != 0 {
		i := slices.IndexFunc(j.history[k], func(c *access) bool { return c.event == a.subsumedBy })
		if i < 0 {
			return false
		}
		a = j.history[k][i]
		if slices.ContainsFunc(a.locks, func(s *section) bool {
			return slices.ContainsFunc(b.locks, func(t *section) bool {
				return excludes(s, t) && (s.void(j.ended) || s.quiet && t.quiet)
			})
		}) {
			return true
		}
	}
	return false
}

func (j *judge) access(i int, v Event, p *past) *Verdict {
	b := &access{event: i, task: v.Task, kind: v.Kind, locks: j.locksOf(v.Task), order: v.Op == Order}
	d := &Verdict{Event: i}
	var spans []int
	for k, c := range j.cuts {
		if c >= v.Addr && c < v.Addr+v.N {
			spans = append(spans, k)
			d.Spans = append(d.Spans, Span{c, j.cuts[k+1]})
		}
	}
	for _, k := range spans {
		for _, a := range j.history[k] {
			if a.task == b.task || !conflict(a.kind, b.kind) {
				continue
			}
			for _, s := range a.locks {
				for _, t := range b.locks {
					if excludes(s, t) && s.end != nil && !(s.quiet && t.quiet) {
						p[full].join(s.end[full])
						if a.subsumedBy == 0 {
							p[least].join(s.end[least])
						}
					}
				}
			}
		}
	}
	for _, k := range spans {
		var race, inLeast, inFull, inStructural bool
		for _, a := range j.history[k] {
			if a.task == b.task || !conflict(a.kind, b.kind) {
				continue
			}
			if !p[happens].has(a.event) {
				race = true
			} else if !common(a.locks, b.locks) {
				inLeast = inLeast || !p[least].has(a.event)
				inFull = inFull || !p[full].has(a.event) && !j.hidden(k, a, b)
				inStructural = inStructural || !p[structural].has(a.event)
			}
		}
		d.Race = append(d.Race, race)
		d.Least = append(d.Least, race || inLeast)
		d.Full = append(d.Full, race || inFull)
		d.Predicted = append(d.Predicted, race || inStructural)
		for _, a := range j.history[k] {
			if a.subsumedBy == 0 && j.subsumes(b, a, p) {
				// An access that is subsumed on one byte may still count on another.
				c := *a
				c.subsumedBy = i
				j.replace(k, a, &c)
			}
		}
		j.history[k] = append(j.history[k], b)
	}
	return d
}

// locksOf returns the critical sections that a task is in.
func (j *judge) locksOf(task int) (list []*section) {
	for _, h := range j.locks.holds[task] {
		if h.valid(task) {
			list = append(list, h.section)
		}
	}
	return list
}

func (j *judge) replace(k int, old, a *access) {
	h := append([]*access(nil), j.history[k]...)
	for i := range h {
		if h[i] == old {
			h[i] = a
		}
	}
	j.history[k] = h
}

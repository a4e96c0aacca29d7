package oracle

import (
	"iter"
	"maps"
	"slices"

	"taskinstr/detector/parallel"
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
		q[o] = slices.Clone(p[o])
	}
	return &q
}

// A section is a critical section as seen by the task that began it. end is the past of the
// unlock by this task; it is nil while the section lasts, and if another task ended it.
type section struct {
	lock   *lockState
	shared bool
	quiet  bool
	end    *past
	hold   *held
	task   int
	begin  int  // the event of the lock operation
	swept  bool // its task has ended, and a sweep has forgotten it
}

// A tenure is a hold as seen by other tasks: from the event begin, by the task that took the
// lock, to any of the unlocks that may have ended it. While it lasts it has no end.
type tenure struct {
	lock   *lockState
	shared bool
	task   int
	begin  int
	over   bool
	ends   []*past
}

// surrounds reports whether the tenure surrounds the event of an access that is known to be
// after its begin.
func (l *tenure) surrounds(event, order int) bool {
	return !l.over || slices.ContainsFunc(l.ends, func(p *past) bool { return p[order].has(event) })
}

// A doubt is a prediction that depends on the ends of tenures: the accesses are protected if one of
// them surrounds the later access.
type doubt struct {
	verdict *Verdict
	span    int
	order   int
	around  []*tenure
}

// void reports whether another task has ended s, or its own task has ended inside s.
func (s *section) void(ended map[int]bool) bool {
	return s.end == nil && (!s.hold.valid(s.task) || ended[s.task])
}

type access struct {
	event      int
	task       int
	kind       parallel.Kind
	locks      []*section
	outer      []*section // around the fork of the task, see judge.outer
	order      bool       // from Op Order
	word       bool       // Event.Quiet
	subsumedBy int        // event of the first later access that subsumes this one, 0 if none
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
	Inside    []bool // lies in a section of another task that rules out a prediction
}

// in returns the predictions in an order.
func (d *Verdict) in(order int) []bool {
	return [...][]bool{structural: d.Predicted, least: d.Least, full: d.Full}[order]
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
	outer   map[int][]*section        // the sections around the fork of a task
	tenures map[*lockState][]*tenure  // that last
	past    map[*lockState][]*section // that their own tasks have ended
	doubts  []doubt
	skipped bool // a filter held back the present access
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
		outer:   map[int][]*section{},
		tenures: map[*lockState][]*tenure{},
		past:    map[*lockState][]*section{},
	}
	for _, v := range trace {
		if v.Op == Access || v.Op == Order || v.Op == Alloc {
			j.cuts = append(j.cuts, v.Addr, v.Addr+v.N)
		}
	}
	slices.Sort(j.cuts)
	j.cuts = slices.Compact(j.cuts)
	j.history = make([][]*access, len(j.cuts))
	j.tasks[0] = j.empty()
	var out []Verdict
	for i, v := range trace {
		if skipped[i] && !held {
			continue
		}
		j.skipped = skipped[i]
		if d := j.event(i, v); d != nil && !skipped[i] {
			out = append(out, *d)
		}
	}
	for _, d := range j.doubts {
		if !slices.ContainsFunc(d.around, func(t *tenure) bool { return t.surrounds(d.verdict.Event, d.order) }) {
			d.verdict.in(d.order)[d.span] = true
		} else if d.order == structural {
			d.verdict.Inside[d.span] = true
		}
	}
	for _, d := range out {
		for k, race := range d.Race {
			if race {
				d.Least[k], d.Full[k], d.Predicted[k] = true, true, true
			}
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
	if v.Op == Sweep {
		j.sweep()
		return nil
	}
	if v.Op == Invalidate {
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
		outer := j.locksOf(v.Task)
		for _, s := range outer {
			s.hold.forked = true
		}
		for _, s := range j.outer[v.Task] {
			if s.end == nil && !s.void(j.ended) {
				outer = append(outer, s)
			}
		}
		j.outer[v.Other] = outer
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
	case AcquireAll:
		for o := range p {
			for e := range i {
				p[o].put(e)
			}
		}
	case End:
		j.ended[v.Task] = true
	case Lock:
		j.lock(i, v, p)
	case Unlock:
		j.unlock(i, v, p)
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

func (j *judge) lock(i int, v Event, p *past) {
	h := j.locks.lock(v.Task, v.Addr, v.Shared)
	if h.section == nil {
		h.section = &section{lock: h.lock, shared: v.Shared, quiet: v.Quiet, hold: h, task: v.Task, begin: i}
		t := &tenure{lock: h.lock, shared: v.Shared, task: v.Task, begin: i}
		j.tenures[h.lock] = append(j.tenures[h.lock], t)
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
	t := &section{lock: h.lock, shared: v.Shared, quiet: v.Quiet}
	for _, s := range j.outer[v.Task] {
		if s.end != nil && excludes(s, t) && !bothQuiet(s, t) {
			p[full].join(s.end[full])
			p[least].join(s.end[least])
		}
	}
	j.follow(t, p)
}

// follow orders a task with past p, whose section t of a lock begins or ends, after the ends of the sections of the lock that
// it knows to have begun.
func (j *judge) follow(t *section, p *past) {
	list := j.past[t.lock]
	for again := true; again; {
		again = false
		for i, s := range list {
			if !excludes(s, t) || bothQuiet(s, t) {
				continue
			}
			for o := least; o <= full; o++ {
				if o == least && (s.swept || i < len(list)-remembered) {
					continue
				}
				if p[o].has(s.begin) && !s.end[o].within(p[o]) {
					p[o].join(s.end[o])
					again = true
				}
			}
		}
	}
}

// remembered is the number of sections of a lock that the detector remembers at least (parallel.maxAnnounced).
const remembered = 8

// sweep forgets the sections of ended tasks.
func (j *judge) sweep() {
	for _, list := range j.past {
		for _, s := range list {
			s.swept = s.swept || j.ended[s.task]
		}
	}
}

func (j *judge) unlock(i int, v Event, p *past) {
	l := j.locks.at(v.Addr)
	h, over := j.locks.unlock(v.Task, v.Addr, v.Shared)
	if h != nil {
		j.follow(h.section, p)
	}
	end := p.clone()
	for o := range end {
		end[o].put(i)
	}
	var last []*tenure
	for _, t := range j.tenures[l] {
		if own := t.task == v.Task; !v.Shared || h == nil || own {
			t.ends = append(t.ends, end)
			t.over = !v.Shared || own && over
		}
		if t.over = t.over || v.Shared && l.readers == 0; !t.over {
			last = append(last, t)
		}
	}
	j.tenures[l] = last
	if h == nil {
		j.merge(v.Addr, p)
		return
	}
	h.section.end = p.clone()
	j.past[h.lock] = append(j.past[h.lock], h.section)
	if !over {
		h.section = &section{lock: h.lock, shared: v.Shared, quiet: h.section.quiet, hold: h, task: v.Task, begin: h.section.begin}
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
	maps.DeleteFunc(j.objects, func(a uintptr, _ *past) bool { return a >= v.Addr && a < v.Addr+v.N })
	j.locks.reset(v.Addr, v.N)
}

func conflict(a, b parallel.Kind) bool { return (a|b)&1 != 0 && !(a&2 != 0 && b&2 != 0) }

// joins reports whether accesses a and b of the same bytes order the sections that they are in, of which b's is later.
func joins(a, b *access) bool {
	return conflict(a.kind, b.kind) || (a.kind|b.kind)&1 != 0 && !a.order && !b.order && !b.word
}

// excludes reports whether a and b cannot run at the same time.
func excludes(a, b *section) bool { return a.lock == b.lock && !(a.shared && b.shared) }

// protects reports whether a section of a, which has ended, excludes one of b.
func protects(a, b []*section) bool {
	for _, s := range a {
		for _, t := range b {
			if excludes(s, t) && s.end != nil {
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
		if !slices.ContainsFunc(y, func(t *section) bool { return s.lock == t.lock && (s.shared || !t.shared) }) {
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
		if !t.void(j.ended) && (t.end == nil || !t.end[full].within(p[full])) && !slices.Contains(c.locks, t) {
			return false
		}
	}
	return true
}

// hidden reports whether the detector may have forgotten access a, earlier than b in span
// k: an access that subsumes a is in a quiet section of a lock that b holds in a quiet section
// as well. The lock protects b from the subsuming access, but the section does not order b
// after either access.
func (j *judge) hidden(k int, a, b *access) bool {
	for a.subsumedBy != 0 {
		i := slices.IndexFunc(j.history[k], func(c *access) bool { return c.event == a.subsumedBy })
		if i < 0 {
			return false
		}
		a = j.history[k][i]
		if slices.ContainsFunc(a.locks, func(s *section) bool {
			return slices.ContainsFunc(b.locks, func(t *section) bool { return excludes(s, t) && bothQuiet(s, t) })
		}) {
			return true
		}
	}
	return false
}

// bothQuiet reports whether a conflict of accesses in two sections orders nothing.
func bothQuiet(s, t *section) bool { return s.quiet && t.quiet }

// around returns the sections that surround access a in an order, as far as that is known when
// another access is judged.
func around(a *access, order int) (list []*section) {
	for _, s := range a.locks {
		if s.end != nil {
			list = append(list, s)
		}
	}
	for _, s := range a.outer {
		if s.end != nil && s.end[order].has(a.event) {
			list = append(list, s)
		}
	}
	return list
}

// lasting returns the tenures that may surround b, by a task with past p, in an order, and that exclude
// a section.
func (j *judge) lasting(s *section, b *access, p *past, order int) (list []*tenure) {
	for _, t := range j.tenures[s.lock] {
		if t.task != b.task && !(s.shared && t.shared) && p[order].has(t.begin) {
			list = append(list, t)
		}
	}
	return list
}

// A question is an access with what precedes it.
type question struct {
	*access
	first    *past  // without the edges of sections that exclude the access
	sure     *past  // without the edges that depend on a section in which the task has forked
	edges    []edge // the edges that sure lacks
	before   *past  // without the edges of sections that other tasks have begun, which are edges of predictions
	now      *past
	possible [orders][]*tenure // that may surround the access
}

// An edge leads from the end of a section to an access. It holds only if the tenure surrounds the access.
type edge struct {
	from   *past
	tenure *tenure
	least  bool // it is an edge of both weak orders
}

func (j *judge) access(i int, v Event, p *past) *Verdict {
	b := &access{event: i, task: v.Task, kind: v.Kind, locks: j.locksOf(v.Task), outer: j.outer[v.Task], order: v.Op == Order, word: v.Quiet}
	d := &Verdict{Event: i}
	var spans []int
	for k, c := range j.cuts {
		if c >= v.Addr && c < v.Addr+v.N {
			spans = append(spans, k)
			d.Spans = append(d.Spans, Span{c, j.cuts[k+1]})
		}
	}
	for _, list := range []*[]bool{&d.Race, &d.Least, &d.Full, &d.Predicted, &d.Inside} {
		*list = make([]bool, len(spans))
	}
	q := &question{access: b, first: p.clone(), sure: p.clone(), now: p}
	j.joinSections(spans, q)
	q.before = p.clone()
	if !b.order {
		j.joinTenures(spans, q)
	}
	for n, k := range spans {
		for a := range j.rivals([]int{k}, b) {
			if !p[happens].has(a.event) {
				d.Race[n] = true
				continue
			}
			for _, o := range []int{structural, least, full} {
				if doubts, may := j.unordered(k, a, q, o); may {
					j.doubts = append(j.doubts, doubt{d, n, o, doubts})
				}
			}
		}
		j.record(k, b, p)
	}
	return d
}

// joinSections adds the edges from sections of rivals to the section that q is in.
func (j *judge) joinSections(spans []int, q *question) {
	for a := range j.others(spans, q.access, joins) {
		for _, s := range a.locks {
			for _, t := range q.locks {
				if !excludes(s, t) || s.end == nil || bothQuiet(s, t) {
					continue
				}
				joined := []*past{q.now}
				if t.hold.forked {
					q.edges = append(q.edges, edge{s.end, j.tenureOf(t), a.subsumedBy == 0})
				} else {
					joined = append(joined, q.sure)
				}
				for _, p := range joined {
					p[full].join(s.end[full])
					if a.subsumedBy == 0 {
						p[least].join(s.end[least])
					}
				}
			}
		}
	}
}

// joinTenures adds the edges that there are if sections which other tasks have begun surround q,
// and notes these sections as possible ones.
func (j *judge) joinTenures(spans []int, q *question) {
	for a := range j.rivals(spans, q.access) {
		if !q.now[happens].has(a.event) || protects(a.locks, q.locks) {
			continue // a race, or no doubt: sections that are quiet protect the two and order nothing
		}
		for o := least; o <= full; o++ {
			// A weak order has an edge that the other one lacks.
			if other := least + full - o; q.before[other].has(a.event) || o == least && (a.subsumedBy != 0 || j.skipped) {
				continue
			}
			for _, s := range around(a, o) {
				if slices.ContainsFunc(q.locks, func(t *section) bool { return excludes(s, t) && !bothQuiet(s, t) }) {
					q.now[o].join(s.end[o])
				}
				if list := j.lasting(s, q.access, q.before, o); len(list) > 0 {
					q.possible[o] = append(q.possible[o], list...)
					q.now[o].join(s.end[o])
				}
			}
		}
	}
}

// unordered reports whether an access a to span k may be unordered with q, if no tenure in
// doubt orders the two.
func (j *judge) unordered(k int, a *access, q *question, o int) (doubts []*tenure, may bool) {
	if q.first[o].has(a.event) || o == full && j.hidden(k, a, q.access) {
		return nil, false
	}
	excluded, own := false, false
	for _, s := range around(a, o) {
		for _, t := range q.locks {
			switch {
			case !excludes(s, t):
			case t.hold.forked:
				own = true
				doubts = append(doubts, j.tenureOf(t))
			default:
				excluded = true
			}
		}
		doubts = append(doubts, j.lasting(s, q.access, q.before, o)...)
	}
	if !own && q.before[o].has(a.event) {
		if q.sure[o].has(a.event) {
			return nil, false
		}
		var edges []*tenure
		for _, g := range q.edges {
			if g.from[o].has(a.event) && (o == full || g.least) {
				edges = append(edges, g.tenure)
			}
		}
		return edges, len(edges) > 0 && !excluded
	}
	if len(doubts) == 0 && q.now[o].has(a.event) {
		if doubts = q.possible[o]; len(doubts) == 0 || o == full {
			return nil, false
		}
	}
	return doubts, !excluded
}

// record adds an access to the history of span k.
func (j *judge) record(k int, b *access, p *past) {
	history := slices.Clone(j.history[k])
	for i, a := range history {
		if a.subsumedBy == 0 && j.subsumes(b, a, p) {
			// An access that is subsumed on one byte may still count on another.
			c := *a
			c.subsumedBy = b.event
			history[i] = &c
		}
	}
	j.history[k] = append(history, b)
}

// tenureOf returns the tenure of a section that lasts.
func (j *judge) tenureOf(s *section) *tenure {
	i := slices.IndexFunc(j.tenures[s.lock], func(t *tenure) bool { return t.task == s.task })
	return j.tenures[s.lock][i]
}

// rivals returns the accesses to some spans that conflict with b.
func (j *judge) rivals(spans []int, b *access) iter.Seq[*access] {
	return j.others(spans, b, func(a, b *access) bool { return conflict(a.kind, b.kind) })
}

// others returns the accesses of other tasks to some spans that meet b.
func (j *judge) others(spans []int, b *access, meet func(a, b *access) bool) iter.Seq[*access] {
	return func(yield func(*access) bool) {
		for _, k := range spans {
			for _, a := range j.history[k] {
				if a.task != b.task && meet(a, b) && !yield(a) {
					return
				}
			}
		}
	}
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

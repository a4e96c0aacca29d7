package diagnosis

import (
	"errors"
	"fmt"
	"slices"

	"taskinstr/detector/event"
)

// A Question asks for an order of events that leads to branches which decide the other
// way.
type Question struct {
	Flip  []uint64 // decisions, by number
	Ready []int    // events that must be next in their tasks, by index in the trace: all that they need has come, they have not
	// GivenUp has, by decision, the locks that its task holds there and that the other side
	// gives up before its access.
	GivenUp map[uint64][]uint64
	Blind   bool // the conditions of the decisions do not count: the order only has to lead to them
}

// A Problem is a question in the form of constraints on the order of nodes and on the values of
// reads.
type Problem struct {
	trace *Trace
	nodes []int       // the events of the nodes; the last node, the cut, is no event
	node  map[int]int // the node of an event
	cut   int         // the nodes before it are the prefix
	preds [][]int     // of each node: the nodes that structure puts right before it
	reach []bits      // of each node: the nodes that structure puts after it; nil if the structure has a cycle
	flips []int       // nodes
	reads []read
	conds []condition
	locks [][2]*section // pairs that exclude each other
}

const (
	// Bounds of a problem: beyond them the answer would take too long.
	maxNodes    = 4000
	maxLockings = 1 << 20
)

var errTooLarge = errors.New("too many events have a bearing on the condition")

// Problem returns the constraints of a question. It returns an error if a condition is not
// known, or does not agree with the values of the reads in the trace.
func (t *Trace) Problem(q Question) (*Problem, error) {
	b := builder{t: t, upto: make([]int, len(t.tasks)), vars: map[variable]int{}, key: map[int]bool{}, terms: map[int]*boundTerm{}}
	flips := map[int]bool{}
	for _, d := range q.Flip {
		i, ok := t.decisions[d]
		if !ok {
			return nil, fmt.Errorf("the trace has no decision %d", d)
		}
		x := b.condition(i)
		if x == nil && !q.Blind {
			return nil, fmt.Errorf("the condition of decision %d (site %d) is not known", d, t.events[i].Site)
		}
		flips[i], b.key[i] = true, true
		b.need(i)
		if k := t.after(i); k >= 0 {
			b.need(k)
		}
	}
	for _, i := range q.Ready {
		b.pin(i)
		b.key[i] = true // a node, so that later events of its task, and of tasks that it forks later, come after it
		b.need(i)
		for _, k := range append([]int{t.before(i)}, t.needs[i]...) {
			if k >= 0 {
				b.key[k] = true
				b.need(k)
			}
		}
	}
	if b.close(); b.err != nil {
		return nil, b.err
	}
	return b.problem(q, flips)
}

// A builder collects the events that bear on a question: the events that structure puts before
// such an event, the end of each critical section that has begun, the reads on which a condition
// depends, and the writes that these reads may see.
type builder struct {
	t     *Trace
	upto  []int // how many events of each task are needed
	done  []int // how many of those have been looked at
	vars  map[variable]int
	reads []variable
	key   map[int]bool
	pins  []variable         // pinned reads
	heads map[int]int        // of pinned reads of more than a word: the write that each has seen, -1 for none
	terms map[int]*boundTerm // the expressions of Branch and Access events; nil: not known
	err   error
}

// A variable is the value that a read finds; with write, which write left it.
type variable struct {
	event int
	write bool
}

type boundTerm struct {
	expr  event.Expr
	reads map[uint32]int // from sites to events
}

func (b *builder) need(i int) {
	task := b.t.events[i].Task
	b.upto[task] = max(b.upto[task], b.t.at[i]+1)
}

func (b *builder) close() {
	b.done = make([]int, len(b.upto))
	for again := true; again && b.err == nil; {
		again = false
		for task := range b.upto {
			for b.done[task] < b.upto[task] && b.err == nil {
				i := b.t.tasks[task][b.done[task]]
				b.done[task]++
				b.look(i)
				again = true
			}
		}
	}
}

// look adds the events that a needed event needs.
func (b *builder) look(i int) {
	for _, k := range b.t.needs[i] {
		b.need(k)
		b.key[k], b.key[i] = true, true
	}
	switch e := &b.t.events[i]; e.Op {
	case event.Lock:
		b.key[i] = true
		if s := b.t.sections[i]; s.unlock >= 0 {
			b.key[s.unlock] = true
			b.need(s.unlock)
		}
	case event.Branch:
		if x := b.condition(i); x != nil {
			b.key[i] = true
			b.depend(x)
		}
	}
	if len(b.key) > maxNodes {
		b.err = errTooLarge
	}
}

// condition returns the condition of a Branch, nil if it is not known.
func (b *builder) condition(i int) *boundTerm {
	e := &b.t.events[i]
	x := b.bind(i, e.Expr)
	if x == nil {
		return nil
	}
	if v, ok := b.observed(x); !ok || (v != 0) != e.Taken {
		b.terms[i] = nil
		return nil
	}
	return x
}

// written returns the expression of the value that a write leaves, nil if it is not known.
func (b *builder) written(i int) *boundTerm {
	e := &b.t.events[i]
	if _, size := told(e); !e.Valued || size == 0 {
		return nil
	}
	if e.Expr == nil {
		return &boundTerm{expr: event.Expr{{Op: event.Const, Arg: e.Value}}}
	}
	x := b.bind(i, e.Expr)
	if x == nil {
		return nil
	}
	_, size := told(e)
	s := source{size: size}
	if v, ok := b.observed(x); !ok || s.cut(v) != e.Value {
		b.terms[i] = nil
		return nil
	}
	return x
}

func (b *builder) bind(i int, x event.Expr) *boundTerm {
	if t, ok := b.terms[i]; ok {
		return t
	}
	b.terms[i] = nil
	if x.Check() != nil {
		return nil
	}
	t := &boundTerm{x, map[uint32]int{}}
	for _, tok := range x {
		if tok.Op == event.ReadAt {
			r := b.t.readAt(i, uint32(tok.Arg))
			if r < 0 {
				return nil
			}
			t.reads[uint32(tok.Arg)] = r
		}
	}
	b.terms[i] = t
	return t
}

// observed returns the value that an expression had in the trace.
func (b *builder) observed(x *boundTerm) (uint64, bool) {
	return x.expr.Eval(func(site uint32) (uint64, bool) { return b.t.events[x.reads[site]].Value, true })
}

// depend makes variables of the reads in an expression, and needs the writes that they may see.
func (b *builder) depend(x *boundTerm) {
	for _, r := range x.reads {
		b.vary(variable{event: r})
	}
}

// vary makes a variable, and needs the writes that its read may see.
func (b *builder) vary(v variable) {
	if _, ok := b.vars[v]; ok {
		return
	}
	b.vars[v] = len(b.reads)
	b.reads = append(b.reads, v)
	b.key[v.event] = true
	b.need(v.event)
	for _, w := range b.t.overlapping(v.event) {
		if !b.t.events[w].Kind.Writes() {
			continue
		}
		b.key[w] = true
		b.need(w)
		if x := b.written(w); x != nil && !v.write {
			b.depend(x)
		}
	}
}

// problem returns the constraints on the collected events. flips has the decisions that go the other way.
func (b *builder) problem(q Question, flips map[int]bool) (*Problem, error) {
	p := b.nodes(flips)
	b.structure(p, q, flips)
	for i := range flips {
		p.flips = append(p.flips, p.node[i])
	}
	slices.Sort(p.flips)
	if p.reach = reachable(p.preds); p.reach == nil {
		return p, nil
	}
	b.conditions(p, q, flips)
	for _, r := range b.reads {
		p.reads = append(p.reads, b.read(p, r))
	}
	if err := b.exclusions(p, q); err != nil {
		return nil, err
	}
	return p, nil
}

// nodes returns a problem with the nodes of the events that bear on a question, and with the cut.
func (b *builder) nodes(flips map[int]bool) *Problem {
	p := &Problem{trace: b.t, node: map[int]int{}}
	for i := range b.key {
		p.nodes = append(p.nodes, i)
	}
	for i := range flips {
		if k := b.t.after(i); k >= 0 && !b.key[k] {
			p.nodes = append(p.nodes, k)
		}
	}
	slices.Sort(p.nodes)
	p.nodes = slices.Compact(p.nodes)
	for n, i := range p.nodes {
		p.node[i] = n
	}
	p.cut = len(p.nodes)
	p.nodes = append(p.nodes, -1)
	return p
}

// conditions adds the conditions of the decisions, and of the reads whose values are pinned.
func (b *builder) conditions(p *Problem, q Question, flips map[int]bool) {
	t := b.t
	free := map[int]bool{}
	if q.Blind {
		for i := range flips {
			t.inCallees(i, free)
		}
	}
	for n, i := range p.nodes[:p.cut] {
		if x := b.terms[i]; x != nil && !free[i] && t.events[i].Op == event.Branch && (flips[i] && !q.Blind || !flips[i] && !p.reach[p.cut].has(n)) {
			p.conds = append(p.conds, condition{n, b.term(x), t.events[i].Taken != flips[i], flips[i]})
		}
	}
	for _, r := range b.pins {
		if n, ok := p.node[r.event]; ok && !p.reach[p.cut].has(n) {
			p.conds = append(p.conds, condition{node: n, term: b.pinned(r), want: true})
		}
	}
}

// exclusions adds the pairs of critical sections that exclude each other, sorted.
func (b *builder) exclusions(p *Problem, q Question) error {
	short := b.t.givenUp(q)
	for _, list := range b.t.byLock {
		for k, x := range list {
			x = short(x)
			for _, y := range list[:k] {
				if y = short(y); p.excludes(x, y) {
					p.locks = append(p.locks, [2]*section{y, x})
				}
			}
			if len(p.locks) > maxLockings {
				return errTooLarge
			}
		}
	}
	slices.SortFunc(p.locks, func(x, y [2]*section) int {
		if x[1] != y[1] {
			return x[1].lock - y[1].lock
		}
		return x[0].lock - y[0].lock
	})
	return nil
}

// inCallees adds the decisions that the task of event i has made since the latest event in the
// same calling context. Functions that were called in between have made them, and the condition
// of decision i may depend on them.
func (t *Trace) inCallees(i int, decisions map[int]bool) {
	for k := t.before(i); k >= 0 && t.events[k].Stack != t.events[i].Stack; k = t.before(k) {
		if t.events[k].Op == event.Branch {
			decisions[k] = true
		}
	}
}

// givenUp returns a function that adapts a section to the other sides of the decisions: if such
// a side gives the section's lock up, the section ends at the decision.
func (t *Trace) givenUp(q Question) func(*section) *section {
	ends := map[*section]*section{}
	for d, locks := range q.GivenUp {
		i, ok := t.decisions[d]
		if !ok {
			continue
		}
		for _, obj := range locks {
			for _, s := range slices.Backward(t.byLock[obj]) {
				if s.task == t.events[i].Task && s.lock < i && (s.unlock < 0 || s.unlock > i) {
					ends[s] = &section{s.task, s.lock, i, s.shared}
					break
				}
			}
		}
	}
	return func(s *section) *section {
		if x, ok := ends[s]; ok {
			return x
		}
		return s
	}
}

// structure links the nodes by the order that each execution has.
func (b *builder) structure(p *Problem, q Question, flips map[int]bool) {
	t := b.t
	p.preds = make([][]int, len(p.nodes))
	last := map[uint32]int{}
	for n, i := range p.nodes[:p.cut] {
		task := t.events[i].Task
		if l, ok := last[task]; ok {
			p.preds[n] = append(p.preds[n], l)
		} else if f, ok := t.forks[task]; ok {
			p.preds[n] = append(p.preds[n], p.floor(f)...)
		}
		last[task] = n
		for _, k := range t.needs[i] {
			p.preds[n] = append(p.preds[n], p.node[k])
		}
	}
	for i := range flips {
		p.preds[p.cut] = append(p.preds[p.cut], p.node[i])
		if k := t.after(i); k >= 0 {
			p.preds[p.node[k]] = append(p.preds[p.node[k]], p.cut)
		}
	}
	for _, i := range q.Ready {
		p.preds[p.node[i]] = append(p.preds[p.node[i]], p.cut)
		k := t.before(i)
		if flips[k] {
			k = i // not ready: the other side comes next. A circle says so
		}
		if k >= 0 {
			p.preds[p.cut] = append(p.preds[p.cut], p.floor(k)...)
		}
		for _, k := range t.needs[i] {
			p.preds[p.cut] = append(p.preds[p.cut], p.floor(k)...)
		}
	}
}

// floor returns the last node of event i's task up to i. If there is none, it returns the last
// node up to the fork of the task.
func (p *Problem) floor(i int) []int {
	for {
		for k := i; k >= 0; k = p.trace.before(k) {
			if n, ok := p.node[k]; ok {
				return []int{n}
			}
		}
		f, ok := p.trace.forks[p.trace.events[i].Task]
		if !ok {
			return nil
		}
		i = f
	}
}

func (p *Problem) excludes(x, y *section) bool {
	a, ok := p.node[x.lock]
	b, ok2 := p.node[y.lock]
	if !ok || !ok2 || x.task == y.task || x.shared && y.shared {
		return false
	}
	return !p.ordered(x, b) && !p.ordered(y, a) && !p.reach[p.cut].has(a) && !p.reach[p.cut].has(b)
}

// ordered reports whether structure puts the end of section s before node n.
func (p *Problem) ordered(s *section, n int) bool {
	u, ok := p.node[s.unlock]
	return ok && p.reach[u].has(n)
}

func (b *builder) term(x *boundTerm) term {
	t := term{expr: x.expr, reads: map[uint32]int{}}
	for site, i := range x.reads {
		t.reads[site] = b.vars[variable{event: i}]
	}
	return t
}

// read returns the variable of a read, with the writes that it may see.
func (b *builder) read(p *Problem, v variable) read {
	i := v.event
	e := &b.t.events[i]
	r := read{node: p.node[i]}
	wanted, size := told(e)
	initial := source{write: -1, size: size}
	written := false
	for _, k := range b.t.overlapping(i) {
		x := &b.t.events[k]
		if !x.Kind.Writes() {
			if addr, size := told(x); !written && !initial.known && x.Valued && addr == wanted && size == initial.size && size > 0 {
				initial.known = true
				initial.term.expr = event.Expr{{Op: event.Const, Arg: x.Value}}
			}
			continue
		}
		written = true
		if n := p.node[k]; !p.reach[r.node].has(n) {
			r.writes = append(r.writes, n)
		}
	}
	if v.write {
		initial.identify(-1)
	}
	if !initial.known && b.t.isFresh(i) {
		initial.known = true
		initial.term.expr = event.Expr{{Op: event.Const}}
	}
	hidden := func(w int) bool { // by a write that always comes between
		return slices.ContainsFunc(r.writes, func(x int) bool {
			return (w < 0 || p.reach[w].has(x)) && p.reach[x].has(r.node)
		})
	}
	if !hidden(-1) {
		r.sources = append(r.sources, initial)
	}
	for _, n := range r.writes {
		if hidden(n) {
			continue
		}
		s := source{write: n, size: size}
		if v.write {
			s.identify(p.nodes[n])
			r.sources = append(r.sources, s)
			continue
		}
		w := &b.t.events[p.nodes[n]]
		addr, left := told(w)
		if x := b.written(p.nodes[n]); x != nil && size > 0 && addr <= wanted && wanted+uint64(size) <= addr+uint64(left) {
			s.known = true
			s.term = b.term(x)
			s.shift = 8 * uint(wanted-addr) // little-endian
		}
		r.sources = append(r.sources, s)
	}
	return r
}

// isFresh reports whether the bytes whose value event i tells were allocated in the trace,
// and so were 0.
func (t *Trace) isFresh(i int) bool {
	addr, size := told(&t.events[i])
	e := event.Event{Addr: addr, Size: uint64(size)}
	for _, f := range slices.Backward(t.fresh) {
		a := &t.events[f]
		if f < i && overlap(a, &e) {
			return a.Op == event.Alloc && a.Addr <= e.Addr && e.Addr+e.Size <= a.Addr+a.Size
		}
	}
	return false
}

// told returns the bytes whose value an access tells; size is 0 if it tells none.
func told(e *event.Event) (addr uint64, size uint) {
	const stringSize, sliceSize = 2 * wordSize, 3 * wordSize
	switch {
	case e.Size <= wordSize:
		return e.Addr, uint(e.Size)
	case e.Size == stringSize || e.Size == sliceSize:
		return e.Addr + wordSize, wordSize
	}
	return e.Addr, 0
}

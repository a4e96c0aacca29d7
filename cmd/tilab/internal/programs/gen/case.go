package gen

import (
	"fmt"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// stmt is one statement of a task, at a place of the script.
type stmt struct {
	text string
	turn int
	node *node
	lock [2]string // around the statement
}

type task struct {
	id     int
	parent *task
	group  int // of the parent
	body   []stmt
	last   *node
	open   [groups][]*task // children that the task has not joined
	ended  bool
}

const (
	groups     = 2 // WaitGroups a task has
	maxTasks   = 9
	steps      = 60 // of the simulation
	maxChans   = 3
	guards     = 2
	probeCount = 12
)

type channel struct {
	name     string
	cap      int
	from, to *task // free cases: the only sender and receiver
	sends    []*node
	recvs    []*node
	closed   *node
}

type oneCase struct {
	rng      random.Source
	name     string
	scripted bool
	nodes    []*node
	tasks    []*task
	chans    []*channel
	flags    []*node // node of the store, nil before
	vars     []*variable
	locks    []*lock
	turns    int
	pairs    []pair
}

type pair struct {
	tier string
	a, b *node
}

func newCase(rng random.Source, name string, scripted bool) *oneCase {
	c := &oneCase{rng: rng, name: name, scripted: scripted}
	for k := range probeCount {
		c.vars = append(c.vars, draw(rng, k))
	}
	for k := range guards {
		c.vars = append(c.vars, guard(k))
		c.locks = append(c.locks, &lock{name: fmt.Sprintf("mu%d", k), rw: rng.IntN(2) == 0})
	}
	for k := range maxChans {
		c.chans = append(c.chans, &channel{name: fmt.Sprintf("c%d", k), cap: rng.IntN(3)})
		if scripted {
			c.chans[k].cap++ // a rendezvous has no place in a script
		}
	}
	c.chans = append(c.chans, &channel{name: "closed"})
	c.flags = make([]*node, 2)
	root := c.spawn(nil, 0)
	for range 3 {
		c.fork(root)
	}
	for range steps {
		c.step()
	}
	c.finish()
	return c
}

// spawn adds a task whose first node follows the fork.
func (c *oneCase) spawn(parent *task, group int) *task {
	t := &task{id: len(c.tasks), parent: parent, group: group}
	c.tasks = append(c.tasks, t)
	return t
}

// do appends a statement to the task and returns its node.
func (c *oneCase) do(t *task, text string) *node {
	n := &node{id: len(c.nodes)}
	c.nodes = append(c.nodes, n)
	c.chain(t, n)
	t.body = append(t.body, stmt{text: text, turn: c.turns, node: n})
	c.turns++
	return n
}

func (c *oneCase) chain(t *task, n *node) {
	if t.last != nil {
		t.last.succ = append(t.last.succ, n.id)
	}
	t.last = n
}

func edge(a, b *node) {
	if a != nil {
		a.succ = append(a.succ, b.id)
	}
}

func (c *oneCase) live() []*task {
	var ts []*task
	for _, t := range c.tasks {
		if !t.ended {
			ts = append(ts, t)
		}
	}
	return ts
}

func (c *oneCase) step() {
	ts := c.live()
	t := ts[c.rng.IntN(len(ts))]
	switch r := c.rng.IntN(100); {
	case r < 8:
		c.fork(t)
	case r < 16:
		c.wait(t, c.rng.IntN(groups))
	case r < 34:
		c.message(t)
	case r < 40:
		c.flag(t)
	case r < 44:
		c.end(t)
	case r < 56:
		c.guarded(t)
	default:
		c.probe(t)
	}
}

func (c *oneCase) fork(t *task) {
	if len(c.tasks) == maxTasks {
		return
	}
	g := c.rng.IntN(groups)
	child := c.spawn(t, g)
	n := c.do(t, fmt.Sprintf("go t%d()", child.id))
	child.last = n
	t.open[g] = append(t.open[g], child)
}

func (c *oneCase) end(t *task) {
	if t.parent == nil {
		return
	}
	t.ended = true
}

// wait joins the group if all its tasks have ended.
func (c *oneCase) wait(t *task, g int) {
	if len(t.open[g]) == 0 {
		return
	}
	for _, child := range t.open[g] {
		if !child.ended {
			return
		}
	}
	n := c.do(t, fmt.Sprintf("w%d_%d.Wait()", t.id, g))
	for _, child := range t.open[g] {
		edge(child.last, n)
	}
	t.open[g] = nil
}

func (c *oneCase) message(t *task) {
	ch := c.chans[c.rng.IntN(len(c.chans))]
	if ch.name == "closed" {
		c.broadcast(t, ch)
		return
	}
	if c.scripted {
		if c.rng.IntN(2) == 0 {
			c.send(t, ch)
		} else {
			c.receive(t, ch)
		}
		return
	}
	if ch.from == nil {
		ts := c.live()
		other := ts[c.rng.IntN(len(ts))]
		if other == t {
			return
		}
		ch.from, ch.to = t, other
	}
	switch {
	case ch.from.ended || ch.to.ended:
	case ch.cap == 0:
		c.rendezvous(ch)
	case ch.from == t:
		c.send(t, ch)
	case ch.to == t:
		c.receive(t, ch)
	}
}

func (c *oneCase) send(t *task, ch *channel) {
	k := len(ch.sends)
	if k-len(ch.recvs) == ch.cap {
		return
	}
	n := c.do(t, ch.name+" <- 1")
	if k >= ch.cap {
		edge(ch.recvs[k-ch.cap], n)
	}
	ch.sends = append(ch.sends, n)
}

func (c *oneCase) receive(t *task, ch *channel) {
	k := len(ch.recvs)
	if k == len(ch.sends) {
		return
	}
	n := c.do(t, "<-"+ch.name)
	edge(ch.sends[k], n)
	ch.recvs = append(ch.recvs, n)
}

func (c *oneCase) rendezvous(ch *channel) {
	n := c.do(ch.from, ch.name+" <- 1")
	c.chain(ch.to, n)
	ch.to.body = append(ch.to.body, stmt{text: "<-" + ch.name, node: n})
}

func (c *oneCase) broadcast(t *task, ch *channel) {
	if ch.closed == nil {
		ch.closed = c.do(t, "close(closed)")
		return
	}
	edge(ch.closed, c.do(t, "<-closed"))
}

func (c *oneCase) flag(t *task) {
	k := c.rng.IntN(len(c.flags))
	if c.flags[k] == nil {
		c.flags[k] = c.do(t, fmt.Sprintf("flag%d.Store(true)", k))
		return
	}
	edge(c.flags[k], c.do(t, fmt.Sprintf("awaitFlag(&flag%d)", k)))
}

// access appends an access of the variable, under the lock if there is one.
func (c *oneCase) access(t *task, v *variable, f form, l *lock) {
	n := c.do(t, f.text)
	n.at = &access{v, f}
	v.seen = append(v.seen, n)
	if l == nil {
		return
	}
	n.lock, n.write = l, true
	s := &t.body[len(t.body)-1]
	s.lock = [2]string{l.name + ".Lock()", l.name + ".Unlock()"}
	// A guard is written in write mode; a probe may be written under RLock,
	// which is a race of its own.
	if l.rw && (!f.write || !v.guard) && c.rng.IntN(2) == 0 {
		n.write = false
		s.lock = [2]string{l.name + ".RLock()", l.name + ".RUnlock()"}
	}
}

func (c *oneCase) guarded(t *task) {
	k := c.rng.IntN(guards)
	v := c.vars[probeCount+k]
	c.access(t, v, v.forms[c.rng.IntN(len(v.forms))], c.locks[k])
}

func (c *oneCase) probe(t *task) {
	v := c.vars[c.rng.IntN(probeCount)]
	if len(v.seen) == 2 {
		return
	}
	var l *lock
	if c.rng.IntN(4) == 0 {
		l = c.locks[c.rng.IntN(guards)]
	}
	c.access(t, v, v.forms[c.rng.IntN(len(v.forms))], l)
}

// finish computes which probes race. In a free case it drops the probes whose result
// depends on the schedule.
func (c *oneCase) finish() {
	o := ordersOf(c.nodes)
	for _, v := range c.vars[:probeCount] {
		if len(v.seen) != 2 {
			continue
		}
		a, b := v.seen[0], v.seen[1]
		if !c.scripted && o.uncertain(a, b) {
			c.drop(b)
			continue
		}
		if tier := o.tier(a, b); tier != "" {
			c.pairs = append(c.pairs, pair{tier, a, b})
		}
	}
}

// drop removes the access from its task. Its critical section stays.
func (c *oneCase) drop(n *node) {
	for _, t := range c.tasks {
		for i := range t.body {
			if t.body[i].node == n {
				t.body[i].text = ""
			}
		}
	}
}

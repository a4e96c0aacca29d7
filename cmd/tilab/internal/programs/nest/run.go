package nest

import "iter"

// A runner interprets a case. Its tasks take turns, each until it has to wait.
type runner struct {
	c      *oneCase
	root   *frame // of the case
	tasks  []*task
	cur    *task
	steps  []*step
	made   map[access]bool
	chans  map[*channel]*chanState
	flags  map[*onceFlag]*step
	held   map[*mutex]int // number of readers, -1 for a writer
	budget int
}

// A step is a part of a task between two task events.
type step struct {
	id     int
	succ   []int
	lock   *mutex // if the step is a critical section, its lock
	shared bool   // read mode
}

// An access of bytes in a step.
type access struct {
	step   int
	obj    *object
	lo, hi int
	write  bool
}

type task struct {
	step  *step
	yield func(struct{}) bool
	next  func() (struct{}, bool)
	stop  func()
	ended bool
}

// Limits of a case.
const (
	maxAccesses = 4000
	maxSteps    = 700
	maxTasks    = 60
)

// discard ends the interpretation of a case that is discarded: its accesses depend on the
// schedule, or it exceeds a limit.
type discard struct{ why string }

func (r *runner) discard(why string) { panic(discard{why}) }

// run interprets the case; why is the reason if the case must be discarded, else "".
func run(c *oneCase) (r *runner, why string) {
	r = &runner{c: c, made: map[access]bool{}, chans: map[*channel]*chanState{}, flags: map[*onceFlag]*step{}, held: map[*mutex]int{}}
	root := newFrame(nil)
	r.root = root
	r.start(r.newStep(), func() {
		c.declare(root)
		if x := r.activate(root, c.body); x.kind != next {
			r.discard("the case ends early")
		}
	})
	for {
		moved, left := false, 0
		for i := 0; i < len(r.tasks) && why == ""; i++ {
			t := r.tasks[i]
			if t.ended {
				continue
			}
			left++
			before, all := t.step, len(r.tasks)
			why = r.resume(t)
			moved = moved || t.ended || t.step != before || len(r.tasks) != all
		}
		if why != "" || left == 0 {
			break
		}
		if !moved {
			why = "deadlock"
		}
	}
	for _, t := range r.tasks {
		t.stop()
	}
	if why == "" && len(r.held) > 0 {
		why = "a lock is left locked"
	}
	return r, why
}

// aborted unwinds the tasks of a discarded case.
type aborted struct{}

// start makes a task that begins with the step s.
func (r *runner) start(s *step, body func()) {
	if len(r.tasks) >= maxTasks {
		r.discard("too many tasks")
	}
	t := &task{step: s}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if e := recover(); e != nil && e != (aborted{}) {
				panic(e)
			}
		}()
		t.yield = yield
		body()
		t.ended = true
	})
	r.tasks = append(r.tasks, t)
}

func (r *runner) resume(t *task) (why string) {
	defer func() {
		if e := recover(); e != nil {
			d, ok := e.(discard)
			if !ok {
				panic(e)
			}
			why, t.ended = d.why, true
		}
	}()
	r.cur = t
	if _, ok := t.next(); !ok && !t.ended {
		t.ended = true
	}
	return ""
}

// block waits until cond holds.
func (r *runner) block(cond func() bool) {
	t := r.cur
	for !cond() {
		if len(r.held) > 0 {
			r.discard("a task waits while a lock is held")
		}
		if !t.yield(struct{}{}) {
			panic(aborted{})
		}
		r.cur = t
	}
}

func (r *runner) newStep() *step {
	if len(r.steps) >= maxSteps {
		r.discard("too many steps")
	}
	s := &step{id: len(r.steps)}
	r.steps = append(r.steps, s)
	return s
}

// advance begins a new step of the running task and returns the last one.
func (r *runner) advance() *step {
	old := r.cur.step
	r.cur.step = r.newStep()
	r.edge(old, r.cur.step)
	return old
}

func (r *runner) edge(a, b *step) { a.succ = append(a.succ, b.id) }

func (r *runner) touch(obj *object, lo, hi int, write bool) {
	if lo >= hi {
		return
	}
	if r.budget++; r.budget > maxAccesses {
		r.discard("too many accesses")
	}
	r.made[access{r.cur.step.id, obj, lo, hi, write}] = true
}

// slice returns the value of a slice variable and records a read of the variable.
func (r *runner) slice(f *frame, s *slice) elems {
	if s.header != nil {
		r.touch(s.header, 0, headerSize, false)
	}
	return f.slice(s)
}

// row returns a row of a table.
func (r *runner) row(f *frame, t *table, i expr) (elems, bool) {
	n := i.eval(f)
	if n < 0 || n >= t.rows {
		return elems{}, false
	}
	r.touch(t.spine, n*headerSize, (n+1)*headerSize, false)
	return t.row[n], true
}

// fork starts a task of the group.
func (r *runner) fork(g *groupState, body func()) {
	g.open++
	first := r.newStep()
	old := r.advance()
	r.edge(old, first)
	r.start(first, func() {
		body()
		g.done = append(g.done, r.advance())
		g.open--
	})
}

type groupState struct {
	open int
	done []*step
}

func (r *runner) wait(g *groupState) {
	r.block(func() bool { return g.open == 0 })
	r.advance()
	for _, s := range g.done {
		r.edge(s, r.cur.step)
	}
	g.done = nil
}

// A channel has one sender and one receiver, or is closed and has any number of
// receivers.
type channel struct {
	name string
	cap  int
}

type chanState struct {
	from, to     *task
	sends, recvs []*step
	closed       *step
}

func (r *runner) channel(c *channel) *chanState {
	s := r.chans[c]
	if s == nil {
		s = &chanState{}
		r.chans[c] = s
	}
	return s
}

func (r *runner) send(c *channel) {
	s := r.channel(c)
	if s.from == nil {
		s.from = r.cur
	}
	if s.from != r.cur || s.closed != nil {
		r.discard("two senders")
	}
	k := len(s.sends)
	s.sends = append(s.sends, r.cur.step)
	r.block(func() bool { return k < c.cap || len(s.recvs) > k-c.cap })
	r.advance()
	if k >= c.cap {
		r.edge(s.recvs[k-c.cap], r.cur.step)
	}
}

func (r *runner) receive(c *channel) {
	s := r.channel(c)
	k := len(s.recvs)
	r.block(func() bool { return len(s.sends) > k || s.closed != nil })
	if s.closed != nil {
		if len(s.sends) > 0 {
			r.discard("sent and closed")
		}
		r.advance()
		r.edge(s.closed, r.cur.step)
		return
	}
	if s.to == nil {
		s.to = r.cur
	}
	if s.to != r.cur {
		r.discard("two receivers")
	}
	s.recvs = append(s.recvs, r.cur.step)
	r.advance()
	r.edge(s.sends[k], r.cur.step)
}

func (r *runner) close(c *channel) {
	s := r.channel(c)
	if s.closed != nil || len(s.sends) > 0 {
		r.discard("closed twice or sent to")
	}
	s.closed = r.advance()
}

// A onceFlag is set once and awaited by any number of tasks.
type onceFlag struct{ name string }

func (r *runner) set(f *onceFlag) {
	if r.flags[f] != nil {
		r.discard("a flag set twice")
	}
	r.flags[f] = r.advance()
}

func (r *runner) await(f *onceFlag) {
	r.block(func() bool { return r.flags[f] != nil })
	r.advance()
	r.edge(r.flags[f], r.cur.step)
}

type mutex struct {
	name string
	rw   bool
}

// call returns the call of a method, for reading if shared is set.
func (m *mutex) call(method string, shared bool) string {
	if shared {
		method = "R" + method
	}
	return m.name + "." + method + "()"
}

func (r *runner) lock(m *mutex, shared bool) {
	if len(r.held) > 0 {
		r.discard("a lock within a lock")
	}
	r.held[m] = 1
	r.advance()
	r.cur.step.lock, r.cur.step.shared = m, shared
}

func (r *runner) unlock(m *mutex) {
	delete(r.held, m)
	r.advance()
}

package dfs

import (
	"fmt"
	"slices"
	"strings"
)

// A Section is a critical section that a task is about to enter, or another operation that it is about to
// make, with what follows up to its next one.
type Section struct {
	// Lock names the lock or the other object, and is the same in all runs with the same beginning. An operation
	// has several names, separated by commas, if it is a select, or if a task waits in a select for its channel:
	// then it decides about the other channels, too. * stands for any object.
	Lock   string
	Shared bool // in shared mode: two such sections of one lock commute
	Wait   bool // the task takes nothing, but waits until nobody has it: two such sections commute
	Try    bool // the task does not wait for the lock
	Unlock bool // the section begins with giving the lock up; only runs whose locks are tried have such choices
}

// meets reports whether a and b have an object in common.
func (a Section) meets(b Section) bool {
	if a.Lock == b.Lock || a.Lock == "*" || b.Lock == "*" {
		return true
	}
	if !strings.Contains(a.Lock, ",") && !strings.Contains(b.Lock, ",") {
		return false
	}
	for x := range strings.SplitSeq(a.Lock, ",") {
		for y := range strings.SplitSeq(b.Lock, ",") {
			if x == y {
				return true
			}
		}
	}
	return false
}

// A Candidate is a task that could run at a choice.
type Candidate struct {
	Task    string
	Section Section
	Blocked bool // the lock is held
}

// A Choice is a choice of a run.
type Choice struct {
	// Task is the task that ran. It is empty if all candidates are blocked, which ends
	// the run.
	Task string
	// Candidates are the tasks that could run, including Task, if all of them were about
	// to enter sections; nil otherwise. The host alone makes a choice without Candidates.
	Candidates []Candidate
	// Accesses lists the accesses of the entered section, if they are Known. They are not
	// known if the section was still open at the task's next choice.
	Accesses []Access
	Known    bool
	// Event is the number of the trace's events before the choice, -1 if the record
	// does not contain it.
	Event int
	// Late is set if a task that is no candidate could have become one: it waited for the
	// clock or the system.
	Late bool
}

// step is a section that was entered or is about to be entered.
type step struct {
	task string
	Section
	bytes footprint
	known bool
}

// conflicts reports whether the order of two sections can make a difference.
func (a *step) conflicts(b step) bool {
	if a.Shared && b.Shared || a.Wait && b.Wait || !a.meets(b.Section) {
		return false
	}
	if a.Unlock || b.Unlock {
		return a.Try || b.Try // the next one to take the lock has waited for it
	}
	return !a.known || !b.known || a.bytes.conflicts(b.bytes)
}

// A node is a choice of sections on the path that is being explored.
type node struct {
	at         int // its index among the choices of the run
	candidates []Candidate
	chosen     step
	sleep      map[string]bool // tasks that need not be tried
	todo       map[string]bool // tasks to be tried
	done       map[string]bool // tasks that were tried
	passed     bool            // one of them led to a new order
}

// An Explorer holds the state of an exploration. Its zero value is the initial state.
type Explorer struct {
	Runs   int // so far
	Orders int // different ones among them
	nodes  []*node
	path   []Choice // of the last run
	begun  bool
	late   bool // some choice was late
	prefix []string
}

// Next returns the tasks that the next run must choose first, in order; after them the
// host chooses. ok is false if every order has been seen.
func (e *Explorer) Next() (prefix []string, ok bool) {
	if !e.begun {
		e.begun = true
		return nil, true
	}
	for len(e.nodes) > 0 {
		n := e.nodes[len(e.nodes)-1]
		for _, c := range n.candidates {
			if !n.todo[c.Task] {
				continue
			}
			delete(n.todo, c.Task)
			if n.done[c.Task] || n.sleep[c.Task] {
				continue
			}
			e.prefix = nil
			for _, p := range e.path[:n.at] {
				e.prefix = append(e.prefix, p.Task)
			}
			e.prefix = append(e.prefix, c.Task)
			return slices.Clone(e.prefix), true
		}
		e.nodes = e.nodes[:len(e.nodes)-1]
	}
	return nil, false
}

// Done records the choices of the run for which Next asked. It returns an error if the
// run did not follow the prefix, or had other candidates than the runs before.
func (e *Explorer) Done(run []Choice) error {
	e.Runs++
	if len(run) < len(e.prefix) {
		return fmt.Errorf("dfs: run %d ended after %d of the %d choices that it was told to make", e.Runs, len(run), len(e.prefix))
	}
	for i, task := range e.prefix {
		if run[i].Task != task {
			return fmt.Errorf("dfs: run %d chose %s at choice %d, not %s as it was told to", e.Runs, run[i].Task, i+1, task)
		}
	}
	for _, n := range e.nodes {
		if n.at >= len(run) || !slices.Equal(n.candidates, run[n.at].Candidates) {
			return fmt.Errorf("dfs: run %d found other candidates at choice %d than the runs before, after the same beginning", e.Runs, n.at+1)
		}
	}
	e.path = run
	e.late = e.late || slices.ContainsFunc(run, func(c Choice) bool { return c.Late })
	cut := e.extend(run)
	e.findConflicts(run, cut)
	if !cut {
		e.Orders++
	}
	return nil
}

// extend appends the new part of run to the path. If run is redundant from some choice
// on, extend ends the path there and returns true.
func (e *Explorer) extend(run []Choice) (cut bool) {
	var at []int // the choices of sections
	var steps []step
	for i, c := range run {
		if c.Candidates != nil && c.Task != "" {
			at, steps = append(at, i), append(steps, stepOf(c))
		}
	}
	for k, n := range e.nodes { // memory has other addresses than in the run before
		n.chosen = steps[k]
	}
	if k := len(e.nodes); k > 0 {
		n := e.nodes[k-1]
		redundant := e.asleep(steps, k-1, k-1)
		n.done[n.chosen.task] = true
		if redundant {
			n.tryAnother()
			return true
		}
		n.passed = true
	}
	for k := len(e.nodes); k < len(at); k++ {
		n := &node{at: at[k], candidates: run[at[k]].Candidates, chosen: steps[k], sleep: map[string]bool{}, todo: map[string]bool{}, done: map[string]bool{}}
		e.nodes = append(e.nodes, n)
		for _, c := range n.candidates {
			if i := nextOf(steps, k, c.Task); i >= 0 && e.asleep(steps, k, i) {
				n.sleep[c.Task] = true
			}
		}
		if n.sleep[n.chosen.task] {
			n.tryAnother()
			return true
		}
		n.done[n.chosen.task] = true
		n.passed = true
	}
	return false
}

// tryAnother adds a task to try at a choice that has led to no new order yet.
func (n *node) tryAnother() {
	for _, c := range n.candidates {
		if !n.passed && !n.sleep[c.Task] && !n.done[c.Task] && !c.Blocked {
			n.todo[c.Task] = true
			return
		}
	}
}

// nextOf returns the index of task's first section from the k-th on, -1 if there is none.
func nextOf(steps []step, k int, task string) int {
	for i := k; i < len(steps); i++ {
		if steps[i].task == task {
			return i
		}
	}
	return -1
}

// asleep reports whether the i-th section, which its task was about to enter at the k-th
// choice already, need not be entered there: the task was tried at an earlier choice, and
// the section commutes with all sections entered since. If the section commutes with all
// sections up to the i-th, its accesses at the k-th choice would be its accesses in this
// run.
func (e *Explorer) asleep(steps []step, k, i int) bool {
	s := &steps[i]
	for l := i - 1; l >= 0; l-- {
		if steps[l].task == s.task || s.conflicts(steps[l]) {
			return false
		}
		if l < k && e.nodes[l].done[s.task] {
			return true
		}
	}
	return false
}

func stepOf(c Choice) step {
	s := step{task: c.Task, known: c.Known}
	if c.Known {
		s.bytes = footprintOf(c.Accesses)
	}
	for _, x := range c.Candidates {
		if x.Task == c.Task {
			s.Section = x.Section
		}
	}
	return s
}

// findConflicts adds to the choices of the path the candidates that the conflicts of its
// sections require.
func (e *Explorer) findConflicts(run []Choice, cut bool) {
	steps := e.nodes
	if cut {
		steps = steps[:len(steps)-1]
	}
	// before[i] has j if the i-th section is ordered after the j-th.
	before := make([]set, 0, len(steps)+1)
	for i, n := range steps {
		order := e.orderOf(before, i, n.chosen)
		e.tryBefore(before, order, i, n.chosen)
		before = append(before, e.afterUnlock(before, order, i, n.chosen))
	}
	// The tasks that wait for locks at the end of the path may have to go first, too. The
	// sections that would show it were not reached.
	var waiting []Candidate
	if last := len(run) - 1; cut {
		waiting = e.nodes[len(steps)].candidates
	} else if last >= 0 && run[last].Task == "" {
		waiting = run[last].Candidates
	}
	for _, c := range waiting {
		if c.Blocked {
			s := step{task: c.Task, Section: c.Section}
			e.tryBefore(before, e.orderOf(before, len(steps), s), len(steps), s)
		}
	}
}

// orderOf returns the subset of the first i sections that precede s, the i-th: by a conflict, by the order of the
// task's own sections, or because the task could not have come to s without them.
func (e *Explorer) orderOf(before []set, i int, s step) set {
	order := newSet(i)
	for j := i - 1; j >= 0; j-- {
		if order.has(j) {
			continue
		}
		if c := &e.nodes[j].chosen; c.task == s.task || c.conflicts(s) || e.wakes(j, s.task) {
			order.add(j)
			order.merge(before[j])
		}
	}
	return order
}

// wakes reports whether the j-th section made task a candidate: it started the task, or ended a wait outside of the
// sections.
func (e *Explorer) wakes(j int, task string) bool {
	return j+1 < len(e.nodes) && e.nodes[j].chosen.task != task && has(e.nodes[j+1].candidates, task) && !has(e.nodes[j].candidates, task)
}

func has(list []Candidate, task string) bool {
	return slices.ContainsFunc(list, func(c Candidate) bool { return c.Task == task })
}

// afterUnlock adds to order, the sections that precede s, those that follow from giving up the lock of s: s had to
// wait for the section in which that happened. It could have come before the whole of the other critical section, so
// this order tells nothing about what can be tried.
func (e *Explorer) afterUnlock(before []set, order set, i int, s step) set {
	for j := i - 1; j >= 0; j-- {
		if e.nodes[j].chosen.task == s.task {
			break
		}
		if j+1 < len(e.nodes) && isBlocked(e.nodes[j].candidates, s.task) && isFree(e.nodes[j+1].candidates, s.task) {
			order = slices.Clone(order)
			order.add(j)
			order.merge(before[j])
			break
		}
	}
	return order
}

// isBlocked reports whether task is a candidate and blocked.
func isBlocked(list []Candidate, task string) bool { return has(list, task) && !isFree(list, task) }

// tryBefore finds the sections that conflict with s, the i-th, such that no section in
// between orders the two. It makes s a candidate to be tried before each of them.
func (e *Explorer) tryBefore(before []set, order set, i int, s step) {
	ordered := newSet(i) // by a section in between
	for k := range i {
		if order.has(k) {
			ordered.merge(before[k])
		}
	}
	for j := range i {
		if ordered.has(j) {
			continue
		}
		if c := &e.nodes[j].chosen; c.task != s.task && c.conflicts(s) {
			e.try(before, order, j, i, s.task)
		}
	}
}

// try makes sure that the j-th choice is tried in a way that lets the i-th section, of
// task, precede the j-th. The sections in between that do not follow the j-th can be
// entered without it. Any section of these that none of the others precedes can be the
// first; one such task is enough. If none of these tasks was a candidate, all candidates
// are tried.
func (e *Explorer) try(before []set, order set, j, i int, task string) {
	n := e.nodes[j]
	var rest []int
	for k := j + 1; k < i; k++ {
		if !before[k].has(j) {
			rest = append(rest, k)
		}
	}
	rest = append(rest, i)
	first := ""
	seen := map[string]bool{}
	for x, k := range rest {
		t, after := task, order
		if k < i {
			t, after = e.nodes[k].chosen.task, before[k]
		}
		if seen[t] {
			continue
		}
		seen[t] = true
		if slices.ContainsFunc(rest[:x], after.has) || !isFree(n.candidates, t) {
			continue
		}
		if n.done[t] || n.todo[t] {
			return
		}
		if first == "" || !n.sleep[t] {
			first = t
		}
	}
	if first != "" {
		n.todo[first] = true
		return
	}
	for _, c := range n.candidates {
		if !c.Blocked {
			n.todo[c.Task] = true
		}
	}
}

// Explore calls run with the beginning of each run, until every order has been seen or
// run fails.
func Explore(run func(prefix []string) ([]Choice, error)) (*Explorer, error) {
	e := &Explorer{}
	for {
		prefix, ok := e.Next()
		if !ok {
			return e, nil
		}
		choices, err := run(prefix)
		if err != nil {
			return e, err
		}
		if err := e.Done(choices); err != nil {
			return e, err
		}
	}
}

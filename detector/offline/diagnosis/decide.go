package diagnosis

import (
	"fmt"

	"taskinstr/detector/event"
)

// Decide asks whether a race is feasible that has accesses of the other sides of the decisions
// of q and, unless ready is empty, an access that happened: one of the events ready. The race is
// feasible if in some order that access is next in its task when the branches decide the other
// way. If no order has this, the Answer's Why tells whether the branches can decide the other
// way at all, which is the question of the paper.
func (t *Trace) Decide(s Solver, q Question, ready []int) Answer {
	if len(ready) == 0 {
		return t.ask(s, q)
	}
	var open *Answer
	for _, i := range ready {
		next := q
		next.Ready = []int{i}
		a := t.ask(s, next)
		if a.Verdict == Feasible {
			return a
		}
		if a.Verdict == Unknown && open == nil {
			open = &a
		}
	}
	if open != nil {
		return *open
	}
	a := Answer{Verdict: Infeasible}
	if t.ask(s, q).Verdict == Feasible {
		a.Why = WhyOrdered
	}
	return a
}

// DecidePair asks whether a race of two accesses that happened is feasible: whether in some
// order one of the events first is next in its task, and one of the events second is next in
// its own.
func (t *Trace) DecidePair(s Solver, first, second []int) Answer {
	a := Answer{Verdict: Infeasible}
	for _, i := range first {
		for _, k := range second {
			if i == k || !overlap(&t.events[i], &t.events[k]) {
				continue
			}
			switch b := t.ask(s, Question{Ready: []int{i, k}}); b.Verdict {
			case Feasible:
				return b
			case Unknown:
				a = b
			}
		}
	}
	return a
}

// Guess returns an order in which decisions come as early as structure, locks and other
// decisions allow, nil if there is none. It is for conditions that are not known: running the
// program in that order shows whether they depend on events that come before in this run.
func (t *Trace) Guess(s Solver, flip []uint64) []int {
	return t.ask(s, Question{Flip: flip, Blind: true}).Order
}

// WhyOrdered is the reason of an Infeasible race whose branches can decide the other way.
const WhyOrdered = "the branch can decide otherwise, but only where the accesses are ordered or the other task cannot get to its access"

func (t *Trace) ask(s Solver, q Question) Answer {
	p, err := t.Problem(q)
	if err != nil {
		return Answer{Why: err.Error()}
	}
	return s.Solve(p)
}

// maxInstances is how many accesses of a party Find returns.
const maxInstances = 8

// Find returns the first accesses in the trace that are the party of a race in n bytes
// at addr. There may be several, because a detector keeps one of many accesses that it does not
// distinguish. If the party races, one of them does.
func (t *Trace) Find(p event.Party, addr, n uint64) (list []int) {
	if int(p.Task) >= len(t.tasks) {
		return nil
	}
	for _, i := range t.tasks[p.Task] {
		e := &t.events[i]
		if e.Op == event.Access && e.Party() == p && overlap(e, &event.Event{Addr: addr, Size: n}) {
			if list = append(list, i); len(list) == maxInstances {
				break
			}
		}
	}
	return list
}

// possible returns the first access of a branch not taken that is the party of a race in n
// bytes at addr, -1 if there is none.
func (t *Trace) possible(p event.Party, addr, n uint64) int {
	if int(p.Task) < len(t.tasks) {
		for _, i := range t.tasks[p.Task] {
			if e := &t.events[i]; e.Op == event.Possible && e.Party() == p && overlap(e, &event.Event{Addr: addr, Size: n}) {
				return i
			}
		}
	}
	return -1
}

// GivenUp returns the locks that the other side of a branch has given up before its access
// to n bytes at addr, the party of a race.
func (t *Trace) GivenUp(p event.Party, addr, n uint64) (locks []uint64) {
	if i := t.possible(p, addr, n); i >= 0 {
		for _, l := range t.events[i].Locks {
			if obj, _, givenUp := event.LockOf(l); givenUp {
				locks = append(locks, obj)
			}
		}
	}
	return locks
}

// SiteOf returns the site of a decision.
func (t *Trace) SiteOf(decision uint64) (uint32, bool) {
	i, ok := t.decisions[decision]
	if !ok {
		return 0, false
	}
	return t.events[i].Site, true
}

// Both asks two solvers, and answers Unknown if they differ.
type Both [2]Solver

func (b Both) Solve(p *Problem) Answer {
	x, y := b[0].Solve(p), b[1].Solve(p)
	if x.Verdict != y.Verdict {
		return Answer{Why: fmt.Sprintf("solvers differ: %T says %v, %T %v", b[0], x.Verdict, b[1], y.Verdict)}
	}
	return x
}

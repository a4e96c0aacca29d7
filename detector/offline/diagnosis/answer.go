package diagnosis

import (
	"fmt"
	"slices"
	"strings"
)

// Verdict is the answer to a question.
type Verdict uint8

const (
	Unknown    Verdict = iota // the answer depends on a value that the trace does not tell, or would take too long
	Feasible                  // some order makes the branches decide the other way
	Infeasible                // no order of these events does
)

func (v Verdict) String() string { return [...]string{"unknown", "feasible", "infeasible"}[v] }

// An Answer is a verdict with its reason.
type Answer struct {
	Verdict Verdict
	Order   []int  // of a Feasible problem: the events that have a bearing on it, in an order that leads to the branches
	Why     string // of an Unknown one; of an Infeasible one WhyOrdered or nothing
}

const whyNoValue = "a value that decides the branch is not in the trace"

// A Solver decides problems.
type Solver interface {
	Solve(p *Problem) Answer
}

// A Run is a part of an order in which one task runs: up to event Upto and no further.
type Run struct {
	Task uint32
	Name string // main.2.1 is the first task that the second task made that main made
	Upto int    // index in the trace
}

// Runs returns an order as a replay would enforce it: which task runs how far.
func (t *Trace) Runs(order []int) []Run {
	var runs []Run
	for _, i := range order {
		task := t.events[i].Task
		if n := len(runs); n > 0 && runs[n-1].Task == task {
			runs[n-1].Upto = i
		} else {
			runs = append(runs, Run{task, t.names[task], i})
		}
	}
	return runs
}

// Text returns an order as a line of text.
func (t *Trace) Text(order []int) string {
	var s []string
	for _, r := range t.Runs(order) {
		e := &t.events[r.Upto]
		x := fmt.Sprintf("%s to event %d (%v", r.Name, t.at[r.Upto]+1, e.Op)
		if e.Site != 0 {
			x += fmt.Sprintf(" at site %d", e.Site)
		}
		s = append(s, x+")")
	}
	return strings.Join(s, ", ")
}

// answer returns the answer that has an order of all nodes. It checks the order first, because
// solvers are large programs.
func (p *Problem) answer(order []int, lenient bool) Answer {
	if err := p.check(order, lenient); err != nil {
		return Answer{Why: "the solver's order is wrong: " + err.Error()}
	}
	if lenient {
		return Answer{Why: whyNoValue}
	}
	order = p.shorten(order)
	a := Answer{Verdict: Feasible}
	for _, n := range order[:slices.Index(order, p.cut)] {
		a.Order = append(a.Order, p.nodes[n])
	}
	return a
}

// maxShorten is the number of nodes up to which orders are shortened, which takes a check
// for each event.
const maxShorten = 500

// shorten moves those events behind the cut that an order does not need in front of it.
func (p *Problem) shorten(order []int) []int {
	if len(order) > maxShorten {
		return order
	}
	for k := slices.Index(order, p.cut) - 1; k >= 0; k-- {
		rest := slices.Delete(slices.Clone(order), k, k+1)
		rest = slices.Insert(rest, slices.Index(rest, p.cut)+1, order[k])
		if p.check(rest, false) == nil {
			order = rest
		}
	}
	return order
}

// check executes an order of nodes and returns an error if no execution has it.
// Nodes behind the cut do not count. If lenient, a condition that is to flip
// is met where its value is unknown.
func (p *Problem) check(order []int, lenient bool) error {
	place := make([]int, len(p.nodes))
	for n := range place {
		place[n] = len(order)
	}
	for k, n := range order {
		place[n] = k
	}
	end := place[p.cut]
	for n, list := range p.preds {
		for _, m := range list {
			if place[n] <= end && place[m] >= place[n] {
				return fmt.Errorf("event %d comes before event %d", p.nodes[n], p.nodes[m])
			}
		}
	}
	for _, l := range p.locks {
		a, b := l[0], l[1]
		if place[p.node[a.lock]] > place[p.node[b.lock]] {
			a, b = b, a
		}
		free := end
		if u, ok := p.node[a.unlock]; ok {
			free = place[u]
		}
		if y := place[p.node[b.lock]]; y < end && free > y {
			return fmt.Errorf("event %d takes a lock that event %d has taken", b.lock, a.lock)
		}
	}
	v := valuation{p: p, used: map[int]bool{}, choice: func(r int) int {
		return p.sees(r, place)
	}}
	for _, c := range p.conds {
		if place[c.node] > end {
			continue
		}
		value, ok := v.term(&c.term)
		if ok && (value != 0) != c.want || !ok && c.flip && !lenient {
			return fmt.Errorf("the branch of event %d decides otherwise", p.nodes[c.node])
		}
	}
	return nil
}

// sees returns the source of a read in an order of nodes.
func (p *Problem) sees(r int, place []int) int {
	x := &p.reads[r]
	latest := -1
	for _, w := range x.writes {
		if place[w] < place[x.node] && (latest < 0 || place[w] > place[latest]) {
			latest = w
		}
	}
	return slices.IndexFunc(x.sources, func(s source) bool { return s.write == latest })
}

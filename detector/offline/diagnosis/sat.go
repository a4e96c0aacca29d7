package diagnosis

import (
	"slices"

	"github.com/crillab/gophersat/solver"
)

// SAT decides problems with a solver for propositional logic. A variable says of two
// nodes which comes first, or of a read that it sees a certain source. Each model is checked: its
// order must have no cycle, and its values must meet the conditions. If the check fails, the
// reason becomes a clause and the solver runs again.
type SAT struct {
	// Rounds bounds the models that are checked; 0: defaultRounds.
	Rounds int
}

const (
	defaultRounds = 5000
	// circlesOfRound bounds the cycles of one model that become clauses.
	circlesOfRound = 64
)

func (s SAT) Solve(p *Problem) Answer {
	if p.reach == nil {
		return Answer{Verdict: Infeasible}
	}
	rounds := s.Rounds
	if rounds == 0 {
		rounds = defaultRounds
	}
	for _, lenient := range []bool{false, true} {
		e := encoding{p: p, vars: map[[2]int]int{}, lenient: lenient}
		e.constraints()
		a := e.solve(rounds)
		if a.Verdict != Infeasible || !e.unknown {
			return a
		}
	}
	return Answer{Verdict: Infeasible}
}

// An encoding is a problem in conjunctive normal form, in the numbers of DIMACS.
type encoding struct {
	p       *Problem
	vars    map[[2]int]int // the variable of nodes a < b: a comes first
	pairs   [][2]int       // the nodes of each variable; {-1, 0} for sources
	sees    [][]int        // of each read and source: the variable
	cnf     [][]int
	lenient bool // a condition that is to flip is met where its value is unknown
	unknown bool // there was one
}

// Literals that structure decides.
const (
	alwaysTrue = 1 << 30
	never      = -alwaysTrue
)

// order returns the literal "a comes before b".
func (e *encoding) order(a, b int) int {
	switch {
	case a == b || e.p.reach[b].has(a):
		return never
	case e.p.reach[a].has(b):
		return alwaysTrue
	case a > b:
		return -e.order(b, a)
	}
	v, ok := e.vars[[2]int{a, b}]
	if !ok {
		v = e.variable([2]int{a, b})
		e.vars[[2]int{a, b}] = v
	}
	return v
}

func (e *encoding) variable(pair [2]int) int {
	e.pairs = append(e.pairs, pair)
	return len(e.pairs)
}

// add adds a clause, unless structure makes it true.
func (e *encoding) add(literals ...int) {
	clause := make([]int, 0, len(literals))
	for _, l := range literals {
		if l == alwaysTrue {
			return
		}
		if l != never {
			clause = append(clause, l)
		}
	}
	e.cnf = append(e.cnf, clause)
}

// constraints adds the clauses that hold for each model: locks exclude each other, and
// a read sees the latest write before it.
func (e *encoding) constraints() {
	p := e.p
	for _, l := range p.locks {
		a, b := p.node[l[0].lock], p.node[l[1].lock]
		clause := []int{-e.order(a, p.cut), -e.order(b, p.cut)}
		for k, n := range []int{b, a} {
			if u, ok := p.node[l[k].unlock]; ok {
				clause = append(clause, e.order(u, n))
			}
		}
		e.add(clause...)
	}
	for i := range p.reads {
		r := &p.reads[i]
		var vars []int
		for _, s := range r.sources {
			v := e.variable([2]int{-1, 0})
			vars = append(vars, v)
			if s.write >= 0 {
				e.add(-v, e.order(s.write, r.node))
			}
			for _, w := range r.writes {
				if w == s.write {
					continue
				}
				if s.write >= 0 {
					e.add(-v, e.order(w, s.write), e.order(r.node, w))
				} else {
					e.add(-v, e.order(r.node, w))
				}
			}
		}
		e.sees = append(e.sees, vars)
		e.add(vars...)
	}
	for _, c := range p.conds {
		e.order(c.node, p.cut)
	}
}

func (e *encoding) solve(rounds int) Answer {
	for range rounds {
		for _, c := range e.cnf {
			if len(c) == 0 {
				return Answer{Verdict: Infeasible}
			}
		}
		s := solver.New(solver.ParseSliceNb(e.cnf, len(e.pairs)))
		if s.Solve() != solver.Sat {
			return Answer{Verdict: Infeasible}
		}
		model := s.Model()
		order, ok := e.sorted(model)
		if !ok {
			continue
		}
		if e.meets(model) {
			return e.p.answer(order, e.lenient)
		}
	}
	return Answer{Why: "the solver gave up"}
}

// sorted returns the nodes in an order that agrees with a model, the nodes that the cut
// needs first. If the model has cycles, it adds clauses against them.
func (e *encoding) sorted(model []bool) ([]int, bool) {
	preds := make([][]int, len(e.p.nodes))
	for n := range preds {
		preds[n] = slices.Clip(e.p.preds[n])
	}
	for i, pair := range e.pairs {
		a, b := pair[0], pair[1]
		switch {
		case a < 0:
		case model[i]:
			preds[b] = append(preds[b], a)
		default:
			preds[a] = append(preds[a], b)
		}
	}
	order := sorted(preds)
	if len(order) < len(preds) {
		e.circles(preds, order, model)
		return nil, false
	}
	return inFront(order, preds, e.p.cut), true
}

// inFront moves the nodes that node n needs to the front of an order, and n behind them.
func inFront(order []int, preds [][]int, n int) []int {
	needed := make([]bool, len(preds))
	needed[n] = true
	var front, back []int
	for k := len(order) - 1; k >= 0; k-- {
		if m := order[k]; needed[m] {
			front = append(front, m)
			for _, l := range preds[m] {
				needed[l] = true
			}
		} else {
			back = append(back, m)
		}
	}
	slices.Reverse(front)
	slices.Reverse(back)
	return append(front, back...)
}

// circles adds clauses that exclude cycles of a model.
func (e *encoding) circles(preds [][]int, order []int, model []bool) {
	on := make([]bool, len(preds)) // on a cycle or behind one
	for n := range on {
		on[n] = true
	}
	for _, n := range order {
		on[n] = false
	}
	added := 0
	seen := make([]int, len(preds)) // the start of the search that has seen a node, plus 1
	next := make([]int, len(preds)) // on the way back to the start
	for start := range preds {
		if !on[start] || added == circlesOfRound {
			continue
		}
		queue := []int{start}
		for k := 0; k < len(queue) && queue != nil; k++ {
			n := queue[k]
			for _, m := range preds[n] {
				if !on[m] {
					continue
				}
				if m == start {
					e.circle(start, n, next, model)
					added++
					queue = nil
					break
				}
				if seen[m] != start+1 {
					seen[m], next[m] = start+1, n
					queue = append(queue, m)
				}
			}
		}
	}
}

// circle adds the clause against the cycle start → last → next[last] → ... → start.
func (e *encoding) circle(start, last int, next []int, model []bool) {
	var clause []int
	a := start
	for b := last; ; b = next[b] {
		if l := e.order(a, b); l != alwaysTrue {
			clause = append(clause, -l)
		}
		if a = b; b == start {
			break
		}
	}
	e.add(clause...)
}

// meets reports whether the values of a model meet the conditions, or adds a clause
// against the sources of one that is not met.
func (e *encoding) meets(model []bool) bool {
	all := true
	for _, c := range e.p.conds {
		in := e.order(c.node, e.p.cut)
		if in != alwaysTrue && model[abs(in)-1] != (in > 0) {
			continue
		}
		v := valuation{p: e.p, used: map[int]bool{}, choice: func(r int) int {
			return slices.IndexFunc(e.sees[r], func(v int) bool { return model[v-1] })
		}}
		value, ok := v.term(&c.term)
		if !ok && c.flip {
			e.unknown = true
		}
		if ok && (value != 0) == c.want || !ok && (e.lenient || !c.flip) {
			continue
		}
		all = false
		clause := []int{-in}
		for r := range v.used {
			clause = append(clause, -e.sees[r][v.choice(r)])
		}
		e.add(clause...)
	}
	return all
}

func abs(x int) int { return max(x, -x) }

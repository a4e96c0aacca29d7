package ptracer

import (
	"fmt"
	"slices"
	"strconv"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/diagnosis"
)

const (
	defaultWindow = 1 << 18 // events, about 30 MB
	// triesOfPair bounds the races of one pair that are diagnosed until one is feasible.
	triesOfPair = 8
)

// A diagnoser keeps the events of an execution, and the races that are diagnosed when the
// execution has ended.
type diagnoser struct {
	solver diagnosis.Solver // nil: races are reported without a diagnosis
	window int
	events []event.Event
	full   bool // there were more than window
	knows  bool // the trace has decisions, and tells on which reads they depend
	nested bool // a task was made under a lock, which may protect its accesses

	pairs map[pair][]event.Race
	order []pair // of the first race of each

	feasible, infeasible, unknown int64
	refuted                       int64 // pairs of accesses that happened and that no order lets race
	ordered                       int64 // races, not pairs, whose branch can decide otherwise
}

// A pair has the places of a race: races of the same pair are reported once.
type pair struct {
	first, second place
}

type place struct {
	site, stack uint32
	kind        event.Kind
	possible    bool
}

func placeOf(p event.Party) place { return place{p.Site, p.Stack, p.Kind, p.Branch != 0} }

// newDiagnoser reads the options diagnosis and window.
func newDiagnoser(option map[string]string) (*diagnoser, error) {
	g := &diagnoser{window: defaultWindow, pairs: map[pair][]event.Race{}}
	if w := option["window"]; w != "" {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("ptracer: window=%s: want a number of events", w)
		}
		g.window = n
	}
	how := option["diagnosis"]
	if how == "z3" || how == "both" {
		z, err := diagnosis.FindZ3()
		if err != nil {
			return nil, fmt.Errorf("ptracer: diagnosis=%s: %w", how, err)
		}
		g.solver = z
		if how == "both" {
			g.solver = diagnosis.Both{diagnosis.SAT{}, z}
		}
		return g, nil
	}
	switch how {
	case "", "sat":
		g.solver = diagnosis.SAT{}
	case "off":
	default:
		return nil, fmt.Errorf("ptracer: diagnosis=%s: want sat, z3, both or off", how)
	}
	return g, nil
}

// keep takes note of an event.
func (g *diagnoser) keep(e *event.Event) {
	if g.solver == nil || g.full {
		return
	}
	if len(g.events) >= g.window {
		g.full, g.events = true, nil
		return
	}
	g.knows = g.knows || e.Op == event.Branch
	k := *e
	k.Expr, k.Locks = slices.Clone(e.Expr), slices.Clone(e.Locks)
	g.events = append(g.events, k)
}

// postpone keeps a race for close, and reports whether it did: a possible race always, any
// other race if the trace has decisions or has tasks that were made under a lock.
func (g *diagnoser) postpone(r event.Race) bool {
	if g.solver == nil || r.First.Branch == 0 && r.Second.Branch == 0 && (g.full || !g.knows && !g.nested) {
		return false
	}
	p := pair{placeOf(r.First), placeOf(r.Second)}
	list := g.pairs[p]
	if list == nil {
		g.order = append(g.order, p)
	}
	if len(list) < triesOfPair {
		g.pairs[p] = append(list, r)
	}
	return true
}

// close reports each feasible pair as predicted, and each pair that it cannot judge as
// possible.
func (g *diagnoser) close(report func(event.Race)) {
	if len(g.order) == 0 {
		return
	}
	t := diagnosis.New(g.events)
	for _, p := range g.order {
		var open *event.Race
		feasible := false
		for _, r := range g.pairs[p] {
			verdict := diagnosis.Unknown
			if g.full {
				r.Note = fmt.Sprintf("not diagnosed: the run has more than window=%d events", g.window)
			} else {
				verdict = g.judge(t, &r)
			}
			if verdict == diagnosis.Feasible {
				report(r)
				feasible = true
				break
			}
			if verdict == diagnosis.Unknown && open == nil {
				open = &r
			}
		}
		if !p.first.possible && !p.second.possible {
			if !feasible && open == nil {
				g.refuted++
			} else if !feasible {
				report(*open)
			}
			continue
		}
		switch {
		case feasible:
			g.feasible++
		case open != nil:
			g.unknown++
			report(*open)
		default:
			g.infeasible++
		}
	}
}

// judge diagnoses one race, and completes its tier, note and schedule.
func (g *diagnoser) judge(t *diagnosis.Trace, r *event.Race) diagnosis.Verdict {
	q := diagnosis.Question{GivenUp: map[uint64][]uint64{}}
	var ready []int
	var held []uint64
	for _, p := range [2]event.Party{r.First, r.Second} {
		if p.Branch != 0 {
			q.Flip = append(q.Flip, p.Branch)
			locks := t.GivenUp(p, r.Addr, r.Size)
			q.GivenUp[p.Branch], held = locks, append(held, locks...)
		} else {
			if ready = t.Find(p, r.Addr, r.Size); ready == nil {
				r.Note = "not decided: the access is not among the events that were kept"
				return diagnosis.Unknown
			}
		}
	}
	if len(q.Flip) == 0 {
		return g.judgePair(t, r)
	}
	a := t.Decide(g.solver, q, ready)
	if a.Verdict == diagnosis.Infeasible && len(ready) > 0 {
		a = g.decideRivals(t, r, q, ready[0], a)
	}
	last := []uint32{r.First.Task, r.Second.Task}
	switch a.Verdict {
	case diagnosis.Feasible:
		r.Tier = event.TierPredicted
		r.Note = "the branch decides otherwise in this order: " + t.Text(a.Order) + "; then both accesses can come next"
		if r.Second.Branch != 0 {
			slices.Reverse(last) // the other side may have locks to take on the way
		}
		scheduled(r, t, a.Order, last, held...)
	case diagnosis.Infeasible:
		if a.Why == diagnosis.WhyOrdered {
			g.ordered++
		}
	case diagnosis.Unknown:
		r.Note = "not decided: " + a.Why
		if order := t.Guess(g.solver, q.Flip); order != nil {
			if r.First.Branch != 0 { // the decision is made, and a lock may be taken on the way to the other access
				slices.Reverse(last)
			}
			scheduled(r, t, order, last)
		}
	}
	return a.Verdict
}

// decideRivals returns the answer for the accesses that the one that happened represents, since one of
// these may race. a is the answer for the access that happened. If a rival races, r gets it as a party.
func (g *diagnoser) decideRivals(t *diagnosis.Trace, r *event.Race, q diagnosis.Question, happened int, a diagnosis.Answer) diagnosis.Answer {
	side, other := &r.First, &r.Second
	if r.Second.Branch != 0 {
		side, other = other, side
	}
	rivals, all := t.RivalsOf(*side, happened, r.Addr, r.Size, maxRivals)
	for _, i := range rivals {
		if b := t.Decide(g.solver, q, []int{i}); b.Verdict != diagnosis.Infeasible {
			if a = b; b.Verdict == diagnosis.Feasible {
				*other = t.PartyOf(i)
				break
			}
		}
	}
	if !all && a.Verdict == diagnosis.Infeasible {
		a = diagnosis.Answer{Why: tooManyRivals}
	}
	return a
}

// judgePair diagnoses a race of two accesses that happened. If only locks order them in this
// run, the race is predicted: the values that tasks read decide whether another order of the
// critical sections lets both tasks reach their accesses.
func (g *diagnoser) judgePair(t *diagnosis.Trace, r *event.Race) diagnosis.Verdict {
	first, second := t.Find(r.First, r.Addr, r.Size), t.Find(r.Second, r.Addr, r.Size)
	verdict := g.pairOf(t, r, first, second)
	if verdict != diagnosis.Infeasible {
		return verdict
	}
	// The two represent others, and a pair of these may race.
	rivals, all := t.Rivals(first[0], r.Addr, r.Size, maxRivals)
	for _, p := range rivals {
		x := *r
		x.First, x.Second = t.PartyOf(p[0]), t.PartyOf(p[1])
		switch g.pairOf(t, &x, p[:1], p[1:]) {
		case diagnosis.Feasible:
			*r = x
			return diagnosis.Feasible
		case diagnosis.Unknown:
			verdict, r.Tier, r.Note = diagnosis.Unknown, event.TierPredicted, x.Note
		}
	}
	if !all {
		verdict, r.Tier, r.Note = diagnosis.Unknown, event.TierPredicted, "not decided: "+tooManyRivals
	}
	return verdict
}

const (
	// maxRivals bounds the pairs that are diagnosed in place of the pair that the detector names.
	maxRivals     = 64
	tooManyRivals = "too many accesses to these bytes"
)

func (g *diagnoser) pairOf(t *diagnosis.Trace, r *event.Race, first, second []int) diagnosis.Verdict {
	for _, i := range first {
		for _, k := range second {
			if i < k && !t.Ordered(i, k) {
				return diagnosis.Feasible
			}
		}
	}
	a := t.DecidePair(g.solver, first, second)
	switch a.Verdict {
	case diagnosis.Feasible:
		r.Tier = event.TierPredicted
		r.Note = "both accesses can come next in this order: " + t.Text(a.Order)
		scheduled(r, t, a.Order, []uint32{r.First.Task, r.Second.Task})
	case diagnosis.Unknown:
		r.Tier = event.TierPredicted
		r.Note = "not decided: " + a.Why
	}
	return a.Verdict
}

// scheduled gives a race the schedule of an order, and says where no schedule can keep it.
func scheduled(r *event.Race, t *diagnosis.Trace, order []int, last []uint32, held ...uint64) {
	r.Schedule = t.Record(order, last, held...)
	if why := t.Unkept(order, last); why != "" {
		r.Note += "; " + why
	}
}

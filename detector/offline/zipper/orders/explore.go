package orders

import (
	"fmt"
	"slices"

	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper"
)

// A Config holds the parameters of an exploration.
type Config struct {
	// All runs every order, not one order of each equivalence class.
	All bool
	// Analysis finds the races of a graph with edges between all sections; nil: the
	// zipper algorithm. Without All it serves to confirm races.
	Analysis func(g *graph.Graph, report func(graph.Race)) error
	// Limit is the maximum number of runs; 0: no limit.
	Limit int
	// Graph, if not nil, is called for each analysed execution.
	Graph func(x *Execution, g *graph.Graph)
}

// A Result is the result of an exploration.
type Result struct {
	Orders    int  // executions whose graph was analysed
	Redundant int  // runs that turned out to be equivalent to an earlier run
	Complete  bool // all orders are covered, or a race was found
	Race      *Race
}

// A Race is a race, with an order of sections under which it occurs.
type Race struct {
	graph.Race
	Graph   *graph.Graph // of the execution in that order
	Choices []string     // the tasks of the sections in their order
}

// String returns the verdict in one line.
func (r Result) String() string {
	switch {
	case r.Race != nil:
		return fmt.Sprintf("race, with the sections in the order %v", r.Race.Choices)
	case r.Complete:
		return fmt.Sprintf("no race in any order: proof for this input (%d orders)", r.Orders)
	}
	return fmt.Sprintf("no race in %d orders: not all were tried", r.Orders)
}

// Explore runs the program in all orders that differ, or until an order has a race.
func Explore(run Run, c Config) (Result, error) {
	if c.Analysis == nil {
		var a zipper.Analyzer
		c.Analysis = func(g *graph.Graph, report func(graph.Race)) error { return a.Races(g, zipper.Auto, report) }
	}
	e := explorer{run: run, config: c}
	err := e.explore()
	return e.result, err
}

type explorer struct {
	run    Run
	config Config
	result Result
	order  zipper.Order
	points []*point // the points of the present run whose alternatives are kept
}

// A point is a Point with the choices explored there.
type point struct {
	ready  []string
	chosen string
	// section is the footprint of the section that chosen enters here.
	section graph.Footprint
	done    map[string]graph.Footprint // the choices explored, with their sections
	asleep  map[string]graph.Footprint // the choices that lead to orders explored before this point, with their sections
	wanted  map[string]bool            // the choices to explore
}

func (e *explorer) explore() error {
	var choices []string
	for {
		if e.config.Limit > 0 && e.result.Orders+e.result.Redundant >= e.config.Limit {
			return nil
		}
		x, err := e.run(choices)
		if err != nil {
			return fmt.Errorf("orders: the run with the choices %v: %w", choices, err)
		}
		g, err := graph.Build(x.Trace)
		if err != nil {
			return err
		}
		if err := e.order.Reset(g); err != nil {
			return err
		}
		if len(g.Sections) != len(x.Points) {
			return fmt.Errorf("orders: the trace has %d sections, the run made %d choices", len(g.Sections), len(x.Points))
		}
		redundant := e.enter(&x, g)
		if redundant {
			e.result.Redundant++
		} else {
			e.result.Orders++
			if e.config.Graph != nil {
				e.config.Graph(&x, g)
			}
			if err := e.analyse(&x, g); err != nil {
				return err
			}
			if e.result.Race != nil {
				e.result.Complete = true
				return nil
			}
		}
		if choices = e.next(); choices == nil {
			e.result.Complete = true
			return nil
		}
	}
}

// enter records the points of a run and adds the choices that they need. It reports
// whether the run is equivalent to an earlier one.
func (e *explorer) enter(x *Execution, g *graph.Graph) (redundant bool) {
	sections := g.Footprints()
	for i, p := range x.Points {
		if i == len(e.points) {
			q := &point{ready: p.Ready, done: map[string]graph.Footprint{}, wanted: map[string]bool{}}
			if i > 0 && !e.config.All {
				q.asleep = e.points[i-1].sleep()
			}
			if e.config.All {
				for _, r := range p.Ready {
					q.wanted[r] = true
				}
			}
			e.points = append(e.points, q)
		}
		q := e.points[i]
		q.chosen, q.section = p.Chosen, sections[i]
		q.wanted[p.Chosen] = true
		if _, ok := q.asleep[p.Chosen]; ok {
			redundant = true
			// Another choice may lead to a new order.
			for _, r := range q.ready {
				if _, ok := q.asleep[r]; !ok {
					q.wanted[r] = true
					break
				}
			}
			break
		}
	}
	if !e.config.All {
		e.reverse(x, g, sections)
	}
	return redundant
}

// sleep returns the choices that are asleep after p: the choices that were asleep at p
// or explored there, and whose sections commute with the section of the present choice.
func (p *point) sleep() map[string]graph.Footprint {
	s := map[string]graph.Footprint{}
	for _, m := range []map[string]graph.Footprint{p.asleep, p.done} {
		for task, f := range m {
			if task != p.chosen && !f.Conflicts(p.section) {
				s[task] = f
			}
		}
	}
	return s
}

// reverse adds, for each pair of conflicting sections that tasks leave unordered, a
// choice for a run in which the later section comes first.
func (e *explorer) reverse(x *Execution, g *graph.Graph, sections []graph.Footprint) {
	for j := range x.Points {
		for i := range min(j, len(e.points)) {
			p := e.points[i]
			if x.Points[i].Chosen == x.Points[j].Chosen || !sections[i].Conflicts(sections[j]) || !e.order.Branches(g.Sections[i].First, g.Sections[j].First) {
				continue
			}
			if later := x.Points[j].Chosen; slices.Contains(p.ready, later) {
				p.wanted[later] = true
			} else {
				for _, r := range p.ready {
					p.wanted[r] = true
				}
			}
		}
	}
}

// next returns the choices of the next run: another choice at the last point that has
// one. It returns nil if there is none.
func (e *explorer) next() []string {
	for n := len(e.points); n > 0; n-- {
		p := e.points[n-1]
		p.done[p.chosen] = p.section
		for _, r := range p.ready {
			_, done := p.done[r]
			_, asleep := p.asleep[r]
			if done || asleep || !p.wanted[r] {
				continue
			}
			p.chosen = r
			e.points = e.points[:n]
			choices := make([]string, n)
			for i, p := range e.points {
				choices[i] = p.chosen
			}
			return choices
		}
	}
	return nil
}

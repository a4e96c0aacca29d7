package orders

import (
	"fmt"
	"slices"

	"taskinstr/detector/graph"
	"taskinstr/detector/zipper"
)

// A Config says how to explore.
type Config struct {
	// All runs each order, not one of each class of equivalent ones.
	All bool
	// Analysis finds the races of one graph with edges between all sections; nil: the
	// zipper algorithm. With equivalent orders left out it serves to confirm races.
	Analysis func(g *graph.Graph, report func(graph.Race)) error
	// Limit is the greatest number of runs; 0: no limit.
	Limit int
	// Graph, if not nil, is told of each execution that is analysed.
	Graph func(x *Execution, g *graph.Graph)
}

// A Result is what Explore finds.
type Result struct {
	Orders    int  // executions whose graph was analysed
	Redundant int  // runs that turned out to be equivalent to an earlier one
	Complete  bool // all orders are covered, or a race was found
	Race      *Race
}

// A Race is a race and an order of sections under which the graph has it.
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

// Explore runs the program in all orders that differ, or until one has a race.
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
	points []*point // those of the present run whose alternatives are kept
}

// A point is a Point with what has been tried there.
type point struct {
	ready  []string
	chosen string
	// section is the footprint of the section that chosen enters here.
	section graph.Footprint
	done    map[string]graph.Footprint // choices that were explored, with their sections
	asleep  map[string]graph.Footprint // choices that lead to what was explored before this point
	wanted  map[string]bool            // choices to explore
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

// enter takes note of a run: what its points are, and which other choices they need.
// It reports whether the run is equivalent to an earlier one.
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
			// Another choice may lead to something new.
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

// sleep returns the choices that are asleep behind p: those that were asleep or were
// explored at p and whose sections commute with that of the present choice.
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

// reverse asks, for each pair of sections that conflict and that tasks leave
// unordered, for a run in which the later one comes first.
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

// next returns the choices of the next run, nil if there is none: another choice at
// the last point that has one.
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

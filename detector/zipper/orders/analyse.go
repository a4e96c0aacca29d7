package orders

import (
	"fmt"

	"taskinstr/detector/graph"
)

// analyse looks for a race in the orders that one execution stands for.
func (e *explorer) analyse(x *Execution, g *graph.Graph) error {
	if e.config.All || len(g.Sections) < 2 {
		return e.config.Analysis(g, func(r graph.Race) { e.found(x, g, r) })
	}
	c := g.Commuting()
	var race *graph.Race
	if err := c.Races(func(r graph.Race) {
		if race == nil {
			race = &r
		}
	}); err != nil || race == nil {
		return err
	}
	return e.confirm(x, c, *race)
}

func (e *explorer) found(x *Execution, g *graph.Graph, r graph.Race) {
	if e.result.Race == nil {
		e.result.Race = &Race{r, g, x.Choices()}
	}
}

// confirm runs the program in the equivalent order in which the graph with all edges
// has a race that the graph with edges between conflicting sections has: the sections
// that precede one of its nodes, the one that a node lies in last, and then the others.
func (e *explorer) confirm(x *Execution, c *graph.Graph, r graph.Race) error {
	closure, err := c.Closure()
	if err != nil {
		return err
	}
	const before, within, after = 0, 1, 2
	var order [3][]string
	for i, s := range c.Sections {
		when := after
		for _, n := range []int32{r.First, r.Second} {
			switch begun := s.First == n || closure.Precedes(s.First, n); {
			case begun && (s.Last == graph.None || s.Last == n || closure.Precedes(n, s.Last)):
				when = within
			case begun && when == after:
				when = before
			}
		}
		order[when] = append(order[when], x.Points[i].Chosen)
	}
	choices := append(append(order[before], order[within]...), order[after]...)
	y, err := e.run(choices)
	if err != nil {
		return fmt.Errorf("orders: the run with the choices %v, which has a race: %w", choices, err)
	}
	g, err := graph.Build(y.Trace)
	if err != nil {
		return err
	}
	err = e.config.Analysis(g, func(r graph.Race) { e.found(&y, g, r) })
	if err == nil && e.result.Race == nil {
		err = fmt.Errorf("orders: the run with the choices %v should have a race and has none: the program depends on something else", choices)
	}
	return err
}

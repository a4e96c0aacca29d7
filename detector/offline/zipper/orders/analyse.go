package orders

import (
	"fmt"

	"taskinstr/detector/offline/graph"
)

// analyse looks for a race in the orders that are equivalent to an execution's.
func (e *explorer) analyse(x *Execution, g *graph.Graph) error {
	if e.config.All || len(g.Sections) < 2 {
		return e.config.Analysis(g, func(r graph.Race) { e.found(x, g, r) })
	}
	order, found, err := Hidden(g)
	if err != nil || !found {
		return err
	}
	return e.confirm(x, order)
}

func (e *explorer) found(x *Execution, g *graph.Graph, r graph.Race) {
	if e.result.Race == nil {
		e.result.Race = &Race{r, g, x.Choices()}
	}
}

// Hidden looks for a race in the orders that are equivalent to an execution's, that is,
// differ from it only in sections that commute. If there is one, it returns the beginning
// of an order of the sections under which the graph with all edges has the race: first
// the sections that precede one of the two nodes, last the sections that contain one of
// them. The order after this beginning is open, because the race affects the next
// operations of its tasks. It is the first race, so that no earlier race affects the
// beginning.
func Hidden(g *graph.Graph) (order []int, found bool, err error) {
	c := g.Commuting()
	closure, err := c.Closure()
	if err != nil {
		return nil, false, err
	}
	var race graph.Race
	if err := c.Races(func(r graph.Race) {
		if !found {
			race, found = r, true
		}
	}); err != nil || !found {
		return nil, false, err
	}
	var before, within []int
	for i, s := range c.Sections {
		begun, open := false, false
		for _, n := range []int32{race.First, race.Second} {
			if s.First == n || closure.Precedes(s.First, n) {
				begun = true
				open = open || s.Last == graph.None || s.Last == n || closure.Precedes(n, s.Last)
			}
		}
		switch {
		case open:
			within = append(within, i)
		case begun:
			before = append(before, i)
		}
	}
	return append(before, within...), true, nil
}

// confirm runs the program with its sections in an equivalent order that has a race.
func (e *explorer) confirm(x *Execution, order []int) error {
	var choices []string
	for _, i := range order {
		choices = append(choices, x.Points[i].Chosen)
	}
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

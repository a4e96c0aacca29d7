package recorded

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper/orders"
	"taskinstr/detector/trace"
)

// Hidden looks for a race that the order of non-conflicting sections hides in this run.
// It returns the tasks that must enter sections, in an order in which a run shows the
// race. The order differs from the run's only in sections that commute.
func (r *Run) Hidden() (order []string, found bool, err error) {
	b := graph.NewBuilder()
	var at []int // by section of the graph: the number of its Lock event
	now := none
	m := r.plan.Mapper(func(e *event.Event) {
		if e.Op == event.Lock {
			at = append(at, now)
		}
		b.Event(e)
	})
	if err := r.each(func(t *trace.Reader, e *event.Event) {
		now++
		m.Event(t.Symbols, e)
	}); err != nil {
		return nil, false, err
	}
	m.Close()
	g, err := b.Graph()
	if err != nil {
		return nil, false, err
	}
	if len(at) != len(g.Sections) {
		return nil, false, lost("the graph has %d sections of %d Lock events", len(g.Sections), len(at))
	}
	if len(at) < 2 {
		return nil, false, nil
	}
	sections, found, err := orders.Hidden(g)
	if err != nil || !found {
		return nil, false, err
	}
	names := map[int]string{} // by event number
	for _, s := range r.Sections {
		names[s.First] = s.Name
	}
	for _, i := range sections {
		if n := names[at[i]]; n != "" {
			order = append(order, n)
		}
	}
	return order, true, nil
}

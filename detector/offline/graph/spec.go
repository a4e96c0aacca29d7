package graph

import (
	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "graph",
	Doc:     "transitive closure of the computation graph, every node against every other",
	Source:  "Nakade, Mercer, Aldous, McCarthy: Model-Checking Task Parallel Programs for Data-Race, NFM 2018",
	Model:   event.Finish | event.Escaping | event.Promises | event.Isolated | event.Locks,
	Theorem: theorem.SectionOrder,
	New:     newDetector,
}

type detector struct {
	*Builder
	config  event.Config
	refused error // why Close has not analysed the graph
}

func newDetector(c event.Config) (event.Detector, error) {
	return &detector{Builder: NewBuilder(), config: c}, nil
}

// Close analyses the complete graph and reports its races.
func (d *detector) Close() []event.Counter {
	g, err := d.Graph()
	races := int64(0)
	if err == nil {
		err = g.Races(func(r Race) {
			races++
			d.config.Report(g.Event(r))
		})
	}
	if err != nil {
		d.refused = err
		return nil
	}
	return append(g.Counters(), event.Counter{Name: "racing pairs of nodes", Value: races})
}

// Refused implements event.Refuser.
func (d *detector) Refused() error { return d.refused }

// Counters returns the sizes of the graph.
func (g *Graph) Counters() []event.Counter {
	kinds := [Wait + 1]int64{}
	for i := range g.Nodes {
		kinds[g.Nodes[i].Kind]++
	}
	list := []event.Counter{{Name: "nodes", Value: int64(len(g.Nodes))}}
	for k, n := range kinds {
		list = append(list, event.Counter{Name: Kind(k).String() + " nodes", Value: n})
	}
	return append(list,
		event.Counter{Name: "edges", Value: int64(len(g.edges))},
		event.Counter{Name: "sections", Value: int64(len(g.Sections))},
		event.Counter{Name: "intervals", Value: int64(len(g.intervals))})
}

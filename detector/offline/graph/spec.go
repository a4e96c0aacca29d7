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
	New: func(c event.Config) (event.Detector, error) {
		return NewDetector(c, (*Graph).Races), nil
	},
}

type detector struct {
	*Builder
	config  event.Config
	races   func(*Graph, func(Race)) error
	refused error // why Close has not analysed the graph
}

// NewDetector returns a detector that looks for the races of the complete graph with a function.
func NewDetector(c event.Config, races func(*Graph, func(Race)) error) event.Detector {
	return &detector{Builder: NewBuilder(), config: c, races: races}
}

// Close analyses the complete graph and reports its races, each pair of nodes once.
func (d *detector) Close() []event.Counter {
	g, err := d.Graph()
	pairs := map[[2]int32]bool{}
	if err == nil {
		err = d.races(g, func(r Race) {
			if p := [2]int32{r.First, r.Second}; !pairs[p] {
				pairs[p] = true
				d.config.Report(g.Event(r))
			}
		})
	}
	if err != nil {
		d.refused = err
		return nil
	}
	return append(g.Counters(), event.Counter{Name: "racing pairs of nodes", Value: int64(len(pairs))})
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

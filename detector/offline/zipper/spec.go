package zipper

import (
	"cmp"
	"fmt"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/theorem"
)

// A Method is a method of finding races, see the package comment.
type Method string

const (
	Auto    Method = "auto" // the closure for small graphs, ByIndex for others
	ByIndex Method = "index"
	ByPairs Method = "pairs"
)

func (m Method) check() error {
	if m != Auto && m != ByIndex && m != ByPairs {
		return fmt.Errorf("zipper: no %s %q; there are %s, %s and %s", optionMethod, m, Auto, ByIndex, ByPairs)
	}
	return nil
}

// smallGraph is the maximum number of nodes for which Auto uses the closure: a row of it
// is one word then, and no method is faster.
const smallGraph = 64

// An Analyzer finds the races of one graph after the other and reuses its memory. The
// zero value is ready.
type Analyzer struct {
	order   Order
	index   Index
	closure graph.Closure // for Auto
}

// Races finds the races of a graph. It returns an error if the graph is outside of the
// model.
func (a *Analyzer) Races(g *graph.Graph, m Method, report func(graph.Race)) error {
	if err := m.check(); err != nil {
		return err
	}
	if x := g.Outside; m == Auto && len(g.Nodes) <= smallGraph && x.Escaped+x.Promises+x.Shared+x.Locks == 0 {
		return a.closure.Races(g, report)
	}
	if err := a.order.Reset(g); err != nil {
		return err
	}
	if m == ByPairs {
		a.order.Pairs(report)
	} else {
		a.index.Races(&a.order, report)
	}
	return nil
}

// Races finds the races of a graph. It returns an error if the graph is outside of the
// model.
func Races(g *graph.Graph, m Method, report func(graph.Race)) error {
	return new(Analyzer).Races(g, m, report)
}

const optionMethod = "method"

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "zipper",
	Doc:     "parallel nodes of the computation graph by zippers of isolated sections",
	Source:  "Storey, Powell, Ogles, Hooker, Aldous, Mercer: Optimized Sound and Complete Data Race Detection in Structured Parallel Programs",
	Model:   event.Finish | event.Isolated,
	Theorem: theorem.SectionOrder,
	Options: []event.Option{{
		Name:   optionMethod,
		Doc:    "index compares the accesses of each byte, pairs the sets of all parallel nodes, as in the paper; auto is index for graphs of more than 64 nodes",
		Values: []string{string(Auto), string(ByIndex), string(ByPairs)},
	}},
	New: func(c event.Config) (event.Detector, error) {
		m := cmp.Or(Method(c.Option[optionMethod]), Auto)
		if err := m.check(); err != nil {
			return nil, err
		}
		return graph.NewDetector(c, func(g *graph.Graph, report func(graph.Race)) error { return Races(g, m, report) }), nil
	},
}

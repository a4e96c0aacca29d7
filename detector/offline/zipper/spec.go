package zipper

import (
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
	switch m {
	case Auto:
		if x := g.Outside; len(g.Nodes) <= smallGraph && x.Escaped+x.Promises+x.Shared+x.Locks == 0 {
			return a.closure.Races(g, report)
		}
	case ByIndex, ByPairs:
	default:
		return fmt.Errorf("zipper: no method %q; there are %s, %s and %s", m, Auto, ByIndex, ByPairs)
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
	New: newDetector,
}

type detector struct {
	*graph.Builder
	config  event.Config
	method  Method
	refused error // why Close has not analysed the graph
}

func newDetector(c event.Config) (event.Detector, error) {
	m := Method(c.Option[optionMethod])
	switch m {
	case "":
		m = Auto
	case Auto, ByIndex, ByPairs:
	default:
		return nil, fmt.Errorf("zipper: option %s is %q; there are %s, %s and %s", optionMethod, m, Auto, ByIndex, ByPairs)
	}
	return &detector{Builder: graph.NewBuilder(), config: c, method: m}, nil
}

// Refused implements event.Refuser.
func (d *detector) Refused() error { return d.refused }

// Close analyses the complete graph and reports its races.
func (d *detector) Close() []event.Counter {
	g, err := d.Graph()
	pairs := map[[2]int32]bool{}
	if err == nil {
		err = Races(g, d.method, func(r graph.Race) {
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

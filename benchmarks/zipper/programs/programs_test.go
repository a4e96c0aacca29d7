package programs

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper/orders"
	"taskinstr/detector/offline/zipper/orders/model"
)

// Each program has the paper's verdict in all orders, with each exploration, and about as
// many nodes.
func TestTable(t *testing.T) {
	for _, p := range Table {
		t.Run(p.Name, func(t *testing.T) {
			run := model.Runner(p.Run, nil)
			x, err := run(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := event.Check(x.Trace); err != nil {
				t.Fatal(err)
			}
			g, err := graph.Build(x.Trace)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(g.Nodes); 4*n < 3*p.Paper.Nodes-8 || 4*n > 5*p.Paper.Nodes+8 {
				t.Errorf("%d nodes, in the paper %d", n, p.Paper.Nodes)
			}
			if (len(g.Sections) > 0) != p.Isolation {
				t.Errorf("%d sections", len(g.Sections))
			}
			for _, all := range []bool{false, true} {
				r, err := orders.Explore(run, orders.Config{All: all, Limit: 100_000})
				if err != nil {
					t.Fatal(err)
				}
				if (r.Race != nil) != p.Race || !r.Complete {
					t.Errorf("all %v: %v", all, r)
				}
				t.Logf("%d nodes; all %v: %v", len(g.Nodes), all, r.Orders)
			}
		})
	}
}

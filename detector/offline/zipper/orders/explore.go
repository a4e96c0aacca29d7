package orders

import (
	"fmt"

	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper"
	"taskinstr/detector/schedule/dfs"
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
	paths  dfs.Explorer
}

func (e *explorer) explore() error {
	for e.config.Limit == 0 || e.paths.Runs < e.config.Limit {
		choices, left := e.paths.Next()
		if !left {
			e.result.Complete = true
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
		if len(g.Sections) != len(x.Points) {
			return fmt.Errorf("orders: the trace has %d sections, the run made %d choices", len(g.Sections), len(x.Points))
		}
		if err := e.paths.Done(e.sections(&x, g)); err != nil {
			return err
		}
		e.result.Redundant = e.paths.Runs - e.paths.Orders
		if e.result.Orders == e.paths.Orders {
			continue
		}
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
	return nil
}

// sections returns the points of a run as choices of sections of one lock. With Config.All their
// accesses are unknown, so that all of them conflict.
func (e *explorer) sections(x *Execution, g *graph.Graph) []dfs.Choice {
	list := make([]dfs.Choice, len(x.Points))
	for i, f := range g.Footprints() {
		c := dfs.Choice{Task: x.Points[i].Chosen, Known: !e.config.All}
		for _, r := range x.Points[i].Ready {
			c.Candidates = append(c.Candidates, dfs.Candidate{Task: r})
		}
		for _, a := range f.Reads {
			c.Accesses = append(c.Accesses, dfs.Access{Lo: a.Lo, Hi: a.Hi})
		}
		for _, a := range f.Writes {
			c.Accesses = append(c.Accesses, dfs.Access{Lo: a.Lo, Hi: a.Hi, Write: true})
		}
		list[i] = c
	}
	return list
}

// Command zipper measures the analyses of computation graphs on the programs of table 3
// of the paper on Zipper, and on large graphs. It prints tables in Markdown, with the
// paper's figures:
//
//	go run ./benchmarks/zipper [-reps N] [-large=false]
//
// Each program is run in all orders of its isolated sections, up to the first race. The
// time is the time of analysing the graphs of all these runs, with each analysis: the
// transitive closure (package detector/offline/graph), Zipper with all parallel pairs as in the
// paper, and Zipper with an index by bytes (package detector/offline/zipper). The paper's times
// include the runs under a model checker.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"taskinstr/benchmarks/cputime"
	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/zipper/programs"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper"
	"taskinstr/detector/offline/zipper/orders"
	"taskinstr/detector/offline/zipper/orders/model"
)

func main() {
	reps := flag.Int("reps", 5, "measurements, of which the median is printed")
	large := flag.Bool("large", true, "measure the graphs of 100,000 nodes, too")
	flag.Parse()
	if *reps < 1 {
		fmt.Fprintln(os.Stderr, "zipper: -reps must be at least 1")
		os.Exit(2)
	}
	err := table(*reps)
	if err == nil && *large {
		err = largeTable(*reps)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "zipper:", err)
		os.Exit(1)
	}
}

// An analysis finds the races of one graph.
type analysis func(g *graph.Graph, report func(graph.Race)) error

func analyses() []analysis {
	by := func(m zipper.Method) analysis {
		var a zipper.Analyzer
		return func(g *graph.Graph, report func(graph.Race)) error { return a.Races(g, m, report) }
	}
	return []analysis{(*graph.Graph).Races, by(zipper.ByPairs), by(zipper.ByIndex), by(zipper.Auto)}
}

func table(reps int) error {
	fmt.Println("| program | nodes (paper) | isolation | race | orders | graph µs | pairs µs | index µs | zipper µs | graph / zipper | paper: CG ms | Zipper ms | CG / Zipper |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	var ratios, papers []float64
	for _, p := range programs.Table {
		var graphs []*graph.Graph
		r, err := orders.Explore(model.Runner(p.Run, nil), orders.Config{
			All:   true,
			Graph: func(_ *orders.Execution, g *graph.Graph) { graphs = append(graphs, g) },
		})
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		if (r.Race != nil) != p.Race {
			return fmt.Errorf("%s: %v", p.Name, r)
		}
		times, err := timesOf(reps, graphs, analyses(), p.Race)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		ratio, paper := times[0]/times[3], p.Paper.Graph/p.Paper.Zipper
		ratios, papers = append(ratios, ratio), append(papers, paper)
		fmt.Printf("| %s | %d (%d) | %s | %s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f | %.1f |\n", p.Name, len(graphs[0].Nodes), p.Paper.Nodes,
			mark(p.Isolation), mark(p.Race), len(graphs), times[0], times[1], times[2], times[3], ratio, p.Paper.Graph, p.Paper.Zipper, paper)
	}
	fmt.Printf("| geometric mean | | | | | | | | | **%.1f** | | | **%.1f** |\n", measure.GeometricMean(ratios), measure.GeometricMean(papers))
	return nil
}

func mark(b bool) string {
	if b {
		return "Y"
	}
	return "-"
}

// leastTime is the minimum duration of a measurement: short analyses are repeated.
const leastTime = 10 * time.Millisecond

// timesOf returns, for each analysis, the median processor time in microseconds of
// analysing all graphs. The analyses take turns, so that a change of the machine's speed
// affects all of them, and no analysis pays for the garbage of another.
func timesOf(reps int, graphs []*graph.Graph, list []analysis, race bool) ([]float64, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	times := make([][]float64, len(list))
	for range reps {
		for i, a := range list {
			runtime.GC()
			rounds, begin := 0, cputime.Used()
			for batch := 1; rounds == 0 || cputime.Used()-begin < leastTime; batch *= 2 { // doubling, because asking for the time takes time
				for range batch {
					rounds++
					found := false
					for _, g := range graphs {
						if err := a(g, func(graph.Race) { found = true }); err != nil {
							return nil, err
						}
					}
					if found != race {
						return nil, fmt.Errorf("an analysis finds a race: %v, want %v", found, race)
					}
				}
			}
			times[i] = append(times[i], float64((cputime.Used()-begin).Nanoseconds())/1e3/float64(rounds))
		}
	}
	medians := make([]float64, len(list))
	for i := range list {
		medians[i] = measure.Median(times[i])
	}
	return medians, nil
}

func largeTable(reps int) error {
	fmt.Println()
	fmt.Println("| large graph | nodes | sections | race | building it, ms | zipper, ms |")
	fmt.Println("|---|---|---|---|---|---|")
	for _, p := range programs.LargeTable {
		x, err := model.Runner(p.Run, nil)(nil)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		var g *graph.Graph
		build := make([]float64, reps)
		for i := range build {
			begin := cputime.Used()
			if g, err = graph.Build(x.Trace); err != nil {
				return err
			}
			build[i] = float64((cputime.Used() - begin).Microseconds()) / 1e3
		}
		us, err := timesOf(reps, []*graph.Graph{g}, analyses()[3:], p.Race)
		if err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		fmt.Printf("| %s | %d | %d | %s | %.0f | %.0f |\n", p.Name, len(g.Nodes), len(g.Sections), mark(p.Race), measure.Median(build), us[0]/1e3)
	}
	return nil
}

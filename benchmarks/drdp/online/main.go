// Command online measures -detector=drdp on the seven programs of the DRDP paper: the
// ratio of its processor time to the plain program's on one processor, with all passes,
// with all but affine and without passes, and the detector's counters.
//
//	go run ./benchmarks/drdp/online [-taskinstr PATH] [-size medium] [-runs 5] [-program matmul,sort] [-csv FILE]
package main

import (
	"flag"
	"fmt"
	"os"

	"taskinstr/benchmarks/modes"
)

// seven lists the programs of the paper.
var seven = []string{"health", "matmul", "knapsack", "sort", "strassen", "sparselu", "poisson"}

var columns = []modes.Mode{
	{Name: "plain", Args: []string{"build"}, Procs: "1"},
	{Name: "all passes", Args: []string{"build", "-detector=drdp", "-scope=program", "-passes=all"}, Own: true, Procs: "1"},
	{Name: "all but affine", Args: []string{"build", "-detector=drdp", "-scope=program", "-passes=all,-affine"}, Own: true, Procs: "1"},
	{Name: "no passes", Args: []string{"build", "-detector=drdp", "-passes=none"}, Own: true, Procs: "1"},
}

// others are the columns behind the factors: the factors of the paper's table 2, memory, and counters with all passes.
var others = []modes.Other{
	modes.Given("paper", map[string]string{
		"health": "21.2", "knapsack": "5.0", "matmul": "20.6", "sort": "41.4", "strassen": "29.2", "sparselu": "28.1", "poisson": "46.1",
	}),
	modes.Megabytes(0, "MB, plain"),
	modes.Megabytes(1, "MB, drdp"),
	modes.Counter(1, "tasks", "tasks forked"),
	modes.Counter(1, "height", "height of the structure tree"),
	modes.Counter(1, "tree joins", "joins of the tree"),
	modes.Counter(1, "other joins", "other joins"),
	modes.Counter(1, "checks of order", "checks of order"),
	modes.Counter(1, "searches", "searches"),
	modes.Counter(1, "visited", "places visited by searches"),
	modes.Counter(1, "histories changed", "histories changed"),
}

func main() {
	t := modes.Table{Suite: "drdp", Others: others}
	parsed := t.Flags(seven)
	count := flag.Int("modes", len(columns), "how many modes: 2 leaves the other passes out")
	flag.Parse()
	parsed()
	t.Modes = columns[:max(2, min(*count, len(columns)))]
	if err := t.Print("go run ./benchmarks/drdp/online"); err != nil {
		fmt.Fprintln(os.Stderr, "online:", err)
		os.Exit(1)
	}
}

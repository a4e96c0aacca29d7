// Command online measures -detector=drdp on the seven programs of the DRDP paper: the
// ratio of its processor time to the plain program's on one processor, with all passes,
// with all but affine and without passes, and the detector's counters.
//
//	go run ./benchmarks/drdp/online [-taskinstr PATH] [-size medium] [-runs 5] [-program matmul,sort]
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

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

// counters holds the columns of the second table and the detector's names for them.
var counters = [][2]string{
	{"tasks", "tasks forked"},
	{"height", "height of the structure tree"},
	{"tree joins", "joins of the tree"},
	{"non-tree joins", "other joins"},
	{"checks", "checks of order"},
	{"searches", "searches"},
	{"visited", "places visited by searches"},
	{"histories changed", "histories changed"},
	{"MB", "detector bytes"},
}

func main() {
	t := modes.Table{Suite: "drdp"}
	parsed := t.Flags(seven)
	count := flag.Int("modes", len(columns), "how many modes: 2 leaves the other passes out")
	flag.Parse()
	parsed()
	t.Modes = columns[:max(2, min(*count, len(columns)))]
	if err := tables(t); err != nil {
		fmt.Fprintln(os.Stderr, "online:", err)
		os.Exit(1)
	}
}

// tables prints the table of times and the table of counters.
func tables(t modes.Table) error {
	var counted [][]string
	err := t.Print(func(p string, outputs []string) {
		for i, out := range outputs[1:] {
			counted = append(counted, row(p, t.Modes[i+1].Name, out))
		}
	})
	if err != nil {
		return err
	}
	fmt.Println()
	head := []string{"program", "passes"}
	for _, c := range counters {
		head = append(head, c[0])
	}
	modes.Row(head...)
	fmt.Println("|" + strings.Repeat("---|", len(head)))
	for _, r := range counted {
		modes.Row(r...)
	}
	return nil
}

// row returns a row of the second table, taken from the output of a program.
func row(program, mode, out string) []string {
	cells := []string{program, mode}
	for _, c := range counters {
		n := uint64(0)
		if m := regexp.MustCompile(`(?m)^\s*` + c[1] + ` +(\d+)`).FindStringSubmatch(out); m != nil {
			n, _ = strconv.ParseUint(m[1], 10, 64)
		}
		if c[0] == "MB" {
			n >>= 20
		}
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

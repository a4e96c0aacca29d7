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
	tool := flag.String("taskinstr", "taskinstr", "the program to build with")
	size := flag.String("size", "medium", "small, medium or large")
	runs := flag.Int("runs", 5, "runs of each program and mode; the table has medians")
	programs := flag.String("program", strings.Join(seven, ","), "which programs")
	count := flag.Int("modes", len(columns), "how many modes: 2 leaves the other passes out")
	flag.Parse()
	columns = columns[:max(2, min(*count, len(columns)))]
	if err := table(*tool, *size, *runs, strings.Split(*programs, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "online:", err)
		os.Exit(1)
	}
}

func table(tool, size string, runs int, programs []string) error {
	built, err := modes.Build(tool, columns)
	if err != nil {
		return err
	}
	defer built.Close()
	fmt.Print("| program | plain, s |")
	for _, m := range columns[1:] {
		fmt.Printf(" %s |", m.Name)
	}
	fmt.Println("\n|---|---|" + strings.Repeat("---|", len(columns)-1))
	factors := make([][]float64, len(columns))
	var counted []string
	for _, p := range programs {
		outputs := make([]string, len(columns))
		times, err := built.Times("drdp/"+p, size, runs, func(i int, out string) { outputs[i] = out })
		if err != nil {
			return err
		}
		for i, out := range outputs[1:] {
			counted = append(counted, row(p, columns[i+1].Name, out))
		}
		fmt.Printf("| %s | %.2f |", p, times[0])
		for i, t := range times[1:] {
			factors[i+1] = append(factors[i+1], t/times[0])
			fmt.Printf(" %.2f |", t/times[0])
		}
		fmt.Println()
	}
	fmt.Print("| geometric mean | |")
	for _, list := range factors[1:] {
		fmt.Printf(" **%.2f** |", modes.GeometricMean(list))
	}
	fmt.Print("\n\n| program | passes |")
	for _, c := range counters {
		fmt.Printf(" %s |", c[0])
	}
	fmt.Println("\n|---|---|" + strings.Repeat("---|", len(counters)))
	for _, r := range counted {
		fmt.Println(r)
	}
	return nil
}

// row returns a row of the second table, taken from the output of a program.
func row(program, mode, out string) string {
	b := fmt.Sprintf("| %s | %s |", program, mode)
	for _, c := range counters {
		n := uint64(0)
		if m := regexp.MustCompile(`(?m)^\s*` + c[1] + ` +(\d+)`).FindStringSubmatch(out); m != nil {
			n, _ = strconv.ParseUint(m[1], 10, 64)
		}
		if c[0] == "MB" {
			n >>= 20
		}
		b += fmt.Sprintf(" %d |", n)
	}
	return b
}

// Command online measures -detector=drdp on the seven programs of the DRDP paper: the
// processor time against plain execution on one processor, with all passes, with all but
// affine and with none, and what the detector counts.
//
//	go run ./benchmarks/drdp/online [-taskinstr PATH] [-size medium] [-runs 5] [-program matmul,sort]
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// seven are the programs of the paper.
var seven = []string{"health", "matmul", "knapsack", "sort", "strassen", "sparselu", "poisson"}

// A mode is a way to build the programs.
type mode struct {
	name string
	args []string // in front of -o
	own  bool     // built by taskinstr
}

var modes = []mode{
	{"plain", []string{"build"}, false},
	{"all passes", []string{"build", "-detector=drdp", "-passes=all"}, true},
	{"all but affine", []string{"build", "-detector=drdp", "-passes=all,-affine"}, true},
	{"no passes", []string{"build", "-detector=drdp", "-passes=none"}, true},
}

// counters are columns of the second table and the names that the detector gives them.
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
	count := flag.Int("modes", len(modes), "how many modes: 2 leaves the other passes out")
	flag.Parse()
	modes = modes[:max(2, min(*count, len(modes)))]
	if err := table(*tool, *size, *runs, strings.Split(*programs, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "online:", err)
		os.Exit(1)
	}
}

func table(tool, size string, runs int, programs []string) error {
	dir, err := os.MkdirTemp("", "drdp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i, m := range modes {
		name := "go"
		if m.own {
			name = tool
		}
		cmd := exec.Command(name, append(slices.Clone(m.args), "-o", filepath.Join(dir, fmt.Sprint(i)), "./benchmarks/run")...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", cmd, err)
		}
	}
	fmt.Print("| program | plain, s |")
	for _, m := range modes[1:] {
		fmt.Printf(" %s |", m.name)
	}
	fmt.Println("\n|---|---|" + strings.Repeat("---|", len(modes)-1))
	logs := make([]float64, len(modes))
	var counted []string
	for _, p := range programs {
		times := make([][]float64, len(modes))
		for k := range runs {
			for i := range modes {
				t, out, err := run(filepath.Join(dir, fmt.Sprint(i)), "drdp/"+p, size)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p, modes[i].name, err)
				}
				times[i] = append(times[i], t)
				if i > 0 && k == 0 {
					counted = append(counted, row(p, modes[i].name, out))
				}
			}
		}
		plain := median(times[0])
		fmt.Printf("| %s | %.2f |", p, plain)
		for i := range modes[1:] {
			factor := median(times[i+1]) / plain
			logs[i+1] += math.Log(factor)
			fmt.Printf(" %.2f |", factor)
		}
		fmt.Println()
	}
	fmt.Print("| geometric mean | |")
	for i := range modes[1:] {
		fmt.Printf(" **%.2f** |", math.Exp(logs[i+1]/float64(len(programs))))
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

// row is a row of the second table, from what a program printed.
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

// run returns the processor time of one run, in seconds, and what it printed.
func run(binary, program, size string) (seconds float64, out string, err error) {
	cmd := exec.Command(binary, "-program", program, "-size", size)
	cmd.Env = append(os.Environ(), "TASKINSTR=stats=1", "GOMAXPROCS=1")
	b, err := cmd.CombinedOutput()
	if err != nil {
		return 0, "", fmt.Errorf("%w\n%s", err, b)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), string(b), nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// Command table3 makes table 3 of Raman et al., Efficient Data Race Detection for
// Async-Finish Parallelism, for -detector=espbags: the number of tasks of each of the
// twelve programs, and its processor time against plain execution on one processor, with
// no passes and with all, beside the parallel engine with all passes and -race.
//
//	go run ./benchmarks/table3 [-taskinstr PATH] [-size medium] [-runs 5] [-program sor,crypt] [-race=false]
//
// With -worth it makes figure 14, the saving of each pass; with -compile it measures the time of
// builds. The programs are structured: a WaitGroup is a finish, and wg.Go an async.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"

	"taskinstr/benchmarks/modes"
)

// twelve are the programs of the paper.
var twelve = []string{"crypt", "lufact", "moldyn", "montecarlo", "raytracer", "series", "sor", "sparse", "fannkuch", "fasta", "mandelbrot", "matmul"}

var columns = []modes.Mode{
	{Name: "plain", Args: []string{"build"}, Procs: "1"},
	{Name: "no passes", Args: []string{"build", "-detector=espbags", "-passes=none"}, Own: true, Procs: "1"},
	{Name: "all passes", Args: []string{"build", "-detector=espbags", "-scope=program", "-passes=all"}, Own: true, Procs: "1"},
	{Name: "parallel engine", Args: []string{"build", "-scope=program", "-passes=all"}, Own: true},
	{Name: "-race", Args: []string{"build", "-race"}},
}

func main() {
	t := modes.Table{Suite: "taskchecker", Count: "tasks", Of: forks}
	parsed := t.Flags(twelve)
	race := flag.Bool("race", true, "measure -race as well")
	each := flag.Bool("worth", false, "measure each pass alone, and all but each, instead")
	builds := flag.Bool("compile", false, "measure builds instead")
	flag.Parse()
	parsed()
	t.Modes = columns
	if !*race {
		t.Modes = columns[:len(columns)-1]
	}
	var err error
	switch {
	case *builds:
		err = compile(t.Tool, t.Runs)
	case *each:
		err = worth(t)
	default:
		err = t.Print(nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table3:", err)
		os.Exit(1)
	}
}

// forked matches the number of tasks among the counters at exit.
var forked = regexp.MustCompile(`tasks forked +(\d+)`)

// forks returns the number of tasks of a program.
func forks(outputs []string) (tasks string) {
	for _, out := range outputs {
		if n := forked.FindStringSubmatch(out); n != nil {
			tasks = n[1]
		}
	}
	return tasks
}

// Command table3 makes table 3 of Raman et al., Efficient Data Race Detection for
// Async-Finish Parallelism, for -detector=espbags: the number of tasks of each of the
// twelve programs, and its processor time against plain execution on one processor, with
// no passes and with all, beside the parallel engine with all passes and -race.
//
//	go run ./benchmarks/table3 [-taskinstr PATH] [-size medium] [-runs 5] [-program sor,crypt] [-race=false] [-csv FILE]
//
// With -worth it makes figure 14, the saving of each pass; with -compile it measures the time of
// builds. The programs are structured: a WaitGroup is a finish, and wg.Go an async.
package main

import (
	"flag"
	"fmt"
	"os"

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

// others are the columns behind the factors: the number of tasks, and the factors of the paper.
var others = []modes.Other{
	modes.Counter(1, "tasks", "tasks forked"),
	modes.Given("paper: none", map[string]string{
		"crypt": "7.63", "lufact": "12.45", "moldyn": "10.57", "montecarlo": "1.99", "raytracer": "11.89", "series": "1.01",
		"sor": "14.99", "sparse": "12.79", "fannkuch": "1.49", "fasta": "3.88", "mandelbrot": "1.02", "matmul": "6.43",
	}),
	modes.Given("paper: all", map[string]string{
		"crypt": "7.29", "lufact": "10.08", "moldyn": "3.93", "montecarlo": "1.57", "raytracer": "9.48", "series": "1.00",
		"sor": "9.05", "sparse": "2.73", "fannkuch": "1.38", "fasta": "3.73", "mandelbrot": "1.02", "matmul": "1.16",
	}),
}

func main() {
	t := modes.Table{Suite: "taskchecker", Others: others}
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
		err = t.Print("go run ./benchmarks/table3")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table3:", err)
		os.Exit(1)
	}
}

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
	"strings"

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
	tool := flag.String("taskinstr", "taskinstr", "the program to build with")
	size := flag.String("size", "medium", "small, medium or large")
	runs := flag.Int("runs", 5, "runs of each program and mode; the table has medians")
	programs := flag.String("program", strings.Join(twelve, ","), "which programs")
	race := flag.Bool("race", true, "measure -race as well")
	each := flag.Bool("worth", false, "measure each pass alone, and all but each, instead")
	builds := flag.Bool("compile", false, "measure builds instead")
	flag.Parse()
	if !*race {
		columns = columns[:len(columns)-1]
	}
	var err error
	switch list := strings.Split(*programs, ","); {
	case *builds:
		err = compile(*tool, *runs)
	case *each:
		err = worth(*tool, *size, *runs, list)
	default:
		err = table(*tool, *size, *runs, list)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "table3:", err)
		os.Exit(1)
	}
}

func table(tool, size string, runs int, programs []string) error {
	built, err := modes.Build(tool, columns)
	if err != nil {
		return err
	}
	defer built.Close()
	fmt.Print("| program | tasks | plain, s |")
	for _, m := range columns[1:] {
		fmt.Printf(" %s |", m.Name)
	}
	fmt.Println("\n|---|---|---|" + strings.Repeat("---|", len(columns)-1))
	factors := make([][]float64, len(columns))
	for _, p := range programs {
		tasks := ""
		times, err := built.Times("taskchecker/"+p, size, runs, func(_ int, out string) {
			if n := forked.FindStringSubmatch(out); n != nil {
				tasks = n[1]
			}
		})
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s | %.2f |", p, tasks, times[0])
		for i, t := range times[1:] {
			factors[i+1] = append(factors[i+1], t/times[0])
			fmt.Printf(" %.2f |", t/times[0])
		}
		fmt.Println()
	}
	fmt.Print("| geometric mean | | |")
	for _, list := range factors[1:] {
		fmt.Printf(" **%.2f** |", modes.GeometricMean(list))
	}
	fmt.Println()
	return nil
}

// forked matches the number of tasks among the counters at exit.
var forked = regexp.MustCompile(`tasks forked +(\d+)`)

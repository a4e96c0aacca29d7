// Command table3 makes table 3 of Raman et al., Efficient Data Race Detection for
// Async-Finish Parallelism, for -detector=espbags: the number of tasks of each of the
// twelve programs, and its processor time against plain execution on one processor, with
// no passes and with all, beside the parallel engine with all passes and -race.
//
//	go run ./benchmarks/table3 [-taskinstr PATH] [-size medium] [-runs 5] [-program sor,crypt] [-race=false]
//
// With -worth it makes figure 14, what each pass saves; with -compile it measures what
// builds take. The programs are structured: a WaitGroup is a finish, and wg.Go an async.
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
	"strings"
)

// twelve are the programs of the paper.
var twelve = []string{"crypt", "lufact", "moldyn", "montecarlo", "raytracer", "series", "sor", "sparse", "fannkuch", "fasta", "mandelbrot", "matmul"}

// A mode is a way to build and run the programs.
type mode struct {
	name  string
	args  []string // in front of -o
	own   bool     // built by taskinstr
	procs string   // GOMAXPROCS
}

var modes = []mode{
	{"plain", []string{"build"}, false, "1"},
	{"no passes", []string{"build", "-detector=espbags", "-passes=none"}, true, "1"},
	{"all passes", []string{"build", "-detector=espbags", "-passes=all"}, true, "1"},
	{"parallel engine", []string{"build", "-passes=all"}, true, ""},
	{"-race", []string{"build", "-race"}, false, ""},
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
		modes = modes[:len(modes)-1]
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
	dir, err := os.MkdirTemp("", "table3")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := build(dir, tool, modes); err != nil {
		return err
	}
	fmt.Print("| program | tasks | plain, s |")
	for _, m := range modes[1:] {
		fmt.Printf(" %s |", m.name)
	}
	fmt.Println("\n|---|---|---|" + strings.Repeat("---|", len(modes)-1))
	logs := make([]float64, len(modes))
	for _, p := range programs {
		times := make([][]float64, len(modes))
		tasks := ""
		for range runs {
			for i, m := range modes {
				t, out, err := run(filepath.Join(dir, fmt.Sprint(i)), "taskchecker/"+p, size, m)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", p, m.name, err)
				}
				times[i] = append(times[i], t)
				if n := forked.FindStringSubmatch(out); n != nil {
					tasks = n[1]
				}
			}
		}
		plain := median(times[0])
		fmt.Printf("| %s | %s | %.2f |", p, tasks, plain)
		for i := range modes[1:] {
			factor := median(times[i+1]) / plain
			logs[i+1] += math.Log(factor)
			fmt.Printf(" %.2f |", factor)
		}
		fmt.Println()
	}
	fmt.Print("| geometric mean | | |")
	for i := range modes[1:] {
		fmt.Printf(" **%.2f** |", math.Exp(logs[i+1]/float64(len(programs))))
	}
	fmt.Println()
	return nil
}

// build builds the programs in each mode, into files of dir that the modes' numbers name.
func build(dir, tool string, list []mode) error {
	for i, m := range list {
		cmd := exec.Command(m.command(tool), append(slices.Clone(m.args), "-o", filepath.Join(dir, fmt.Sprint(i)), "./benchmarks/run")...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", cmd, err)
		}
	}
	return nil
}

// command returns what builds a mode.
func (m mode) command(tool string) string {
	if m.own {
		return tool
	}
	return "go"
}

// forked matches the number of tasks among the counters at exit.
var forked = regexp.MustCompile(`tasks forked +(\d+)`)

// run returns the processor time of one run, in seconds, and what it printed.
func run(binary, program, size string, m mode) (seconds float64, out string, err error) {
	cmd := exec.Command(binary, "-program", program, "-size", size)
	cmd.Env = append(os.Environ(), "TASKINSTR=stats=1")
	if m.procs != "" {
		cmd.Env = append(cmd.Env, "GOMAXPROCS="+m.procs)
	}
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

// Command compare measures programs built plainly, with -race and with taskinstr, as
// ratios within one run: the kernels of benchmarks/micro, the papers' programs
// (benchmarks/suites), and programs of real modules (benchmarks/modules).
//
//	go run ./benchmarks/compare [-runs 5] [-kind sync,compute,std] [-kernels sor,matmul] [-modes plain,race,taskinstr] [-json]
//	go run ./benchmarks/compare -kind ptracer [-size small] [-modes plain,race,taskinstr,passes]
//	go run ./benchmarks/compare -kind modules [-kernels nats,raft]
//	go run ./benchmarks/compare -kind codecs [-modes plain,race,taskinstr,package,passes]
//	go run ./benchmarks/compare -by-pass [-kind modules] [-kernels esbuild,raft]
//	go run ./benchmarks/compare -kernels pingpong,select,mutex -modes plain,package,random,surw
//	go run ./benchmarks/compare -budget FILE -kind modules [-kernels esbuild,raft]
//	go run ./benchmarks/compare -checks [-kind modules] [-modes taskinstr,package] [-keep DIR]
//
// The kinds taskchecker, drdp and ptracer are the suites of the papers' programs. The kind
// codecs consists of the modules that process bytes, pixels, samples and vectors; modules
// of all the others. Mode taskinstr is taskinstr with -passes=none, package with
// -passes=all -scope=package, passes with -passes=all -scope=program, branches with
// -branches=on -passes=none; random, pct, pos, surw and preempt are package under a schedule of that strategy. Mode -gather is package without the pass gather; so are the
// other passes' names.
//
// -by-pass measures plain, race, taskinstr, package and package without each pass, and
// prints what each pass costs (bypass.go).
//
// -budget takes the price of programs of modules apart (budget.go): -race without its calls for accesses and for entries of
// functions, then with entries, then whole; taskinstr with its hooks alone (checks in one tiny package), with
// -passes=none, and by default. The calls are overwritten in -race's executable. Mode race-passes is -race without the calls
// at lines whose checks the default passes remove: the worth of the passes for Go's own race runtime.
//
// -checks counts the executed checks in one run of each program, and says by reason which checks the
// last of the modes has left (checks.go).
//
// GOMAXPROCS sets the number of processors of the measured programs, too.
//
// Each measurement is a process of its own. The modes take turns, so that a change of the
// machine's load affects all of them. The table shows the medians of the plain wall time,
// processor time and peak memory and, for each other mode, the ratios of its medians to
// the plain ones, with geometric means. It also compares taskinstr with -race. The mode
// race is left out, with a message, if there is no C compiler.
//
// A program counts as failed if it cannot be fetched or built, ends with a status other
// than 0, reports a race or exceeds the time limit. The other programs are still
// measured, and the command ends with status 1.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/benchmarks/modules"
	"taskinstr/benchmarks/program"
	"taskinstr/benchmarks/suites"
)

type options struct {
	runs    int
	kernels []kernels.Kernel
	papers  []program.Program
	size    program.Size // the input size of the papers' programs
	recipes []modules.Recipe
	modes   []mode
	workers int
	tool    string
	json    bool
	csv     string // a data file to write
	byPass  bool
	budget  string // a data file to write
	checks  bool
	keep    string // the folder of the files of executed checks
}

func main() { measure.Main("compare", run) }

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "compare")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b, err := newBuilder(ctx, o, tmp)
	if err != nil {
		return err
	}
	subjects, err := b.subjects(ctx)
	if err != nil {
		return err
	}
	if o.checks {
		if o.keep == "" {
			o.keep = tmp
		} else if o.keep, err = filepath.Abs(o.keep); err != nil {
			return err
		}
		return compareChecks(ctx, o, subjects)
	}
	results, err := measureAll(ctx, o, subjects)
	if err != nil {
		return err
	}
	if o.csv != "" {
		if err := o.writeResults(results); err != nil {
			return err
		}
	}
	if o.budget != "" {
		if err := writeCSV(o.budget, interleaved(o.runs), budgetCSV(results)); err != nil {
			return err
		}
	}
	if o.json {
		enc := json.NewEncoder(os.Stdout)
		enc.SetIndent("", "\t")
		if err := enc.Encode(results); err != nil {
			return err
		}
	} else if o.budget != "" {
		printBudget(os.Stdout, o, results)
	} else if o.byPass {
		printByPass(os.Stdout, o, results)
	} else {
		printTable(os.Stdout, o, results)
	}
	if n := failures(results); n > 0 {
		return fmt.Errorf("%d of %d programs failed", n, len(results))
	}
	return nil
}

func parse() (options, error) {
	var o options
	flag.IntVar(&o.runs, "runs", 5, "measurements of each program and mode")
	kinds := flag.String("kind", "sync,compute", "kinds of programs: sync, compute, std, hooks, scale, taskchecker, drdp, ptracer, modules, codecs")
	names := flag.String("kernels", "", "only these kernels, papers' programs and recipes of modules, of any kind; ptracer/sort where names are alike")
	modes := flag.String("modes", "plain,race,taskinstr", "the modes to compare: plain, which is the measure, race, race-hooks, race-enters, race-passes, hooks, taskinstr, package, passes, branches, and behind package the strategies of schedules: random, pct, pos, surw, preempt")
	size := flag.String("size", string(program.Medium), "of the input of the papers' programs: small, medium or large")
	flag.IntVar(&o.workers, "workers", 0, "tasks of the parallel kernels; 0: one a processor")
	flag.StringVar(&o.tool, "tool", "", "the taskinstr command; built from the tree by default")
	flag.BoolVar(&o.json, "json", false, "print JSON")
	flag.StringVar(&o.csv, "csv", "", "also write the figures to this `file`, for benchmarks/results: the ratios of plain, race and package if these are measured, else the time of each mode against plain; with -by-pass, what each pass costs; with -checks, the shares of the first mode's checks")
	flag.BoolVar(&o.byPass, "by-pass", false, "measure what each pass costs, in place of -modes; with -checks, count the checks that are executed without it")
	flag.StringVar(&o.budget, "budget", "", "measure what hooks, entries of functions and accesses cost, in -race and here, in place of -modes, and write it to this `file`")
	flag.BoolVar(&o.checks, "checks", false, "count the executed checks by site and print them by reason, in place of measuring")
	flag.StringVar(&o.keep, "keep", "", "with -checks: an existing folder that keeps the files of executed checks")
	flag.Parse()
	if o.runs < 1 {
		return o, fmt.Errorf("-runs=%d: at least 1 is needed", o.runs)
	}
	var err error
	if o.size, err = program.ParseSize(*size); err != nil {
		return o, fmt.Errorf("-size: %w", err)
	}
	var chosen []mode
	switch {
	case o.budget != "":
		chosen = budget
	case o.byPass && o.checks:
		chosen = append([]mode{packages}, without()...)
	case o.byPass:
		chosen = append([]mode{plain, race, taskinstr, packages}, without()...)
	default:
		for name := range strings.SplitSeq(*modes, ",") {
			chosen = append(chosen, mode(name))
		}
	}
	if err := o.addModes(chosen); err != nil {
		return o, err
	}
	if o.checks {
		// The programs must count checks.
		o.modes = slices.DeleteFunc(o.modes, func(m mode) bool {
			return m == plain || m == race || m == branches || m.blanked() != nil || m.environment() != nil
		})
		if len(o.modes) == 0 {
			return o, fmt.Errorf("-modes: none of these modes has checks to count; take taskinstr, package or passes")
		}
	} else if !slices.Contains(o.modes, plain) {
		return o, fmt.Errorf("-modes: plain is missing, and all ratios are to it")
	}
	if err := o.choose(*kinds, *names); err != nil {
		return o, err
	}
	return o, o.check()
}

// check reports modes that cannot be measured with the chosen programs, or not with each other.
func (o options) check() error {
	if len(o.kernels)+len(o.papers) > 0 && slices.ContainsFunc(o.modes, func(m mode) bool { return m == hooks || m.blanked() != nil }) {
		return fmt.Errorf("-modes: hooks and the parts of -race are measured with programs of modules only; take -kind modules or codecs")
	}
	for i, m := range o.modes {
		switch {
		case len(o.recipes) > 0 && (m == branches || m.environment() != nil):
			return fmt.Errorf("-modes: programs of modules are not measured with %s; leave one of the two out", m)
		case m.environment() != nil && !slices.Contains(o.modes[:i], packages):
			return fmt.Errorf("-modes: %s runs the executable of %s, which must stand before it", m, packages)
		}
	}
	return nil
}

// addModes adds the chosen modes that this machine can measure.
func (o *options) addModes(chosen []mode) error {
	_, noCC := exec.LookPath("gcc")
	for _, m := range chosen {
		switch {
		case !slices.Contains(allModes, m) && !slices.Contains(without(), m):
			return fmt.Errorf("-modes: no mode %q; there are %v and %v", string(m), allModes, without())
		case (m == race || m.blanked() != nil) && noCC != nil:
			fmt.Fprintf(os.Stderr, "compare: %s is left out: -race needs cgo and a C compiler, and gcc is not on PATH\n", m)
		default:
			o.modes = append(o.modes, m)
		}
	}
	return nil
}

// choose adds the programs with these names or, if there are none, of these kinds.
func (o *options) choose(kinds, names string) error {
	if names != "" {
		for name := range strings.SplitSeq(names, ",") {
			if k, ok := kernels.Find(name); ok {
				o.kernels = append(o.kernels, k)
			} else if p, err := suites.Find(name); err == nil {
				o.papers = append(o.papers, p)
			} else if r, err := modules.Find(name); err == nil {
				o.recipes = append(o.recipes, r)
			} else {
				return fmt.Errorf("-kernels: no kernel, papers' program or recipe %q; go run ./benchmarks/micro -list lists the kernels, go run ./benchmarks/run -list the programs, and benchmarks/modules/table.go the recipes", name)
			}
		}
		return nil
	}
	chosen := strings.Split(kinds, ",")
	for _, k := range kernels.All {
		if slices.Contains(chosen, string(k.Kind)) {
			o.kernels = append(o.kernels, k)
		}
	}
	for _, p := range suites.All {
		if slices.Contains(chosen, p.Suite) {
			o.papers = append(o.papers, p)
		}
	}
	for _, k := range []modules.Kind{modules.Modules, modules.Codecs} {
		if slices.Contains(chosen, string(k)) {
			o.recipes = append(o.recipes, modules.Of(k)...)
		}
	}
	if len(o.kernels)+len(o.papers)+len(o.recipes) == 0 {
		return fmt.Errorf("-kind=%s: no program is of this kind; there are %s", kinds, strings.Join(kindNames, ", "))
	}
	return nil
}
